import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { root } from '../support/package.mts';

const FOLDER = join(root, 'docs', 'images');
/** A README that loads slowly is not read. */
const LARGEST = 200_000;

/**
 * Takes the same picture in n8n's light and dark theme, into docs/images/.
 *
 * @param name stable, because the README refers to `<name>-light.png` and `<name>-dark.png`
 */
export async function takePictures(page: Page, name: string): Promise<void> {
	await mkdir(FOLDER, { recursive: true });
	try {
		for (const theme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme: theme });
			const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
			const file = `${name}-${theme}.png`;
			assert.ok(picture.length < LARGEST, `${file} has ${picture.length} bytes.`);
			await writeFile(join(FOLDER, file), picture);
		}
	} finally {
		await page.emulateMedia({ colorScheme: 'light' });
	}
}
