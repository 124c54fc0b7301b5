import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import type { SitePage } from './sitePage.mts';

/** The search of the site, which has its index with it. */
export async function search({ check }: Checks, phone: SitePage): Promise<void> {
	const { page, open, assertQuiet } = phone;
	await check('the search finds a page, and asks no other server', async () => {
		await open('index.html');
		await page.locator('.VPNavBarSearch button').click();
		await page.locator('#localsearch-input').fill('Fallback Answer');
		const first = page.locator('#localsearch-list .result').first();
		await first.click();
		await page.locator('.vp-doc').getByText('Fallback Answer').first().waitFor();
		assert.match(new URL(page.url()).pathname, /\.html$/);
		assertQuiet();
	});
}
