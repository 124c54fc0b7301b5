import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { ANSWER_HEADER } from '../../../nodes/shared/answers/answer.ts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { flushEventLoop } from '../../support/eventLoop.mts';
import { TurnedClock } from '../../support/n8n/turnedClock.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { advanceClock } from '../../support/trigger/letTimePass.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

const CALLER = '+14155550101';
const ASSISTANT = '+14155550100';
const QUESTION = { customer_phone: CALLER, assistant_phone: ASSISTANT };
const FALLBACK = { customer_name: 'there' };
const fallbackVariables = {
	variable: Object.entries(FALLBACK).map(([name, value]) => ({ name, value })),
};
const JANE = { customer_name: 'Jane' };

/** The responses of the workflows that run, oldest first. */
let running: ServerResponse[];
beforeEach(() => {
	running = [];
	webhookServer.respond = (response) => void running.push(response);
});

/** What n8n does when *Call → Respond* of the last workflow answers. */
const answer = (variables: object) => {
	const response = running.at(-1);
	response?.setHeader(ANSWER_HEADER, 'true');
	response?.end(JSON.stringify(variables));
};

function workflow(parameters: INodeParameters = {}): EmulatedLifecycle {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	const all = onAssistant(1, 'inboundCallStarting', { fallbackVariables, ...parameters });
	return webhookServer.serve(new EmulatedLifecycle(new TriggerNode(instance, { parameters: all })));
}

