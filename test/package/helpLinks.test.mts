import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { anchorOf } from '../../scripts/generate/markdown.mts';
import { filesMatching, manifest, root } from '../support/package.mts';

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The anchors of a page. */
const anchorsOf = (page: string): string[] =>
	[...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The links of nodes and credential into this repository. Without a file, GitHub shows the README. */
const links = filesMatching('{nodes,credentials}/**/*.{ts,json}').flatMap((file) =>
	[
		...textOf(file).matchAll(
			new RegExp(
				String.raw`github\.com/[\w-]+/${manifest.name}(?:/blob/main/([\w/.-]+))?#([\w-]+)`,
				'g',
			),
		),
	].map(([, page = 'README.md', anchor = '']) => ({ file, page, anchor })),
);

describe('the help that nodes and credential link to', () => {
	it.each(links)('is there: $page#$anchor, of $file', ({ page, anchor }) => {
		expect(anchorsOf(page)).toContain(anchor);
	});
});
