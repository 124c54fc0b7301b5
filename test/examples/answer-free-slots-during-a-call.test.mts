import { afterAll, afterEach, expect, it } from '@jest/globals';
import { MID_CALL_TOOL_TRIGGER } from '../../host/n8n/names.mts';
import { Lifecycle } from '../support/trigger/lifecycle.mts';
import { TriggerNode } from '../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../support/trigger/webhookServer.mts';
import { nodeOf, readExample } from './example.mts';
import { runExample, startExampleEnvironment } from './testEnvironment.mts';

const environment = await startExampleEnvironment();
const { n8n, control } = environment;
const webhookServer = await startWebhookServer();
afterEach(() => environment.reset());
afterAll(() => environment.close());

const example = readExample('answer-free-slots-during-a-call.json');
const { name, parameters } = nodeOf(example, MID_CALL_TOOL_TRIGGER);
const calendar = nodeOf(example, 'n8n-nodes-base.set');
const PHONE = '+4915112345611';

/**
 * Publishes the workflow. Then assistant 1 asks for the slots of a day while it talks to somebody.
 *
 * @returns the request to the tool, the call, and the run of the workflow
 */
async function callWith(day: string, workflow = example) {
	const instance = { id: 'instance-1', n8n, webhookUrl: webhookServer.url, warnings: [] };
	const type = MID_CALL_TOOL_TRIGGER;
	const trigger = new Lifecycle(new TriggerNode(instance, { type, nodeName: name, parameters }));
	webhookServer.serve(trigger);
	await trigger.publish();
	const runs: Array<ReturnType<typeof runExample>> = [];
	webhookServer.runWorkflow = async (items, respond) => {
		const run = runExample(n8n, workflow, name, items, respond);
		runs.push(run);
		await run;
	};

	const tool = { name: 'get_free_slots', arguments: { day } };
	await control.outbound({ assistant_id: 1, to: PHONE, tool });
	await control.advance('PT5M');
	const [request] = await control.toolRequests();
	const call = (await control.calls()).at(-1);
	const [run, ...others] = runs;
	if (!run || others.length > 0) throw new Error('The workflow did not run exactly once');
	return { request, call, run };
}

it.each([
	['2026-03-09', 'On Monday, March 9, these times are free: 9:00 and 14:00. Which one suits you?'],
	[
		'2026-03-14',
		'On Saturday, March 14, these times are free: 10:00 and 11:30. Which one suits you?',
	],
])('offers the slots of %s', async (day, answer) => {
	const { request, call, run } = await callWith(day);
	expect(request).toMatchObject({
		state: 'answered',
		status: 200,
		answer: JSON.stringify({ answer }),
	});
	expect(call).toMatchObject({
		status: 'completed',
		transcript: expect.stringContaining(`\nAssistant: ${answer}\n`),
	});
	expect(await run).not.toHaveProperty(['Ask for another day']);
});

it.each(['2026-03-15', 'tomorrow', '2026-02-30', '__proto__'])(
	'asks for another day when nothing is free on %s',
	async (day) => {
		const { call, run } = await callWith(day);
		expect(call?.transcript).toContain(
			'\nAssistant: Nothing is free on that day. Which other day suits you, from Monday to Saturday?\n',
		);
		expect(await run).not.toHaveProperty(['Offer the slots']);
	},
);

it('goes on after the answer, and notes the request', async () => {
	const { run } = await callWith('2026-03-09');
	expect((await run)['Note the request']?.map(({ json }) => json)).toEqual([
		{
			wanted_day: '2026-03-09',
			offered_slots: '9:00 and 14:00',
			asked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
		},
	]);
});

it('says the fallback answer when the calendar cannot be read', async () => {
	const parameters = { ...calendar.parameters, assignments: '={{ $("A node that is missing") }}' };
	const nodes = example.nodes.map((node) => (node === calendar ? { ...node, parameters } : node));
	const { call, run } = await callWith('2026-03-09', { ...example, nodes });
	await expect(run).rejects.toHaveProperty('message', "Referenced node doesn't exist");
	expect(call?.transcript).toContain(
		'\nAssistant: I cannot see the calendar at the moment. We will call you back with a free time.\n',
	);
});
