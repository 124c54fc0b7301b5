import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import type { BuiltSite } from './builtSite.mts';
import type { SitePage } from './sitePage.mts';

/** Each page in both themes, and the list of all pages. */
export async function pages({ check }: Checks, site: BuiltSite, phone: SitePage): Promise<void> {
	const { page, open, assertFits, assertQuiet } = phone;
	for (const file of site.pages) {
		await check(`${file} fits a phone, light and dark`, async () => {
			for (const theme of ['light', 'dark'] as const) {
				await open(file, theme);
				await assertFits();
			}
			assertQuiet();
		});
	}

	await check('the menu lists every page', async () => {
		await open('gallery.html');
		const links = await page
			.locator('.VPSidebar a')
			.evaluateAll((all: Array<{ pathname: string }>) =>
				all.map(({ pathname }) => pathname.replace('/', '')),
			);
		assert.deepEqual(
			links.sort(),
			site.pages.filter((file) => file !== 'index.html'),
		);
	});

	await check('the first page leads to a trial, the gallery and the installation', async () => {
		await open('index.html');
		const buttons = page.locator('.VPHero .action a');
		assert.deepEqual(await buttons.allInnerTexts(), ['Try it', 'Gallery', 'Install']);
		await buttons.filter({ hasText: 'Gallery' }).click();
		await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
	});
}
