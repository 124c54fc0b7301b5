import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deadLinks } from '../../docs/.vitepress/deadLinks.mts';

/** A built site with one other page, which has one heading. */
let site: string;
beforeEach(() => {
	site = mkdtempSync(join(tmpdir(), 'site-'));
	writeFileSync(join(site, 'calls.html'), '<h2 id="missed">Missed</h2>');
});
afterEach(() => rmSync(site, { recursive: true }));

/** The dead links of the site when its first page has these. */
function deadOf(base: string, ...links: string[]): string[] {
	const html = links.map((href) => `<a class="link" href="${href}">Calls</a>`).join('\n');
	writeFileSync(join(site, 'index.html'), html);
	return deadLinks(site, base);
}

describe('the dead links of the site', () => {
	it.each(['/', '/base/'])('are those to no file, for the base %s', (base) => {
		expect(deadOf(base, `${base}calls.html`, `${base}gone.html`)).toEqual([
			`index.html links to ${base}gone.html`,
		]);
	});

	it('are those to no heading', () => {
		expect(deadOf('/', 'calls.html#missed', 'calls.html#gone')).toEqual([
			'index.html links to calls.html#gone',
		]);
	});

	it('are not those to other sites', () => {
		expect(deadOf('/', 'https://example.com/gone.html#gone')).toEqual([]);
	});
});
