import { expect } from '@playwright/test';

import { assertAccessible } from '../support/accessibility.mts';
import { pages } from './pages.mts';
import { test } from './sitePage.mts';

const DESKTOP = { width: 1280, height: 800 };

for (const file of pages) {
	test(`${file} is accessible and fits a phone, light and dark`, async ({ page, site }) => {
		for (const theme of ['light', 'dark'] as const) {
			await site.open(file, theme);
			await site.assertFits();
			await assertAccessible(page);
		}
		await page.setViewportSize(DESKTOP);
		await assertAccessible(page);
		const cut = await page.evaluate(
			`[...document.querySelectorAll('.VPDocAsideOutline .outline-link, .VPNavBarTitle .title')]
				.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
				.map(({ textContent }) => textContent)`,
		);
		expect(cut, 'what is cut').toEqual([]);
	});
}

test('the menu lists every page', async ({ page, site }) => {
	await site.open('gallery.html');
	const links = await page
		.locator('.VPSidebar a')
		.evaluateAll((all: Array<{ pathname: string }>) =>
			all.map(({ pathname }) => pathname.replace('/', '')),
		);
	expect(links.sort()).toEqual(pages.filter((file) => file !== 'index.html'));
});

test('the first page leads to a trial, the gallery and the installation', async ({
	page,
	site,
}) => {
	await site.open('index.html');
	const buttons = page.locator('.VPHero .action a');
	await expect(buttons).toHaveText(['Try it', 'Gallery', 'Install']);
	await buttons.filter({ hasText: 'Gallery' }).click();
	await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
});
