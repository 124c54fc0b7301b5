import { expect } from '@playwright/test';

import { asObject } from '../support/contract.mts';
import { schemaField } from '../support/seed.mts';
import { JSON_TYPE, test } from './inspectorPage.mts';

/** What the browser logs about a refused request. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;
const NUMBER = '+14155550177';

test('Call now: a call with a tool, live to its end, with all of it', async ({ inspector }) => {
	const { page, main, dialog, sandbox, receiver, open, press, pressClock, choose } = inspector;
	receiver.respond(200, '{"answer":"Ten is free."}', JSON_TYPE);
	await open('#/calls');
	await press('Call now');
	await choose('Assistant', '2');
	await dialog.getByRole('radio', { name: 'The person calls the assistant' }).check();
	await dialog.getByRole('textbox', { name: 'Phone number' }).fill(NUMBER);
	await choose('How the call goes', 'tool-call');
	await press('Call now', dialog);
	await page.waitForURL(/#\/calls\/\d+$/);
	const status = main.getByRole('heading', { level: 1 }).locator('.badge');
	await status.getByText('initiated').waitFor();
	await pressClock('+10 s');
	await status.getByText('in progress').waitFor();
	await pressClock('Until nothing is due');
	await status.getByText('completed').waitFor();

	const conversation = main.locator('.conversation');
	await conversation.locator('.assistant').first().waitFor();
	await conversation.locator('.customer').first().waitFor();
	await conversation.locator('.aside', { hasText: /check_calendar .* 200 \d+\sms/ }).waitFor();
	await expect(conversation.getByText('The tool answered')).toHaveCount(0);
	await main.locator('dt', { hasText: 'appointment_made' }).waitFor();
	await main.getByText('goal_reached').waitFor();
	const outcome = main
		.getByRole('heading', { name: 'Outcome' })
		.locator('..')
		.getByRole('definition');
	await expect(outcome).toContainText([
		'completed',
		'1 min',
		'Post-call webhook delivered',
		'0.15',
	]);
	const webhook = main.locator('.delivery', { hasText: 'Post-call webhook' });
	await webhook.getByText('The receiver answered 200.').waitFor();
	const recording = await main.getByLabel('Recording').getAttribute('src');
	expect((await fetch(new URL(recording ?? '', sandbox.url))).status).toBe(200);
});

test('an assistant without a tool says so: in the form, the call and the timeline', async ({
	inspector,
}) => {
	const { main, dialog, open, press, pressClock, choose } = inspector;
	const advice = /Publish a workflow with a Mid Call Tool Trigger/;
	await open('#/calls');
	await press('Call now');
	await choose('Assistant', '2');
	await choose('How the call goes', 'tool-call');
	await dialog.getByRole('group', { name: 'Tool that the assistant calls' }).waitFor();
	await expect(dialog.getByText(advice)).toHaveCount(0);
	await choose('Assistant', '1');
	await dialog.getByText(advice).waitFor();
	await expect(dialog.getByRole('combobox', { name: 'Tool' })).toHaveCount(0);
	await press('Call now', dialog);
	await dialog.waitFor({ state: 'detached' });
	await pressClock('Until nothing is due');
	const notice = main.locator('.notice', { hasText: advice });
	await expect(notice).toContainText('assistant 1 “Appointment caller” has no tool');
	await open('#/timeline?show=tools');
	await main.getByText(advice).waitFor();
});

test('Call now: the tool and its arguments, which Call again has too', async ({ inspector }) => {
	const { main, dialog, receiver, service, open, press, pressClock, choose } = inspector;
	const group = dialog.getByRole('group', { name: 'Tool that the assistant calls' });
	const { body } = await service.post('/user/tools', {
		name: 'book',
		description: 'Use it to book.',
		endpoint: `${receiver.url}/book`,
		method: 'POST',
		schema: [
			schemaField('day', 'string', 'The day'),
			schemaField('hour', 'number', 'The hour'),
			schemaField('new', 'boolean', 'Whether the customer is new'),
		],
	});
	const { id } = asObject(asObject(body, 'answer').data, 'tool');
	await service.put('/user/assistant/2', { tool_ids: [1, id] });
	await open('#/calls');
	await press('Call now');
	await choose('Assistant', '2');
	await choose('How the call goes', 'tool-call');
	await expect(group.getByRole('combobox', { name: 'Tool' })).toHaveValue('check_calendar');
	await choose('Tool', 'book');
	await group.getByRole('spinbutton', { name: 'hour' }).fill('9');
	await choose('new', 'false');
	await press('Call now', dialog);
	await dialog.waitFor({ state: 'detached' });
	await pressClock('Until nothing is due');
	await main.getByText('completed').first().waitFor();
	const sent = receiver.arrivals.find(({ path }) => path === '/book');
	expect(sent?.body).toEqual({ hour: 9, new: false });

	await press('Call again', main);
	await expect(group.getByRole('combobox', { name: 'Tool' })).toHaveValue('book');
	await expect(group.getByRole('spinbutton', { name: 'hour' })).toHaveValue('9');
	await choose('How the call goes', 'busy');
	await group.waitFor({ state: 'detached' });
});

test('Call now stays in front while the page behind it changes', async ({ inspector }) => {
	const { page, main, control, open, press } = inspector;
	await open('#/calls');
	await press('Call now');
	await control.inbound({ assistant_id: 2, from: NUMBER });
	await main.getByText(NUMBER).first().waitFor();
	await expect(page.locator('dialog:modal')).toBeVisible();
});

test('Call now: what the assistant finds out, which Call again has too', async ({ inspector }) => {
	const { main, dialog, control, open, press, pressClock, choose } = inspector;
	const field = (name: string) => dialog.getByRole('combobox', { name });
	const interest = dialog.getByRole('spinbutton', { name: 'interest' });
	const { id } = await control.inbound({ assistant_id: 2, from: NUMBER, scenario: 'tool-call' });
	await open('#/calls');
	await press('Call now');
	await choose('Assistant', '1');
	await choose('appointment_made', 'false');
	await interest.fill('7');
	await press('Call now', dialog);
	await dialog.waitFor({ state: 'detached' });
	await pressClock('Until nothing is due');
	const found = main.locator('.facts div');
	await found.filter({ hasText: 'interest' }).getByText('7', { exact: true }).waitFor();
	await found.filter({ hasText: 'appointment_made' }).getByText('false').waitFor();

	await press('Call again', main);
	await expect(field('appointment_made')).toHaveValue('false');
	await expect(interest).toHaveValue('7');
	await press('Cancel', dialog);
	await open(`#/calls/${id}`);
	await main.locator('dd', { hasText: 'with its tool (tool-call)' }).waitFor();
	await main.getByText('those of your provider').waitFor();
	await press('Call again', main);
	await dialog.getByRole('radio', { name: 'inbound', checked: true }).waitFor();
	await expect(field('How the call goes')).toHaveValue('tool-call');
});

test('Call now has the last assistant, a lead’s number, and a refusal', async ({ inspector }) => {
	const { dialog, control, open, press, choose, expectedErrors } = inspector;
	expectedErrors.push(REFUSED);
	await open('#/timeline');
	for (const assistant of ['2', '1']) {
		await press('Call now');
		const last = assistant === '2' ? '1' : '2';
		await expect(dialog.getByRole('combobox', { name: 'Assistant' })).toHaveValue(last);
		await choose('Assistant', assistant);
		await press('Call now', dialog);
		await dialog.waitFor({ state: 'detached' });
	}
	await press('Call now');
	const lead = await control.request('GET', '/records/leads/1');
	const number = String(asObject(lead.body, 'lead').phone_number);
	const field = dialog.getByRole('textbox', { name: 'Phone number' });
	await choose('Lead', '1');
	await expect(field).toHaveValue(number);
	await field.fill('12');
	// It is no longer the number of the lead.
	await expect(dialog.getByRole('combobox', { name: 'Lead' })).toHaveValue('');
	await press('Call now', dialog);
	await dialog.getByRole('alert').getByText('is no phone number').waitFor();
});

test('Call now proposes direction and number of the assistant, until others are chosen', async ({
	inspector,
}) => {
	const { dialog, open, press, choose } = inspector;
	const number = dialog.getByRole('textbox', { name: 'Phone number' });
	const radio = (name: string) => dialog.getByRole('radio', { name });
	await open('#/assistants');
	await press('Call now: Reception');
	await expect(radio('inbound')).toBeChecked();
	await expect(number).toHaveValue('+14155550172');
	await choose('Assistant', '1');
	await expect(radio('outbound')).toBeChecked();
	await expect(number).toHaveValue('+14155550171');
	await radio('inbound').check();
	await number.fill(NUMBER);
	await choose('Assistant', '2');
	await choose('Assistant', '1');
	await dialog.getByText('Interest, from 1 to 10').waitFor();
	await expect(number).toHaveValue(NUMBER);
	await press('Cancel', dialog);
	await open('#/leads/1');
	await press('Call now');
	await expect(radio('outbound')).toBeChecked();
});

test('what the assistant itself has is told from what is known of the person', async ({
	inspector,
}) => {
	const { main, control, service, open } = inspector;
	await service.put('/user/assistant/1', { variables: { customer_name: 'there', city: 'Bern' } });
	const variables = { customer_name: 'Eva Brandt' };
	await service.post('/user/lead', { campaign_id: 1, phone_number: '+14155550105', variables });
	await control.outbound({ assistant_id: 1, to: NUMBER });
	const own = main.locator('dd', { hasText: 'own value' });
	await open('#/calls/1');
	await expect(own).toHaveText([/^there \(/, /^Bern \(/]);
	await open('#/leads/5');
	await main.locator('dd', { hasText: /^Eva Brandt$/ }).waitFor();
	await expect(own).toHaveText([/^Bern \(/]);
});

test('calls are filtered by direction and number', async ({ inspector }) => {
	const { page, main, control, open } = inspector;
	await control.inbound({ assistant_id: 2, from: NUMBER });
	await control.outbound({ assistant_id: 1, to: '+14155550123' });
	const caller = main.getByText(`from ${NUMBER}`);
	const direction = main.getByRole('combobox', { name: 'Direction' });
	const link = main.getByRole('link', { name: /^Call \d+$/ });
	await open('#/calls');
	await caller.waitFor();
	for (const role of ['columnheader', 'cell'] as const) {
		await expect(main.getByRole(role).last()).toHaveCSS('text-align', 'right');
	}
	await direction.selectOption('outbound');
	await caller.waitFor({ state: 'detached' });
	await direction.selectOption('inbound');
	await main.getByRole('searchbox', { name: 'Search' }).fill('0177');
	await expect(link).toHaveCount(1);
	await link.click();
	await page.waitForURL(/#\/calls\/\d+$/);
});

test('a call that the assistant leaves out says why it has no webhook', async ({ inspector }) => {
	const { main, control, service, open } = inspector;
	await service.put('/user/assistant/1', { send_webhook_only_on_completed: false });
	await open('#/assistants/1');
	await main.getByRole('heading', { name: 'After each call active' }).waitFor();
	await service.put('/user/assistant/1', { send_webhook_only_on_completed: true });
	const to = '+14155550102';
	const { id } = await control.outbound({ assistant_id: 1, to, scenario: 'no-answer' });
	await control.advance('PT5M');
	await main.getByRole('heading', { name: 'After each completed call active' }).waitFor();
	await open(`#/calls/${id}`);
	await main.getByText('not completed (send_webhook_only_on_completed).').first().waitFor();
});
