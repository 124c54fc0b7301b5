import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { MID_CALL_TOOL_TRIGGER } from '../../host/n8n/names.mts';
import { holdTime, useRealTime } from '../support/n8n/time.mts';
import { Lifecycle } from '../support/trigger/lifecycle.mts';
import { TriggerNode } from '../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../support/trigger/webhookServer.mts';
import { nodeOf, readExample } from './example.mts';
import { runExample, startExampleEnvironment } from './testEnvironment.mts';

const environment = await startExampleEnvironment();
const { n8n, control } = environment;
const webhookServer = await startWebhookServer();
// The limit of an answer is a sleep, which would outlast the tests.
beforeEach(holdTime);
afterEach(useRealTime);
afterEach(() => environment.reset());
afterAll(() => environment.close());

const example = readExample('answer-free-slots-during-a-call.json');
const { name, parameters } = nodeOf(example, MID_CALL_TOOL_TRIGGER);
const PHONE = '+4915112345611';

/** Publishes the trigger. The workflow runs for each request of the assistant. */
async function publish() {
	const instance = { id: 'instance-1', n8n, webhookUrl: webhookServer.url };
	const type = MID_CALL_TOOL_TRIGGER;
	const trigger = new Lifecycle(new TriggerNode(instance, { type, nodeName: name, parameters }));
	webhookServer.serve(trigger);
	await trigger.publish();
}

/** Assistant 1 asks for the slots of a day while it talks to somebody. */
async function callWith(day: string) {
	const runs: Array<ReturnType<typeof runExample>> = [];
	webhookServer.runWorkflow = async (items, respond) => {
		const run = runExample(n8n, example, name, items, respond);
		runs.push(run);
		await run;
	};
	const tool = { name: 'get_free_slots', arguments: { day } };
	await control.outbound({ assistant_id: 1, to: PHONE, tool });
	await control.advance('PT5M');
	const [request, ...others] = await control.toolRequests();
	const [call] = (await control.calls()).slice(-1);
	if (!request || others.length > 0) throw new Error('There was not exactly one tool request');
	return { request, call, output: await runs[0] };
}

it.each([
	['2026-03-09', 'On Monday, March 9, these times are free: 9:00 and 14:00. Which one suits you?'],
	[
		'2026-03-14',
		'On Saturday, March 14, these times are free: 10:00 and 11:30. Which one suits you?',
	],
])('offers the slots of %s', async (day, answer) => {
	await publish();
	const { request, call, output } = await callWith(day);
	expect(request).toMatchObject({ state: 'answered', status: 200, answer: said(answer) });
	expect(call).toMatchObject({
		status: 'completed',
		transcript: expect.stringContaining(`\nAssistant: ${answer}\n`),
	});
	expect(output).not.toHaveProperty(['Ask for another day']);
});

it.each(['2026-03-15', 'tomorrow', '2026-02-30', '__proto__'])(
	'asks for another day when nothing is free on %s',
	async (day) => {
		await publish();
		const { call, output } = await callWith(day);
		expect(call?.transcript).toContain(
			'\nAssistant: Nothing is free on that day. Which other day suits you, from Monday to Saturday?\n',
		);
		expect(output).not.toHaveProperty(['Offer the slots']);
	},
);

it('goes on after the answer, and notes the request', async () => {
	await publish();
	const { output } = await callWith('2026-03-09');
	expect(output?.['Note the request']?.map(({ json }) => json)).toEqual([
		{
			wanted_day: '2026-03-09',
			offered_slots: '9:00 and 14:00',
			asked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
		},
	]);
});

const said = (answer: string) => JSON.stringify({ answer });
