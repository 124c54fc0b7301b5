import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { TRIGGER } from '../../../host/n8n/names.mts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { flushEventLoop } from '../../support/eventLoop.mts';
import { startTestEnvironment } from '../../support/n8n/testEnvironment.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { advanceClock } from '../../support/trigger/letTimePass.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();
const { n8n } = await startTestEnvironment();

const fallback = { customer_name: 'there' };
const fallbackVariables = { variable: [{ name: 'customer_name', value: 'there' }] };
const UNANSWERED = Symbol('unanswered');

let running: ServerResponse[];
let answers: Array<Promise<unknown>>;
let callers = 0;
beforeEach(() => {
	running = [];
	answers = [];
	webhookServer.respond = (response) => void running.push(response);
	// Runs that have not begun, and how late others began, are forgotten after a minute.
	advanceClock(61_000);
});

afterEach(async () => {
	for (const response of running) response.end();
	await Promise.all(answers);
});

/** A published trigger, and a way to ask it about another caller each time. */
async function asked(options: INodeParameters = {}) {
	const parameters = onAssistant(1, 'inboundCallStarting', {
		...{ answerWithin: 10, fallbackVariables, options },
	});
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	await webhookServer
		.serve(new EmulatedLifecycle(new TriggerNode(instance, { parameters })))
		.publish();
	const url = (await environment.webhookUrl('inboundCallStarting')) ?? '';
	/** @returns the answer, if it comes before n8n does anything */
	const ask = async () => {
		const customer_phone = `+14155550${200 + callers++}`;
		const body = JSON.stringify({ customer_phone, assistant_phone: null });
		const headers = { 'content-type': 'application/json' };
		const before = running.length;
		const answer = sendRequest(url, { method: 'POST', headers, body }).then((each) => each.body);
		answers.push(answer);
		await flushEventLoop();
		return running.length > before ? UNANSWERED : await answer;
	};
	/** n8n begins the run of a question. */
	const begin = async (item: INodeExecutionData | undefined) => {
		const wholeItems = item ? [item] : [];
		const run = { type: TRIGGER, parameters, wholeItems, mode: 'webhook' as const };
		expect((await n8n.runNode(run)).error).toBeUndefined();
	};
	return { ask, begin };
}

const lastItem = () => webhookServer.executions.at(-1)?.items[0];

const askOften = async (ask: () => Promise<unknown>, count: number) => {
	const answers = [];
	for (let index = 0; index < count; index++) answers.push(await ask());
	return answers;
};

/** Nobody waits longer than 10 s, and n8n needs this time for each run: a sixth one would begin too late. */
const RUN_MS = 1_100;
const BEGUN_IN_TIME = 5;

/** A trigger whose last run began after a time. */
async function askedOnSlowN8n(options: INodeParameters = {}) {
	const trigger = await asked(options);
	await trigger.ask();
	advanceClock(RUN_MS);
	await trigger.begin(lastItem());
	return trigger;
}

describe('the question before an inbound call, while earlier runs wait for n8n', () => {
	it('starts the workflow where runs begin in another process', async () => {
		const { ask } = await asked();
		expect(new Set(await askOften(ask, 30))).toEqual(new Set([UNANSWERED]));
	});

	it('gets the fallback at once when it would begin late, until the others have begun', async () => {
		const { ask, begin } = await askedOnSlowN8n();
		expect(await askOften(ask, BEGUN_IN_TIME)).toEqual(Array(BEGUN_IN_TIME).fill(UNANSWERED));
		expect(await ask()).toEqual(fallback);
		for (const { items } of webhookServer.executions.slice(-BEGUN_IN_TIME)) await begin(items[0]);
		expect(await ask()).toEqual(UNANSWERED);
	});

	it('starts the workflow again when n8n has ended the others before they began', async () => {
		const { ask } = await askedOnSlowN8n();
		expect((await askOften(ask, BEGUN_IN_TIME + 1)).at(-1)).toEqual(fallback);
		for (const response of running) response.end();
		expect(await ask()).toEqual(UNANSWERED);
	});

	it('starts the workflow again a minute after n8n has given the others up', async () => {
		const { ask } = await askedOnSlowN8n();
		expect((await askOften(ask, BEGUN_IN_TIME + 1)).at(-1)).toEqual(fallback);
		advanceClock(60_000);
		expect(await ask()).toEqual(UNANSWERED);
	});

	it('starts each time where Start When Late is on', async () => {
		const { ask } = await askedOnSlowN8n({ startWhenLate: true });
		expect(new Set(await askOften(ask, 30))).toEqual(new Set([UNANSWERED]));
	});
});
