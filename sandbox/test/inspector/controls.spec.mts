import { expect } from '@playwright/test';

import { assertAccessible } from '../../../test/support/accessibility.mts';
import { asObject } from '../support/contract.mts';
import { test } from './inspectorPage.mts';

/** How Swagger UI nests its headings and buttons is its own. */
const OF_SWAGGER_UI = ['heading-order', 'nested-interactive', 'region', 'select-name'];

const NO_FAULTS = 'None. The service behaves well.';

test('the clock moves and changes its mode, and says so', async ({ inspector }) => {
	const { page, message, control, open, pressClock } = inspector;
	const { body } = await control.request('GET', '/health');
	let now = Date.parse(String(asObject(body, 'health').now));
	await open('#/timeline');
	const steps = { '+10 s': 10, '+1 min': 60, '+1 h': 3600, '+1 day': 86_400 };
	for (const [name, seconds] of Object.entries(steps)) {
		now += seconds * 1000;
		const time = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
		await pressClock(name);
		await message.getByText(`It is ${time} UTC. Nothing happened.`).waitFor();
		await page.getByRole('button', { name: `Clock: ${time} UTC` }).waitFor();
	}
	await page.getByRole('button', { name: /^Clock: / }).click();
	for (const mode of ['runs faster', 'stands still']) {
		await page.getByRole('combobox', { name: 'The clock' }).selectOption(mode);
		await message.getByText(`The clock ${mode}.`).waitFor();
	}
});

test('the clock says how fast calls are, and a message covers nothing beside it', async ({
	inspector,
}) => {
	const { page, message, open, press, startSandbox } = inspector;
	const { control } = await startSandbox({ clock: 'real', callSpeed: 10 });
	await page.setViewportSize({ width: 1280, height: 800 });
	await open('#/faults', control);
	await page.getByRole('button', { name: 'UTC, runs in real time, calls 10 × as fast' }).waitFor();
	await press('Turn to ordinary weather');
	await press('Turn on: Outage');
	await message.getByText('is on.').waitFor();
	await page.getByRole('link', { name: '1 fault, ordinary weather' }).waitFor();
	const boxes = await page.evaluate<Array<[left: number, right: number]>>(
		`[...document.querySelector('header').children].filter(({ offsetWidth }) => offsetWidth > 0)
			.map((part) => part.getBoundingClientRect()).map(({ left, right }) => [left, right])`,
	);
	for (const [index, [left]] of boxes.entries()) {
		expect(left).toBeGreaterThanOrEqual(boxes[index - 1]?.[1] ?? 0);
	}
	expect(boxes.at(-1)?.[1]).toBeLessThanOrEqual(1280);
});

test('faults hit requests, which tell it, until they are turned off', async ({ inspector }) => {
	const { page, main, panel, rows, message, service, open, press, assertAccessible } = inspector;
	const turnOn = async (title: string) => {
		await press(`Turn on: ${title}`);
		await message.getByText(`“${title}” is on.`).waitFor();
	};
	await open('#/faults');
	await main.getByText(NO_FAULTS).waitFor();
	await turnOn('Rate limit');
	await main.getByRole('table', { name: 'Faults in force' }).getByText('5 times').waitFor();
	const { status } = await service.request('GET', '/user/calls', { ignoreContract: true });
	expect(status).toBe(429);
	await main.getByText('4 times').waitFor();
	await open('#/timeline');
	await page.getByRole('banner').getByRole('link', { name: '1 fault', exact: true }).waitFor();
	await main.getByRole('link', { name: /429/ }).first().click();
	await panel.getByText(/^Fault \d+ decided how it ended\.$/).waitFor();
	await panel.getByLabel('Fault rule').getByText('429').waitFor();
	await open('#/requests');
	await rows.first().getByText('429 by a fault').waitFor();
	await open('#/faults');
	const card = main.getByRole('listitem').filter({ hasText: 'Rate limit' });
	await card.getByRole('heading', { name: 'Rate limit on' }).waitFor();
	await assertAccessible();
	await card.getByRole('button', { name: 'Turn off: Rate limit' }).click();
	await message.getByText('“Rate limit” is off.').waitFor();
	await card.getByRole('heading', { name: 'Rate limit', exact: true }).waitFor();
	await main.getByText(NO_FAULTS).waitFor();
	for (const title of ['Rate limit', 'Lost answers', 'Outage']) await turnOn(title);
	await page.getByRole('banner').getByRole('link', { name: '3 faults', exact: true }).waitFor();
	for (const rule of [/Lost answers.*POST request.*loses the answer/, /PUT request.*loses/]) {
		await main.getByRole('row').filter({ hasText: rule }).waitFor();
	}
	await main.getByText(/^until \d{4}-\d\d-\d\d .* UTC$/).waitFor();
	await press('Turn off all');
	await main.getByText(NO_FAULTS).waitFor();
	await page.getByRole('link', { name: /^\d+ faults?$/ }).waitFor({ state: 'hidden' });
	expect((await service.get('/user/calls')).status).toBe(200);
});

