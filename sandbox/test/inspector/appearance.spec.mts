import { expect } from '@playwright/test';

import { SCREENS, tellStoryOfLead5, test, type Inspector } from './inspectorPage.mts';

/** Every view, and one record of each kind. */
const ADDRESSES = [
	...['timeline', 'timeline/1', 'timeline?search=nothing+like+that', 'requests', 'requests/1'],
	...['calls', 'calls/1', 'leads', 'leads/5', 'campaigns', 'campaigns/1', 'webhooks', 'webhooks/1'],
	...['sms', 'assistants', 'assistants/1?secrets=1', 'tools', 'tools/1', 'tool-requests'],
	...['tool-requests/1', 'account', 'account/1', 'faults', 'snapshots', 'nothing'],
];

test.beforeEach(tellStoryOfLead5);

/** Looks at what is shown, light and dark, on both screens. */
async function assertGood({ page, assertAccessible, assertFits }: Inspector): Promise<void> {
	await assertAccessible();
	await page.emulateMedia({ colorScheme: 'dark' });
	await assertAccessible();
	await page.setViewportSize(SCREENS.phone);
	await assertAccessible();
	await assertFits();
	await page.emulateMedia({ colorScheme: 'light' });
	await assertAccessible();
}

for (const address of ADDRESSES) {
	test(`#/${address} is accessible and fits a phone`, async ({ inspector }) => {
		const { control, open } = inspector;
		await control.inbound({ assistant_id: 2, from: '+14155550199', scenario: 'tool-call' });
		await control.advance('PT5M');
		await open(`#/${address}`);
		await assertGood(inspector);
	});
}

for (const [name, address] of [
	['Call now', 'timeline'],
	['Call now: Reception', 'assistants'],
	['Reset', 'timeline'],
	['Save a snapshot', 'snapshots'],
] as const) {
	test(`the dialog ${name} is accessible and fits a phone`, async ({ inspector }) => {
		const { dialog, open, press, choose } = inspector;
		await open(`#/${address}`);
		await press(name);
		await dialog.waitFor();
		if (address === 'assistants') await choose('How the call goes', 'tool-call');
		await assertGood(inspector);
	});
}

test('the clock, a message and faults in force are accessible and fit a phone', async ({
	inspector,
}) => {
	const { page, message, open, press } = inspector;
	await open('#/faults');
	await press('Turn to ordinary weather');
	await press('Turn on: Lost answers');
	await message.getByText('is on.').waitFor();
	await page.getByRole('button', { name: /^Clock: / }).click();
	await assertGood(inspector);
});

test('a message covers nothing of the page, and on a phone no row at its end', async ({
	inspector,
}) => {
	const { page, rows, message, service, open, pressClock } = inspector;
	for (let sent = 0; sent < 30; sent += 1) await service.get('/user/nothing');
	await open('#/requests');
	await rows.nth(29).waitFor();
	const getBox = async (part: typeof message) => {
		const box = await part.boundingBox();
		if (!box) throw new Error('It is not shown.');
		return { top: box.y, bottom: box.y + box.height };
	};
	await pressClock('+10 s');
	await message.getByText('UTC').waitFor();
	const head = await getBox(page.getByRole('banner'));
	expect((await getBox(message)).bottom).toBeLessThanOrEqual(head.bottom);
	await page.setViewportSize(SCREENS.phone);
	await page.evaluate('scrollTo(0, document.body.scrollHeight)');
	const { top, bottom } = await getBox(message);
	expect(bottom).toBeLessThanOrEqual(SCREENS.phone.height);
	expect((await getBox(rows.last())).bottom).toBeLessThanOrEqual(top);
});

test('the clock and the menu of a phone open, and the menu leads on', async ({ inspector }) => {
	const { page, open, press, assertFits } = inspector;
	await page.setViewportSize(SCREENS.phone);
	await open('#/timeline');
	const link = page.getByRole('navigation').getByRole('link', { name: 'Leads' });
	const step = page.getByRole('button', { name: '+10 s' });
	await step.waitFor({ state: 'hidden' });
	await page.getByRole('button', { name: /^Clock: / }).click();
	await assertFits();
	await step.waitFor();
	await link.waitFor({ state: 'hidden' });
	await press('Menu');
	await assertFits();
	await link.click();
	await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
	await link.waitFor({ state: 'hidden' });
});
