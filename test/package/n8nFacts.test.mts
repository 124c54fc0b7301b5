import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toAnchor } from '../../scripts/generate/markdown.mts';
import { filesMatching, root } from '../support/package.mts';

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The lines of the page, each with its heading. */
const facts = readText('docs/n8n.md')
	.split(/^### /m)
	.slice(1)
	.map((text) => ({
		anchor: toAnchor(text.slice(0, text.indexOf('\n'))),
		text: text.replace(/\n## .*/s, ''),
	}));

const sources = filesMatching(
	'docs/**/*.md',
	'{credentials,nodes}/**/*.ts',
	'{host,sandbox,scripts,test}/**/*.mts',
).filter((file) => !/node_modules|^sandbox\/dist\//.test(file));

describe('the page about n8n', () => {
	it.each(facts)('names a test: $anchor', ({ text }) => {
		const [, test = ''] = /Test: `(test\/[^`]+)`\s*$/.exec(text) ?? [];
		expect(existsSync(join(root, test))).toBe(true);
		expect(test).toMatch(/\.mts$/);
	});

	it('has each line once, and each that something names', () => {
		const anchors = facts.map(({ anchor }) => anchor);
		expect(anchors).toEqual([...new Set(anchors)]);
		const unknown = sources.flatMap((file) =>
			[...readText(file).matchAll(/\bn8n\.md#([\w-]+)/g)]
				.map(([, anchor = '']) => anchor)
				.filter((anchor) => !anchors.includes(anchor))
				.map((anchor) => `${file}: ${anchor}`),
		);
		expect(unknown).toEqual([]);
	});

	it('is named by the comments of what ships, in place of the versions', () => {
		const files = filesMatching('{credentials,nodes}/**/*.ts').filter((file) =>
			/\((?:n8n )?2\.\d[^)]*\)/.test(readText(file)),
		);
		expect(files).toEqual([]);
	});
});