test('a refusal of the service is not blamed on a fault that only delays it', async ({
	inspector,
}) => {
	const { rows, panel, control, service, open } = inspector;
	await control.fault({ slow_first_byte_ms: 1 });
	await service.post('/user/lead', { campaign_id: 1, phone_number: '1' });
	await open('#/requests');
	await rows.getByText('422 delayed by a fault').waitFor();
	await rows.getByRole('link').click();
	await panel.getByText(/^Fault 1 delayed it\. The answer is the service’s own\.$/).waitFor();
});

test('ordinary weather can be turned on and off', async ({ inspector }) => {
	const { page, main, panel, service, open, press } = inspector;
	const badge = page.getByRole('banner').getByRole('link', { name: 'ordinary weather' });
	await open('#/faults');
	await main.getByText('It is fair:').waitFor();
	await press('Turn to ordinary weather');
	await badge.waitFor();
	await service.get('/user/calls');
	await open('#/requests');
	await main.getByRole('link', { name: 'GET /api/user/calls' }).first().click();
	await panel.getByText(/^The weather delayed it by [\d.]+ s\.$/).waitFor();
	await open('#/faults');
	await press('Turn to fair weather');
	await badge.waitFor({ state: 'hidden' });
	await main.getByText('It is fair:').waitFor();
});

test('reset asks first, then everything starts again', async ({ inspector }) => {
	const { page, main, control, open, press } = inspector;
	const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' });
	await control.outbound({ assistant_id: 1, to: '+14155550123' });
	await open('#/calls');
	await press('Reset');
	await press('Cancel', dialog);
	await main.getByRole('link', { name: /^Call \d+$/ }).waitFor();
	await press('Reset');
	await press('Reset everything', dialog);
	await main.getByRole('heading', { name: 'Timeline' }).waitFor();
	await open('#/calls');
	await main.getByText('No call yet.').waitFor();
});

test('a snapshot is saved, restored and deleted', async ({ inspector }) => {
	const { page, main, message, control, open, press } = inspector;
	const dialog = page.getByRole('dialog', { name: 'Save a snapshot' });
	await open('#/snapshots');
	await press('Save a snapshot');
	await dialog.getByLabel('Name').fill('before the call');
	await press('Save', dialog);
	await message.getByText('“before the call” is saved.').waitFor();
	await main.getByRole('table', { name: 'Snapshots' }).getByText('before the call').waitFor();

	await control.outbound({ assistant_id: 1, to: '+14155550123' });
	await open('#/calls');
	await main.getByRole('link', { name: /^Call \d+$/ }).waitFor();
	await open('#/snapshots');
	await press('Restore before the call');
	await message.getByText('“before the call” is restored.').waitFor();
	await open('#/calls');
	await main.getByText('No call yet.').waitFor();

	await open('#/snapshots');
	await press('Delete before the call');
	await main.getByText('None yet. Save one before you try something.').waitFor();
});

test('the reference shows both descriptions, and sends requests', async ({ inspector }) => {
	const { page, startSandbox } = inspector;
	const { control } = await startSandbox({});
	await page.goto(`${control}/reference`);
	await page.getByText('/user/campaigns/update-status').first().waitFor();
	await assertAccessible(page, OF_SWAGGER_UI);
	await page.getByRole('combobox').first().selectOption('The control API');
	await page.getByText('Tells the time of the sandbox.').click();
	await page.getByRole('button', { name: 'Execute' }).click();
	await page.getByText('"status": "ok"').waitFor();
	await page.getByRole('link', { name: '← Sandbox' }).click();
	await page.emulateMedia({ colorScheme: 'dark' });
	await page.getByRole('link', { name: 'API reference' }).click();
	await page.waitForURL(/\/reference\/$/);
	await page.getByText('/user/campaigns/update-status').first().waitFor();
	await assertAccessible(page, OF_SWAGGER_UI);
});
