import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditorPage } from './editor-page.mts';

/** A README that loads slowly is not read. */
const LARGEST = 200_000;

/**
 * Takes the same picture in n8n's light and dark theme.
 *
 * @param folder made when it is not there
 * @param name stable, because the README refers to `<name>-light.png` and `<name>-dark.png`
 * @param show shows what is on the picture, where n8n 2.41 does not change its icons with the theme
 */
export async function takePictures(
	browser: EditorPage,
	folder: string,
	name: string,
	show?: () => Promise<void>,
): Promise<void> {
	await mkdir(folder, { recursive: true });
	try {
		for (const theme of ['light', 'dark'] as const) {
			await browser.wear(theme);
			await show?.();
			await browser.iconsFor(theme);
			const picture = await browser.page.screenshot({ animations: 'disabled', caret: 'hide' });
			const file = `${name}-${theme}.png`;
			assert.ok(picture.length < LARGEST, `${file} has ${picture.length} bytes.`);
			await writeFile(join(folder, file), picture);
		}
	} finally {
		await browser.wear('light');
	}
}
