import assert from 'node:assert/strict';

import type { Workflow } from '../../host/api/workflow.mts';
import { waitFor } from '../../host/process/wait.mts';
import { A_CALL, assistantRecord } from '../../sandbox/test/support/calls.mts';
import { sendRequest } from '../../sandbox/test/support/client.mts';
import type { Checks } from '../support/checks.mts';
import {
	action,
	CALL,
	ONCE_A_YEAR,
	pollTrigger,
	trigger,
	workflow,
} from '../support/workflows.mts';
import { ASSISTANT, SMS_NUMBER, type QueueEnvironment } from './environment.mts';

/** Calls that end at the same moment. */
const AT_ONCE = 50;
const LIMIT_MS = 3 * 60_000;

/** Sends an SMS with the id of each call. */
export const smsForCall = (name: string, { credential }: QueueEnvironment) =>
	action(
		name,
		{
			...{ resource: 'sms', operation: 'send' },
			phoneNumberId: { __rl: true, mode: 'id', value: String(SMS_NUMBER) },
			to: '={{ $json.client_phone_number }}',
			body: '=Call {{ $json.id }}',
		},
		credential,
	);

/** A workflow that sends an SMS for each call. */
const smsForCalls = (environment: QueueEnvironment, first: Workflow['nodes'][number]): Workflow =>
	workflow(
		'Send SMS for calls',
		[first, smsForCall('Send SMS', environment)],
		[[CALL, 'Send SMS']],
	);

/** The calls for which an SMS was sent, one for each SMS. */
export const callsWithSms = async ({ service }: QueueEnvironment): Promise<number[]> =>
	(await service.control.messages())
		.map(({ body }) => Number(body.replace('Call ', '')))
		.sort((a, b) => a - b);

/** Makes calls that end at the same moment. @returns their ids */
export async function call({ service }: QueueEnvironment, count: number): Promise<number[]> {
	const ids: number[] = [];
	for (let made = 0; made < count; made += 1) {
		const to = '+4915112345690';
		ids.push((await service.control.outbound({ assistant_id: ASSISTANT, to })).id);
	}
	await service.control.advance(A_CALL);
	return ids;
}

/** Waits until so many SMS were sent. @returns their calls */
export const untilSms = async (environment: QueueEnvironment, count: number): Promise<number[]> =>
	await waitFor(`${count} SMS`, LIMIT_MS, async () => {
		const calls = await callsWithSms(environment);
		return calls.length >= count ? calls : undefined;
	});

/** The webhook process takes deliveries, and workers run them. */
export async function deliveries(
	{ check, require }: Checks,
	environment: QueueEnvironment,
): Promise<void> {
	const { editor, main, webhookUrl, workers, service, client, credential } = environment;
	const webhook = async () => {
		const assistant = await assistantRecord(client, ASSISTANT);
		return { url: assistant.webhook_url, isActive: assistant.is_webhook_active };
	};
	const { id } = await editor.createWorkflow(
		smsForCalls(environment, trigger('callCompleted', ASSISTANT, credential)),
	);
	await require('the published trigger registers a URL of the webhook process', async () => {
		await editor.publish(id);
		const { url, isActive } = await webhook();
		assert.ok(isActive === true && typeof url === 'string');
		assert.ok(url.startsWith(`${webhookUrl}/webhook/`), url);
		const urlAtMain = url.replace(webhookUrl, main.url);
		const { status } = await sendRequest(urlAtMain, { method: 'POST' });
		assert.equal(status, 404, 'Main accepts deliveries, too.');
	});

	await check(
		`${AT_ONCE} calls end at once: each delivery is accepted, and runs once`,
		async () => {
			const calls = await call(environment, AT_ONCE);
			assert.deepEqual(await untilSms(environment, AT_ONCE), calls);
			const all = await service.control.deliveries();
			assert.deepEqual([...new Set(all.map(({ state }) => state))], ['delivered']);
			const states = await editor.executionStates(id);
			assert.equal(states.size, AT_ONCE);
			const started = (
				await Promise.all(workers.map(async (worker) => await worker.started()))
			).flat();
			assert.deepEqual(
				[...states.keys()].filter((execution) => !started.includes(execution)),
				[],
			);
		},
	);

	await check('a delivery that comes again through the webhook process runs nothing', async () => {
		const [delivery] = await service.control.deliveries();
		await service.control.request('POST', `/deliveries/${delivery?.id}/replay`, {});
		const calls = await call(environment, 1);
		assert.deepEqual((await untilSms(environment, AT_ONCE + 1)).slice(AT_ONCE), calls);
	});

	await check('unpublished, nothing is registered any more', async () => {
		await editor.unpublish(id);
		assert.deepEqual(await webhook(), { url: null, isActive: false });
	});
}

/** Main polls, workers run, and what a poll knows is in PostgreSQL. */
export async function polls({ check }: Checks, environment: QueueEnvironment): Promise<void> {
	const { editor, credential, restartMain } = environment;
	const poll = pollTrigger(ASSISTANT, credential);
	const parameters = { ...poll.parameters, pollTimes: ONCE_A_YEAR };
	const { id } = await editor.createWorkflow(smsForCalls(environment, { ...poll, parameters }));

	await check('each call is polled once, also when main was restarted', async () => {
		await editor.publish(id);
		const before = await callsWithSms(environment);
		const calls: number[] = [];
		for (let round = 1; round <= 2; round += 1) {
			calls.push(...(await call(environment, 3)));
			await restartMain();
			const polled = await untilSms(environment, before.length + calls.length);
			assert.deepEqual(polled.slice(before.length), calls);
		}
		await editor.unpublish(id);
	});
}
