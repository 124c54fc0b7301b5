import { expect } from '@playwright/test';

import { test } from './sitePage.mts';

/** What users look for, and the page of theirs that has to be the first: not a decision or an assumption. */
for (const [words, first] of [
	['rate limit', /troubleshooting/],
	['do not call', /compliance/],
	['proxy', /install/],
	['api key', /credential/],
	['webhook url', /triggers|reliability/],
	['docker', /install/],
] as const) {
	test(`the search for "${words}" finds a page for users first`, async ({ page, site }) => {
		await site.open('index.html');
		await page.keyboard.press('/');
		await page.getByRole('searchbox').fill(words);
		const result = page.locator('.VPLocalSearchBox .result').first();
		await expect(result).toHaveAttribute('href', first);
	});
}
