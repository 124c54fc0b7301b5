import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { flushEventLoop } from '../../support/eventLoop.mts';
import { TurnedClock } from '../../support/n8n/turnedClock.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { advanceClock } from '../../support/trigger/letTimePass.mts';
import { failureMessage, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

const MINUTE_MS = 60_000;
const CALL = { id: 7, status: 'completed', duration: 31, transcript: 'Assistant: Hello.' };
const OTHER = { ...CALL, id: 8 };

/** A published workflow, and how a call is delivered to it. */
async function published(options: INodeParameters = {}, workflowId = 'workflow-1') {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	instance.infos = [];
	const parameters = onAssistant(1, 'callCompleted', { options });
	const lifecycle = new EmulatedLifecycle(new TriggerNode(instance, { parameters, workflowId }));
	webhookServer.serve(lifecycle);
	await lifecycle.publish();
	const url = (await environment.registration()).url ?? '';
	const deliver = async (body: unknown, signal?: AbortSignal) => {
		const { status } = await sendRequest(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal,
		});
		return status;
	};
	return { lifecycle, node: lifecycle.node, instance, url, deliver };
}

/** The IDs of the calls that started the workflow. */
const started = () => webhookServer.items.map(({ id }) => id);

/** Lets n8n wait before it starts the next execution, as when its database is slow. */
function holdNextExecution() {
	const { promise, resolve, reject } = Promise.withResolvers<undefined>();
	webhookServer.beforeStart = async () => {
		webhookServer.beforeStart = () => Promise.resolve();
		await promise;
	};
	return { start: () => resolve(undefined), fail: () => reject(new Error('The database is down')) };
}

describe('a delivery that says the same as an earlier one', () => {
	it('is answered with 200 and starts nothing for ten minutes after the first one, and n8n’s log says it', async () => {
		const { deliver, instance } = await published();
		await deliver(CALL);
		expect(await deliver(CALL)).toBe(200);
		advanceClock(9 * MINUTE_MS);
		expect(await deliver(CALL)).toBe(200);
		expect(started()).toEqual([7]);
		const line =
			"A delivery did not start the workflow, because an earlier one of the last ten minutes said the same of its call. If it should start the workflow again, switch on the option 'Start on Repeated Deliveries'. Its fields: id, status, duration, transcript.";
		expect(instance.infos).toEqual([line]);

		// The repetition has not prolonged the time: a person who sends it again need not count.
		advanceClock(MINUTE_MS);
		await deliver(CALL);
		expect(started()).toEqual([7, 7]);
		expect(await deliver(CALL)).toBe(200);
		expect(started()).toEqual([7, 7]);
	});

	it.each([
		['has a recording now', { ...CALL, recording_url: 'https://example.com/7.mp3' }],
		['has another status', { ...CALL, status: 'no-answer' }],
		['is about another call', OTHER],
		['has something that the trigger does not know', { ...CALL, attempt: 2 }],
	])('is not one that %s', async (_, body) => {
		const { deliver } = await published();
		await deliver(CALL);
		await deliver(body);
		expect(started()).toHaveLength(2);
	});

	it.each([
		{ status: 'busy', finished_at: '2026-03-02T09:30:00Z', customer_phone: '+4915112345611' },
		{ event: 'conversation.ended', conversation_id: 'c7' },
	])('starts the workflow where two could not be told apart: %j', async (body) => {
		const { deliver } = await published();
		await deliver(body);
		await deliver(body);
		expect(started()).toHaveLength(2);
	});

	it('starts nothing where only the ID is known', async () => {
		const { deliver } = await published();
		await deliver({ id: 7, foo: 1 });
		await deliver({ id: 7, foo: 1 });
		expect(webhookServer.items).toMatchObject([{ outcome: 'unknown', raw: { id: 7, foo: 1 } }]);
	});

	it.each([
		[true, [7, 7]],
		['={{ "TRUE" }}', [7, 7]],
		[false, [7]],
		['={{ "" }}', [7]],
	])(
		'starts the workflow with Start on Repeated Deliveries %j: %j',
		async (repeatedDeliveries, ids) => {
			const { deliver } = await published({ repeatedDeliveries });
			await deliver(CALL);
			await deliver(CALL);
			expect(started()).toEqual(ids);
		},
	);

	it('starts nothing after somebody wanted to listen for a test event', async () => {
		const { lifecycle, deliver } = await published();
		await deliver(CALL);
		expect(await failureMessage(lifecycle.listen())).toContain('This trigger is published');
		expect(await deliver(CALL)).toBe(200);
		expect(started()).toEqual([7]);
	});

	it('starts each workflow once', async () => {
		const first = await published();
		await first.deliver(CALL);
		await first.lifecycle.unpublish();
		const second = await published({}, 'workflow-2');
		await second.deliver(CALL);
		await second.deliver(CALL);
		expect(webhookServer.executions.map(({ node }) => node.settings.workflowId)).toEqual([
			'workflow-1',
			'workflow-2',
		]);
	});
});

