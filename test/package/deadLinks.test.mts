import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { deadLinks } from '../../docs/.vitepress/deadLinks.mts';
import { folderPerTest } from '../../sandbox/test/support/process.mts';

const site = folderPerTest();

it.each(['/', '/base/'])(
	'the dead links of a site are those to no file or heading (%s)',
	(base) => {
		const links = [
			'calls.html',
			'calls.html#missed',
			`${base}calls.html`,
			'https://example.com/gone.html#gone',
			`${base}gone.html`,
			'calls.html#gone',
		];
		const html = links.map((href) => `<a class="link" href="${href}">Calls</a>`).join('\n');
		writeFileSync(join(site(), 'index.html'), html);
		writeFileSync(join(site(), 'calls.html'), '<h2 id="missed">Missed</h2>');
		expect(deadLinks(site(), base)).toEqual([
			`index.html links to ${base}gone.html`,
			'index.html links to calls.html#gone',
		]);
	},
);
