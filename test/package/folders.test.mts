import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../support/package.mts';

/** The longest sentence, so that a page with all of them is read at once. */
const LONGEST = 200;

/** The folders, but those of previews, which ship as they are. */
const folders = ['nodes', 'sandbox/src']
	.flatMap((top) => [top, ...globSync(`${top}/**/`, { cwd: root })])
	.map((path) => path.replace(/\/$/, ''))
	.filter((path, index, all) => !path.includes('__schema__') && all.indexOf(path) === index)
	.sort();

it.each(folders)('%s says in one sentence what lives there, and what does not', (folder) => {
	const sentence = readFileSync(join(root, folder, 'README.md'), 'utf8');
	expect(sentence).toMatch(/^[^\n]+\.\n$/);
	expect(sentence).not.toMatch(/\. [A-Z]/);
	expect(sentence.length).toBeLessThanOrEqual(LONGEST);
	// What it names is there: above or below it, or in the checkout.
	const named = [...sentence.matchAll(/`((?:\.\.?|nodes)\/[\w./]*)`/g)].map(
		([, path = '']) => path,
	);
	const missing = named.filter(
		(path) => !existsSync(join(root, path.startsWith('.') ? folder : '', path)),
	);
	expect(missing).toEqual([]);
});
