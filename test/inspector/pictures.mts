import { join } from 'node:path';

import { root } from '../support/package.mts';
import type { Fixture } from './fixture.mts';
import type { InspectorPage } from './inspectorPage.mts';

const IMAGES = join(root, 'docs/images');

/** Takes the pictures of the documentation. */
export async function takePictures({ sandbox }: Fixture, inspector: InspectorPage): Promise<void> {
	const { page, main, open, useTheme } = inspector;
	for (const [name, hash] of [
		['timeline', '#/timeline'],
		['call', '#/calls/1'],
	] as const) {
		await open(sandbox.control, hash);
		await main.locator('.list, .conversation').first().waitFor();
		for (const theme of ['light', 'dark'] as const) {
			await useTheme(theme);
			const path = join(IMAGES, `inspector-${name}-${theme}.png`);
			await page.screenshot({ path, scale: 'css', animations: 'disabled', caret: 'hide' });
		}
	}
	await useTheme('light');
}
