import { expect } from '@playwright/test';

import { assertAccessible } from '../support/accessibility.mts';
import { test } from './sitePage.mts';

/** What users look for, and what of theirs has to be the first: not a decision or an assumption. */
for (const [words, first] of [
	['rate limit', 'troubleshooting#too-many-requests-the-rate-limit'],
	['api key', 'credential#credential-address-and-api-token'],
	['timeout', 'triggers#timeout'],
	['webhook url', 'install#webhook-url'],
	['country code', 'actions#country-code'],
	['queue mode', 'scaling#'],
	['clock', 'control-the-sandbox#clock'],
	['sandbox faults', 'control-the-sandbox#faults'],
	['GDPR', 'compliance#'],
	['outcome', 'calls#outcome'],
	['voicemail', 'calls#outcome'],
	['opt out', 'gallery#stop-calling-who-opts-out'],
	['do not call', 'compliance#do-not-call'],
	['token', 'troubleshooting#the-token-is-not-accepted'],
	['docker', 'install#docker'],
	['phone number', 'reference#phone-number'],
	['SMS', 'reference#sms--send'],
	['300 characters', 'reference#sms--send'],
	['outage', 'control-the-sandbox#faults'],
	['retry', 'actions#retry-in-the-list-of-executions'],
	['appointment', 'gallery#book-an-appointment-during-a-call'],
	['recording', 'reference#call--download-recording'],
	['agent approval', 'gallery#a-chat-agent-that-asks-before-it-calls'],
	['transcript', 'calls#simplified-calls'],
	['duplicate lead', 'reference#lead--create'],
	['proxy', 'install#with-an-outgoing-proxy'],
	['who will come', 'gallery#remind-of-appointments-the-day-before'],
] as const) {
	test(`the search for "${words}" finds what is meant first`, async ({ page, site }) => {
		await site.open('index.html');
		await page.keyboard.press('/');
		await page.getByRole('searchbox').fill(words);
		const result = page.locator('.VPLocalSearchBox .result').first();
		await expect(result).toHaveAttribute('href', new RegExp(`^/${first.replace('#', '\\.html#')}`));
	});
}

test('the search marks whole words only', async ({ page, site }) => {
	await site.open('index.html');
	await page.keyboard.press('/');
	await page.getByRole('searchbox').fill('do not call');
	const marks = page.locator('.VPLocalSearchBox mark');
	await expect(marks.filter({ hasText: /^call$/i }).first()).toBeVisible();
	await expect(marks.filter({ hasText: /^(now|download)$/i })).toHaveCount(0);
	await assertAccessible(page);
	const searched = await page.evaluate<string[]>(
		`[...document.querySelectorAll('.VPLocalSearchBox mark')]
			.filter(({ previousSibling: before, nextSibling: after }) =>
				/\\p{L}$/u.test(before?.textContent ?? '') || /^\\p{L}/u.test(after?.textContent ?? ''))
			.map(({ parentNode }) => parentNode.textContent)`,
	);
	expect(searched).toEqual([]);
});