const post = (url: string, body: unknown) =>
	sendRequest(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

/** A published workflow, and how the service asks it. */
async function published(parameters: INodeParameters = {}) {
	const lifecycle = workflow(parameters);
	await lifecycle.publish();
	const url = (await environment.webhookUrl('inboundCallStarting')) ?? '';
	const ask = async (body: unknown = QUESTION) => (await post(url, body)).body;
	/** Asks, and answers when the workflow has started, if it starts. */
	const askAndAnswer = async (variables: object, body: unknown = QUESTION) => {
		const before = running.length;
		const asked = ask(body);
		await flushEventLoop();
		if (running.length > before) answer(variables);
		return await asked;
	};
	return { lifecycle, node: lifecycle.node, url, ask, askAndAnswer };
}

describe('the question before an inbound call', () => {
	it('is registered at the inbound webhook, starts the workflow, and gets what it answers', async () => {
		const { askAndAnswer, url, lifecycle } = await published();
		expect(url).toMatch(/\/starting\/workflow-1\/[^/]+\?token=[0-9a-f]{64}$/);
		expect(await askAndAnswer(JANE)).toEqual(JANE);
		const item = {
			...{ event: 'inboundCallStarting', assistant_id: 1, ...QUESTION },
			answer_until: expect.any(String),
		};
		expect(webhookServer.items).toEqual([item]);
		await lifecycle.unpublish();
		expect(await environment.webhookUrl('inboundCallStarting')).toBeNull();
	});

	it('is answered when the event is an expression', async () => {
		const { askAndAnswer } = await published({ triggerOn: "={{ 'inboundCall' + 'Starting' }}" });
		expect(await askAndAnswer(JANE)).toEqual(JANE);
	});

	it.each<[string, (response: ServerResponse | undefined) => unknown]>([
		['ends without an answer', (response) => response?.end()],
		[
			'fails',
			(response) => {
				if (response) response.statusCode = 500;
				response?.end('{"message":"Error in workflow"}');
			},
		],
		['starts', (response) => response?.end('{"message":"Workflow was started"}')],
	])('gets the fallback when the workflow %s', async (_, end) => {
		const { url } = await published();
		const asked = post(url, QUESTION);
		await flushEventLoop();
		end(running.at(-1));
		expect(await asked).toMatchObject({ status: 200, body: FALLBACK });
	});

	it.each([
		[{}, 1800],
		[{ answerWithin: 0.5 }, 500],
		[{ answerWithin: 8 }, 8_000],
	])('gets the fallback in time: %j', async (parameters, expectedMs) => {
		const { ask } = await published(parameters);
		using clock = new TurnedClock();
		const asked = ask();
		await flushEventLoop();
		const waitedMs = await clock.advanceUntilSettled(asked);
		expect(await asked).toEqual(FALLBACK);
		expect(waitedMs).toBeGreaterThanOrEqual(expectedMs);
		expect(waitedMs).toBeLessThanOrEqual(expectedMs + 100);
	});

	it('gets {} where no fallback is entered', async () => {
		const { ask } = await published({ fallbackVariables: {} });
		const asked = ask();
		await flushEventLoop();
		running.at(-1)?.end();
		expect(await asked).toEqual({});
	});

	it('twice within seconds is one execution, and both get its answer', async () => {
		const { ask, askAndAnswer } = await published();
		const both = [ask(), ask()];
		await flushEventLoop();
		expect(running).toHaveLength(1);
		answer(JANE);
		expect(await Promise.all(both)).toEqual([JANE, JANE]);
		advanceClock(9_000);
		expect(await askAndAnswer({})).toEqual(JANE);
		advanceClock(1_000);
		expect(await askAndAnswer({})).toEqual({});
	});

	it.each([
		{ ...QUESTION, customer_phone: '+14155550102' },
		{ ...QUESTION, assistant_phone: '+14155550109' },
	])('of another caller or number is another one: %j', async (other) => {
		const { askAndAnswer } = await published();
		await askAndAnswer(JANE);
		expect(await askAndAnswer(FALLBACK, other)).toEqual(FALLBACK);
	});

	it.each([
		...[null, '', '0', '+0000000000', '123456'],
		...['anonymous', '266696687', '+266696687', 'sip:anonymous@10.0.0.1'],
	])("of somebody who hides the number is nobody else's: %j", async (customer_phone) => {
		const { askAndAnswer } = await published();
		const hidden = { ...QUESTION, customer_phone };
		await askAndAnswer(JANE, hidden);
		expect(await askAndAnswer(FALLBACK, hidden)).toEqual(FALLBACK);
		expect(webhookServer.items).toMatchObject([
			{ customer_phone: null, assistant_phone: ASSISTANT },
			{ customer_phone: null },
		]);
	});

	it.each([
		{ ...QUESTION, call_id: 7 },
		{ customer_phone: 'Jane', assistant_phone: ASSISTANT },
		{ from: CALLER },
		{ ...QUESTION, status: 'ringing', id: 7 },
		[QUESTION],
		{},
	])('of another form starts the workflow with all that came: %j', async (body) => {
		const { askAndAnswer } = await published();
		await askAndAnswer(JANE, body);
		expect(webhookServer.items).toMatchObject([{ event: 'inboundCallStarting', raw: body }]);
	});

	it('needs the token, and arrives at its own webhook only', async () => {
		const { url } = await published();
		expect((await post(url.replace(/token=./, 'token=x'), QUESTION)).status).toBe(401);
		expect((await post(url.replace('/starting', ''), QUESTION)).status).toBe(401);
		expect(webhookServer.executions).toEqual([]);
	});
});

it('a call that is over starts nothing, and the log and the next publish name Inbound Call Completed', async () => {
	const { lifecycle, node, url } = await published();
	const call = { id: 7, status: 'completed', duration: 31, customer_phone: CALLER };
	expect(await post(url, call)).toMatchObject({ status: 200, text: '{}' });
	expect(webhookServer.executions).toEqual([]);
	const line =
		"This provider reports inbound calls that are over and does not ask before them, so the workflow with 'Inbound Call Starting' does not start. Use 'Inbound Call Completed'.";
	expect(node.instance.warnings).toEqual([line]);
	await lifecycle.unpublish();
	await lifecycle.publish();
	expect(node.instance.warnings).toEqual([line, line]);
});

describe('both inbound events share the URL of the assistant: publishing one', () => {
	it.each([
		['inboundCallCompleted', 'inboundCallStarting', "('Inbound Call Completed')", 'Unpublish the'],
		[
			'inboundCallStarting',
			'inboundCallCompleted',
			"('Inbound Call Starting')",
			"'Call Completed'",
		],
	] as const)('is refused while %s has it', async (first, second, named, way) => {
		const instance = environment.instance();
		const holder = new TriggerNode(instance, {
			...{ workflowId: 'workflow-2', parameters: onAssistant(1, first) },
		});
		await new EmulatedLifecycle(holder).publish();
		const before = await environment.webhookUrl(first);
		const node = new TriggerNode(instance, { parameters: onAssistant(1, second) });
		const { message } = await environment.failure(() => node.hook('create'));
		expect(message).toContain(
			`the workflow 'Workflow under test' (/workflow/workflow-2) on this n8n ${named}. `,
		);
		expect(message).toContain(way);
		expect(await environment.webhookUrl(first)).toBe(before);
	});
});

it('another workflow with the same event is named without it', async () => {
	const instance = environment.instance();
	const parameters = onAssistant(1, 'inboundCallStarting');
	const holder = new TriggerNode(instance, { workflowId: 'workflow-2', parameters });
	await new EmulatedLifecycle(holder).publish();
	const { message } = await environment.failure(() =>
		new TriggerNode(instance, { parameters }).hook('create'),
	);
	expect(message).toContain(
		"the workflow 'Workflow under test' (/workflow/workflow-2) on this n8n. An assistant has",
	);
});

describe('a wrong field is named when the workflow is published', () => {
	it.each<[string, INodeParameters, string]>([
		[
			'a time that is too long',
			{ answerWithin: 11 },
			"'Answer Within (Seconds)' must be a number from 0.2 to 10. Correct the field.",
		],
		[
			'a variable without a name',
			{ fallbackVariables: { variable: [{ name: ' ', value: 'x' }] } },
			"'Fallback Variables → 1 → Name' is empty. Correct the field.",
		],
	])('%s', async (_, parameters, message) => {
		const { node } = workflow(parameters);
		expect(await environment.failure(() => node.hook('create'))).toMatchObject({
			message: notPublished(message),
			asked: [],
		});
	});
});
