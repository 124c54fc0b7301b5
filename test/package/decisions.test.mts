import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesMatching, root } from '../support/package.mts';

/** About a screen. */
const LONGEST = 2_500;

const decisions = filesMatching('docs/decisions/*.md');
const numbers = decisions.map((file) => basename(file).slice(0, 4));
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the decisions', () => {
	it.each(decisions)('%s is one screen: context, decision, consequences', (file) => {
		const text = readText(file);
		const parts = [...text.matchAll(/^\*\*(\w+):\*\*/gm)].map(([, part]) => part);
		expect(parts).toEqual(['Context', 'Decision', 'Consequences']);
		expect(text).toMatch(new RegExp(`^# ${Number(basename(file).slice(0, 4))}\\. `));
		expect(text.length).toBeLessThanOrEqual(LONGEST);
	});

	// Pages and comments name them by number; links are checked where the site is built.
	it('are there where something names them', () => {
		const sources = filesMatching(
			'*.md',
			'{.github,docs,sandbox,test}/**/*.{md,yml}',
			'{contract,credentials,host,nodes,sandbox,scripts,test}/**/*.{mts,ts,yaml}',
		).filter((file) => !/node_modules|^sandbox\/(dist|contract)\//.test(file));
		const unknown = sources.flatMap((file) =>
			[...readText(file).matchAll(/decisions\/(\d{4})|\[decision (\d+)\]/g)]
				.map(([, name, number = '']) => name ?? number.padStart(4, '0'))
				.filter((number) => !numbers.includes(number))
				.map((number) => `${file}: ${number}`),
		);
		expect(unknown).toEqual([]);
	});
});
