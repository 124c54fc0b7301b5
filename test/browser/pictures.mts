import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditorPage } from './editor/editorPage.mts';

/**
 * Takes the same picture in n8n's light and dark theme.
 *
 * @param folder created if missing
 * @param name stable, because the README refers to `<name>-light.png` and `<name>-dark.png`
 * @param show opens the view again, if n8n 2.41 does not change its icons with the theme
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
			await browser.useTheme(theme);
			await show?.();
			await browser.waitForIcons(theme);
			const path = join(folder, `${name}-${theme}.png`);
			await browser.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
		}
	} finally {
		await browser.useTheme('light');
	}
}
