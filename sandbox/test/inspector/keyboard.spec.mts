import { expect, type Page } from '@playwright/test';

import { tellStoryOfLead5, test } from './inspectorPage.mts';

/** More than there is to reach on a page before its first row. */
const MOST_TABS = 80;

test.beforeEach(tellStoryOfLead5);

/** Presses Tab until an element with this text or label has the focus, and the focus is seen. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
	const focused = page.locator(':focus');
	for (let presses = 0; presses < MOST_TABS; presses += 1) {
		await page.keyboard.press('Tab');
		const text = (await focused.getAttribute('aria-label')) ?? (await focused.innerText());
		if (!name.test(text)) continue;
		await expect(focused, 'the focus is seen').not.toHaveCSS('outline-style', 'none');
		return;
	}
	throw new Error(`Tab does not lead to ${String(name)}.`);
}

for (const view of [
	...['timeline', 'timeline/1', 'requests/1', 'calls/1', 'leads/5', 'campaigns', 'webhooks/1'],
	...['sms', 'assistants/1', 'tools/1', 'tool-requests', 'account', 'faults', 'snapshots'],
]) {
	test(`all of #/${view} is reached by Tab, and its entry of the menu is marked`, async ({
		inspector,
	}) => {
		const { page, open } = inspector;
		await open(`#/${view}`);
		await expect(page.locator('nav [aria-current="page"]')).toHaveCount(1);
		const wanted = await page.evaluate<number>(
			`[...document.querySelectorAll('a, audio, button, input, select, summary, pre')]
				.filter((one) => one.checkVisibility()).length`,
		);
		const isNew = `!document.activeElement.matches('body') && !document.activeElement.dataset.reached
			&& Boolean(document.activeElement.dataset.reached = 'yes')`;
		for (let reached = 0; reached < wanted; reached += 1) {
			// A recording has controls of its own.
			do await page.keyboard.press('Tab');
			while (await page.evaluate<boolean>(`document.activeElement.matches('audio[data-reached]')`));
			expect(await page.evaluate<boolean>(isNew), `${reached} of ${wanted}`).toBe(true);
		}
	});
}

test('the clock, a fault and a filter are worked by keyboard', async ({ inspector }) => {
	const { page, main, message, rows, open } = inspector;
	await open('#/faults');
	await tabTo(page, /^Clock:/);
	await page.keyboard.press('Enter');
	await tabTo(page, /^\+1 day$/);
	await page.keyboard.press('Space');
	await message.getByText('happened.').waitFor();
	await page.keyboard.press('Escape');
	await tabTo(page, /^Turn on: Outage$/);
	await page.keyboard.press('Enter');
	await main.getByRole('heading', { name: 'Outage on' }).waitFor();
	await main.getByRole('button', { name: 'Turn off all' }).focus();
	await page.keyboard.press('Enter');
	await message.getByText('All faults are off.').waitFor();
	await expect(page.locator(':focus')).toHaveText('Faults');
	await open('#/timeline');
	await tabTo(page, /^Campaigns$/);
	await tabTo(page, /^Refused requests$/);
	await page.keyboard.press('Space');
	await page.waitForURL(/show=refused/);
	await expect(rows).toHaveCount(0);
});

test('an entry opens and closes by keyboard, and the focus comes back', async ({ inspector }) => {
	const { page, main, panel, control, open } = inspector;
	const focused = page.locator(':focus');
	await open('#/timeline');
	await main.getByRole('row').nth(1).waitFor();
	await page.keyboard.press('Tab');
	await expect(focused).toHaveText('Skip to the content');
	await page.keyboard.press('Enter');
	await tabTo(page, /^Call \d+ (to|from)/);
	const opener = await focused.innerText();
	await page.keyboard.press('Enter');
	await panel.getByRole('heading', { level: 2 }).and(focused).waitFor();
	await expect(focused).toHaveText(opener);
	// What happens meanwhile does not take the focus away.
	await control.advance('PT1S');
	await page.keyboard.press('Tab');
	await expect(focused).toHaveAttribute('aria-label', 'Close');
	await page.keyboard.press('Escape');
	await panel.waitFor({ state: 'detached' });
	await main.getByRole('link', { name: opener }).and(focused).waitFor();
});

test('dialogs open and close by keyboard; Enter twice does not reset', async ({ inspector }) => {
	const { page, main, dialog, open } = inspector;
	const focused = page.locator(':focus');
	await open('#/leads');
	await tabTo(page, /^Call now$/);
	await page.keyboard.press('Enter');
	await page.getByRole('dialog', { name: 'Call now' }).waitFor();
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'detached' });
	await expect(focused).toHaveText('Call now');
	await tabTo(page, /^Reset$/);
	await page.keyboard.press('Enter');
	const reset = page.getByRole('dialog', { name: 'Reset the sandbox?' });
	await reset.getByRole('button', { name: 'Cancel' }).and(focused).waitFor();
	await page.keyboard.press('Enter');
	await dialog.waitFor({ state: 'detached' });
	await main.getByRole('link', { name: '5 · Eva Brandt' }).waitFor();
});
