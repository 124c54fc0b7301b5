import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { toAnchor } from '../../scripts/generate/markdown.mts';
import { filesMatching, manifest, root } from '../support/package.mts';

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the help that nodes and credential link to', () => {
	/** Without a file, GitHub shows the README. */
	const link = new RegExp(
		String.raw`github\.com/[\w-]+/${manifest.name}(?:/blob/main/([\w/.-]+))?#([\w-]+)`,
		'g',
	);
	const links = filesMatching('{nodes,credentials}/**/*.{ts,json}').flatMap((file) =>
		[...readText(file).matchAll(link)].map(([, page = 'README.md', anchor = '']) => ({
			file,
			page,
			anchor,
		})),
	);

	it.each(links)('is there: $page#$anchor, of $file', ({ page, anchor }) => {
		const headings = [...readText(page).matchAll(/^#+ (.+)$/gm)];
		expect(headings.map(([, heading = '']) => toAnchor(heading))).toContain(anchor);
	});
});

describe('the page about troubleshooting', () => {
	/** Shorter texts in italics are names on the screen, and so are those with an arrow. */
	const FEWEST_WORDS = 4;
	const sources = filesMatching('nodes/**/*.ts')
		.map(readText)
		.join('\n')
		.replaceAll(String.raw`\'`, "'");
	const messages = [...readText('docs/troubleshooting.md').matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)]
		.map(([, text = '']) => text)
		.filter((text) => text.split(' ').length >= FEWEST_WORDS && !text.includes('→'));

	it.each(messages)('quotes a message that there is: %s', (message) => {
		// The dots are where the message has a value.
		const parts = message.split('…').map((part) => part.trim().replace(/\.$/, ''));
		expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
	});
});

describe('the pages about the code', () => {
	/** What the guide's example adds. */
	const NOT_IN_THE_CODE = [
		'archiveCampaign',
		'nodes/VoiceAssistantCalling/resources/campaign/archive.operation.ts',
	];
	const OUR_FOLDER = /^(contract|credentials|docs|examples|host|nodes|sandbox|scripts|test)\//;
	const folders = '{.github,contract,credentials,docs/.vitepress,host,nodes,sandbox,scripts,test}';
	const code = filesMatching(
		'*.{js,json,jsonc,mjs,yaml}',
		`${folders}/**/*.{js,json,mjs,mts,ts,yaml,yml}`,
	)
		.filter((file) => !/node_modules|package-lock|^sandbox\/(dist|contract)\//.test(file))
		// It has the names that are not in the code.
		.filter((file) => file !== 'test/package/documents.test.mts');
	const paths = code.map((file) => `/${file}`);
	const words = new Set(
		[...code.map(readText), ...paths].flatMap((text) => text.match(/\w+/g) ?? []),
	);

	/** The names in a text that are not in the code: files, folders, and words with a capital inside. */
	function findMissing(text: string): string[] {
		if (/^[\w./-]+\.(m?[jt]s|yaml)$/.test(text)) {
			return paths.some((path) => path.endsWith(`/${text}`)) ? [] : [text];
		}
		if (OUR_FOLDER.test(text)) return existsSync(join(root, text)) ? [] : [text];
		return (text.match(/\w*[a-z][A-Z]\w*/g) ?? []).filter((word) => !words.has(word));
	}

	it('name what is in the code', () => {
		const pages = filesMatching('{CONTRIBUTING,AGENTS}.md', 'docs/{architecture,decisions/*}.md');
		const missing = pages.flatMap((page) =>
			[...readText(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) => findMissing(text)),
		);
		expect(new Set(missing)).toEqual(new Set(NOT_IN_THE_CODE));
	});
});

describe('the README', () => {
	it('is short', () => {
		expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(14_000);
	});
});

describe('the pictures', () => {
	/** A page that loads slowly is not read. */
	const LARGEST_BYTES = 200_000;
	const images = filesMatching('docs/images/*');
	const pages = filesMatching('*.md', 'docs/**/*.md', 'examples/*.md', 'sandbox/*.md');

	it('are those that the pages show, light and dark', () => {
		const shown = pages.flatMap((page) =>
			[...readText(page).matchAll(/(?:src|srcset)="([^"]+)"|!\[[^\]]*\]\(([^)\s]+)\)/g)].map(
				([, tag, markdown]) => join(page, '..', tag ?? markdown ?? ''),
			),
		);
		expect(images).toEqual([...new Set(shown)].sort());
		const names = new Set(images.map((image) => image.replace(/-(light|dark)\.png$/, '')));
		expect(images).toEqual([...names].flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]));
	});

	it.each(images)('%s is small', (image) => {
		expect(statSync(join(root, image)).size).toBeLessThan(LARGEST_BYTES);
	});
});
