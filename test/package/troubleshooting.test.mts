import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesMatching, root } from '../support/package.mts';

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Shorter texts in italics are names on the screen, and so are those with an arrow. */
const FEWEST_WORDS = 4;

const sources = filesMatching('nodes/**/*.ts')
	.map(textOf)
	.join('\n')
	.replaceAll(String.raw`\'`, "'");

/** What the page says that the nodes say. */
const messages = [...textOf('docs/troubleshooting.md').matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)]
	.map(([, text = '']) => text)
	.filter((text) => text.split(' ').length >= FEWEST_WORDS && !text.includes('→'));

describe('the page about troubleshooting', () => {
	it.each(messages)('quotes a message that there is: %s', (message) => {
		// The dots are where the message has a value.
		const parts = message.split('…').map((part) => part.trim().replace(/\.$/, ''));
		expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
	});
});
