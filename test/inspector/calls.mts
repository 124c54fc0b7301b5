import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import { asObject } from '../support/sandbox/contract.mts';
import type { Fixture } from './fixture.mts';
import type { InspectorPage } from './inspectorPage.mts';
import { REFUSED } from './timeline.mts';

/** Somebody calls an assistant, and reads what was said. */
export async function calls(
	{ check }: Checks,
	{ sandbox, control, receiver }: Fixture,
	inspector: InspectorPage,
): Promise<void> {
	const { page, main, open, assertQuiet } = inspector;
	const dialog = page.getByRole('dialog');

	await check('Call now: a call with a tool, live to its end', async () => {
		receiver.respondWith((_arrival, response) => {
			response
				.writeHead(200, { 'content-type': 'application/json' })
				.end('{"answer":"Ten is free."}');
		});
		await open(sandbox.control, '#/calls');
		await page.getByRole('button', { name: 'Call now' }).first().click();
		await dialog.getByRole('combobox', { name: 'Assistant' }).selectOption('2');
		await dialog.getByRole('radio', { name: 'The person calls the assistant' }).check();
		await dialog.getByRole('textbox', { name: 'Phone number' }).fill('+14155550177');
		await dialog.getByRole('combobox', { name: 'How the call goes' }).selectOption('tool-call');
		await dialog.getByRole('button', { name: 'Call now' }).click();
		await page.waitForURL(/#\/calls\/\d+$/);
		const status = main.getByRole('heading', { level: 1 }).locator('.badge');
		await status.getByText('initiated').waitFor();
		await page.getByRole('button', { name: '+10 s' }).click();
		await status.getByText('in-progress').waitFor();
		await page.getByRole('button', { name: 'Until nothing is due' }).click();
		await status.getByText('completed').waitFor();
		assertQuiet();
	});

	await check('a call shows the conversation, the tool, values, costs and webhooks', async () => {
		const conversation = main.locator('.conversation');
		await conversation.locator('.assistant').first().waitFor();
		await conversation.locator('.customer').first().waitFor();
		await conversation.locator('.aside', { hasText: 'check_calendar' }).first().waitFor();
		await main.locator('dt', { hasText: 'appointment_made' }).waitFor();
		await main.getByText('goal_reached').waitFor();
		const webhook = main.locator('.delivery', { hasText: 'Post-call webhook' });
		await webhook.getByText('The receiver answered 200.').waitFor();
		const recording = await main.getByLabel('Recording').getAttribute('src');
		assert.equal((await fetch(new URL(recording ?? '', sandbox.url))).status, 200);
		assertQuiet();
	});

	await check('Call now: with what the assistant finds out', async () => {
		await page.getByRole('button', { name: 'Call now' }).first().click();
		await dialog.getByRole('combobox', { name: 'Assistant' }).selectOption('1');
		await dialog.getByRole('combobox', { name: 'appointment_made' }).selectOption('false');
		await dialog.getByRole('spinbutton', { name: 'interest' }).fill('7');
		await dialog.getByRole('button', { name: 'Call now' }).click();
		await dialog.waitFor({ state: 'detached' });
		await page.getByRole('button', { name: 'Until nothing is due' }).click();
		const found = main.locator('.facts div', { hasText: 'interest' });
		await found.getByText('7', { exact: true }).waitFor();
		await main.locator('.facts div', { hasText: 'appointment_made' }).getByText('false').waitFor();
		assertQuiet();
	});

	await check('Call again has the number and the values of the call', async () => {
		await main.getByRole('button', { name: 'Call again' }).click();
		const answer = dialog.getByRole('combobox', { name: 'appointment_made' });
		assert.equal(await answer.inputValue(), 'false');
		assert.equal(await dialog.getByRole('spinbutton', { name: 'interest' }).inputValue(), '7');
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		await open(sandbox.control, '#/calls/1');
		await main.getByRole('button', { name: 'Call again' }).click();
		await dialog.getByRole('radio', { name: 'inbound', checked: true }).waitFor();
		const scenario = dialog.getByRole('combobox', { name: 'How the call goes' });
		assert.equal(await scenario.inputValue(), 'tool-call');
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		assertQuiet();
	});

	await check(
		'Call now has the assistant that was used last, and the number of a lead',
		async () => {
			await open(sandbox.control, '#/timeline');
			for (const assistant of ['2', '1']) {
				await page.getByRole('button', { name: 'Call now' }).first().click();
				const list = dialog.getByRole('combobox', { name: 'Assistant' });
				assert.equal(await list.inputValue(), assistant === '2' ? '1' : '2');
				await list.selectOption(assistant);
				await dialog.getByRole('button', { name: 'Call now' }).click();
				await dialog.waitFor({ state: 'detached' });
			}
			await page.getByRole('button', { name: 'Call now' }).first().click();
			const lead = await control.request('GET', '/records/leads/1');
			const { phone_number: number } = asObject(lead.body, 'lead');
			await dialog.getByRole('spinbutton', { name: /^ID of the lead/ }).fill('1');
			await dialog.getByRole('textbox', { name: 'Phone number' }).focus();
			await page
				.getByRole('status')
				.getByText(`Lead 1 has the number ${String(number)}.`)
				.waitFor();
			const shown = await dialog.getByRole('textbox', { name: 'Phone number' }).inputValue();
			assert.equal(shown, number);
			await dialog.getByRole('button', { name: 'Cancel' }).click();
			assertQuiet();
		},
	);

	await check('a number that cannot be called is refused in the dialog', async () => {
		await page.getByRole('button', { name: 'Call now' }).first().click();
		await dialog.getByRole('textbox', { name: 'Phone number' }).fill('12');
		await dialog.getByRole('button', { name: 'Call now' }).click();
		await dialog.getByRole('alert').getByText('is no phone number').waitFor();
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		assertQuiet(REFUSED);
	});

	await check('calls are filtered by direction and number', async () => {
		await open(sandbox.control, '#/calls');
		await main.getByText('from +14155550177').waitFor();
		await main.getByRole('combobox', { name: 'Direction' }).selectOption('outbound');
		await main.getByText('from +14155550177').waitFor({ state: 'detached' });
		await main.getByRole('combobox', { name: 'Direction' }).selectOption('inbound');
		await main.getByRole('searchbox', { name: 'Search' }).fill('0177');
		await main
			.getByRole('link', { name: /^Call \d+$/ })
			.first()
			.click();
		await page.waitForURL(/#\/calls\/\d+$/);
		assertQuiet();
	});
}
