import { expect } from '@playwright/test';

import { test } from './sitePage.mts';

test('the search finds a page, and asks no other server', async ({ page, site }) => {
	await site.open('index.html');
	await page.locator('.VPNavBarSearch button').click();
	await page.locator('#localsearch-input').fill('Fallback Answer');
	await page.locator('#localsearch-list .result').first().click();
	await page.locator('.vp-doc').getByText('Fallback Answer').first().waitFor();
	await expect(page).toHaveURL(/\.html(?:#.*)?$/);
});
