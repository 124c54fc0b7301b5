import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditorPage } from './editorPage.mts';

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
			const path = join(folder, `${name}-${theme}.png`);
			await browser.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
		}
	} finally {
		await browser.wear('light');
	}
}