describe('a delivery that repeats one without an answer yet', () => {
	it('starts nothing when the first one has started the workflow', async () => {
		const { deliver } = await published();
		const held = holdNextExecution();
		const statuses = [deliver(CALL), deliver(CALL)];
		await flushEventLoop();
		expect(started()).toEqual([]);
		held.start();
		expect(await Promise.all(statuses)).toEqual([200, 200]);
		expect(started()).toEqual([7]);
	});

	it('starts the workflow itself when n8n could not start it for the first one, and only one of several does', async () => {
		const { deliver } = await published();
		const held = holdNextExecution();
		const statuses = [deliver(CALL), deliver(CALL), deliver(CALL)];
		await flushEventLoop();
		expect(started()).toEqual([]);
		held.fail();
		expect(await Promise.all(statuses)).toEqual([500, 200, 200]);
		expect(started()).toEqual([7]);
		expect(await deliver(CALL)).toBe(200);
		expect(started()).toEqual([7]);
	});

	it('starts the workflow when half a minute brings no answer', async () => {
		const { deliver } = await published();
		const held = holdNextExecution();
		using clock = new TurnedClock();
		const first = deliver(CALL);
		await flushEventLoop();
		const second = deliver(CALL);
		const waitedMs = await clock.advanceUntilSettled(second);
		expect(Math.round(waitedMs / 1_000)).toBe(30);
		expect(started()).toEqual([7]);
		held.fail();
		expect(await first).toBe(500);
		await deliver(CALL);
		expect(started()).toEqual([7]);
	});

	it('starts nothing when the service has closed the connection of the first one, which n8n started', async () => {
		const { deliver } = await published();
		const held = holdNextExecution();
		const service = new AbortController();
		const closed = deliver(CALL, service.signal).catch(() => 'closed');
		await flushEventLoop();
		service.abort();
		expect(await closed).toBe('closed');
		await flushEventLoop();
		held.start();
		expect(await deliver(CALL)).toBe(200);
		expect(started()).toEqual([7]);
	});
});

describe('after a change, the same delivery starts the workflow', () => {
	it('of the trigger: n8n publishes it again', async () => {
		const { lifecycle, node, deliver } = await published();
		await deliver(CALL);
		await lifecycle.unpublish();
		await lifecycle.publish();
		await deliver(CALL);
		expect(started()).toEqual([7, 7]);
		node.settings.parameters = onAssistant(1, 'callCompleted', { leaveOut: [] });
		await lifecycle.publish();
		await deliver(CALL);
		expect(started()).toEqual([7, 7, 7]);
	});

	it('of another node, for which n8n 2.41 calls no hook', async () => {
		const { node, deliver } = await published();
		await deliver(CALL);
		node.settings.nextParameters = { resource: 'sms' };
		await deliver(CALL);
		await deliver(CALL);
		expect(started()).toEqual([7, 7]);
	});
});

it('a test event is neither left out nor remembered', async () => {
	const { lifecycle, node, url, deliver } = await published();
	const testUrl = (await node.url('test')) + new URL(url).search;
	const test = async (call: object) => {
		lifecycle.testData = structuredClone(lifecycle.staticData);
		await sendRequest(testUrl, { method: 'POST', body: JSON.stringify(call) });
	};
	await deliver(CALL);
	await test(CALL);
	expect(started()).toEqual([7, 7]);
	await test(OTHER);
	await deliver(OTHER);
	expect(started()).toEqual([7, 7, 8, 8]);
});
