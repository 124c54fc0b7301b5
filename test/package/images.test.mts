import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesMatching, root } from '../support/package.mts';

/** A README that loads slowly is not read. */
const LARGEST_BYTES = 200_000;

const images = filesMatching('docs/images/*');
const pages = filesMatching('*.md', 'docs/**/*.md', 'examples/*.md', 'sandbox/*.md');

/** The images on a page, as paths from the checkout's folder. */
function shownOn(page: string): string[] {
	const text = readFileSync(join(root, page), 'utf8');
	return [...text.matchAll(/(?:src|srcset)="([^"]+)"|!\[[^\]]*\]\(([^)\s]+)\)/g)].map(
		([, tag, markdown]) => join(page, '..', tag ?? markdown ?? ''),
	);
}

describe('the pictures', () => {
	it('are those that the pages show, light and dark', () => {
		const shown = new Set(pages.flatMap(shownOn));
		expect(images).toEqual([...shown].sort());
		const names = images.map((image) => image.replace(/-(light|dark)\.png$/, ''));
		expect(images).toEqual(
			[...new Set(names)].flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]),
		);
	});

	it.each(images)('%s is small', (image) => {
		expect(statSync(join(root, image)).size).toBeLessThan(LARGEST_BYTES);
	});
});
