import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';

import { getItems } from '../../host/api/execution.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { startReceiver, type Arrival } from '../../sandbox/test/support/receiver.mts';
import { startService } from '../../sandbox/test/support/service.mts';
import { inSeconds, type QueueEnvironment } from './environment.mts';
import { Events } from './events.mts';
import { seed, TOKEN } from './seed.mts';
import { executionsOn, type QueueProcess } from './topology.mts';
import { EACH_ONCE, neverMissACall as workflowOf, POLL } from './workflows.mts';

/** Calls that are handled before the kill. */
const HANDLED = 5;
/** Calls whose executions are killed before Remove Duplicates. One worker runs them all at once. */
const CUT = 8;
/** Longer than n8n takes to start an execution on a busy machine. */
const LIMIT_MS = 60_000;
const RESTART_LIMIT_MS = 300_000;
/** The longest delay of the sandbox. Then it closes the connection, without an SMS. */
const SMS_WAITS = { operation: 'sendSms', delay_ms: 60_000, drop: 'before' } as const;

/**
 * All workers are killed while the example "Never miss a call" runs, as by a power cut.
 *
 * n8n's Remove Duplicates reads and writes its list without a lock (n8n 2.41). So the executions reach it
 * one after the other here, as with a worker that runs one execution at a time.
 *
 * @param workers all that are running
 */
export async function neverMissACall(
	{ check, require, cleanup }: Checks,
	{ topology, metrics }: QueueEnvironment,
	workers: QueueProcess[],
): Promise<void> {
	const { editor } = topology;
	// Another service, so that it has the calls of these checks only. Its clock agrees with n8n's.
	const clock = { mode: 'manual', now: new Date().toISOString() } as const;
	const service = await cleanup.use(startService({ seed: seed(), clock }));
	const lookUp = await cleanup.use(startReceiver());
	const credential = await saveCredential(editor, 'Queue, never miss', {
		url: service.url,
		token: TOKEN,
	});
	const { id } = await editor.createWorkflow(await workflowOf(credential, lookUp.url));
	const events = new Events(topology, service, id);
	/** The IDs of all calls, the oldest first. */
	const calls = async () => (await service.control.calls()).map((call) => call.id);
	const succeeded = async (): Promise<string[]> =>
		(await events.executions()).filter(({ status }) => status === 'success').map((row) => row.id);
	const untilSucceeded = async (count: number): Promise<void> => {
		await waitFor(`${count} executions to succeed`, LIMIT_MS, async () =>
			(await succeeded()).length >= count ? true : undefined,
		);
	};

	await require(`${HANDLED} calls, one after the other, are handled`, async () => {
		lookUp.respondWith(returnCall);
		await editor.publish(id);
		for (let count = 1; count <= HANDLED; count += 1) {
			await events.deliver(1);
			await untilSucceeded(count);
		}
	});

	const { handled, lost, cut } =
		await require('all workers are killed: one execution was after Remove Duplicates, the others before', async () => {
			const handled = await calls();
			await service.control.fault(SMS_WAITS);
			await events.deliver(1);
			await waitFor('the SMS to wait', LIMIT_MS, async () => {
				const requests = await service.control.requests();
				const sms = requests.filter(({ operation }) => operation === 'sendSms');
				return sms.length > HANDLED ? true : undefined;
			});
			const [lost] = (await calls()).slice(HANDLED);

			lookUp.clear();
			lookUp.respondWith(() => {});
			await events.deliver(CUT);
			await lookUp.arrived(CUT, LIMIT_MS);
			await Promise.all(workers.map(async (worker) => await worker.kill()));
			lookUp.respondWith(returnCall);

			const running = await events.unfinished();
			const started = await executionsOn(workers, 'started');
			assert.equal(running.length, 1 + CUT);
			assert.deepEqual(
				running.filter((execution) => !started.includes(execution)),
				[],
			);
			const cut = (await calls()).slice(HANDLED + 1);
			assert.deepEqual(lookUp.arrivals.map(({ body }) => body.id).toSorted(), cut.toSorted());
			return { handled, lost, cut };
		}, RESTART_LIMIT_MS);

	/** Restarts main, which polls then. @returns the calls that the poll brought, and those that it handled */
	const poll = async () => {
		const before = await succeeded();
		await topology.restartMain();
		const polled = await waitFor('a poll to be handled', LIMIT_MS, async () =>
			(await succeeded()).find((execution) => !before.includes(execution)),
		);
		const execution = await editor.execution(polled);
		assert.ok(execution !== undefined);
		const idsAfter = (node: string) => getItems(execution, node).map((item) => item.id);
		return { brought: idsAfter(POLL), passed: idsAfter(EACH_ONCE) };
	};

	await check(
		'the poll trigger brings all calls, and those that the kill cut before Remove Duplicates are handled',
		async () => {
			await topology.add('Worker');
			const begin = performance.now();
			assert.deepEqual(await poll(), { brought: [...handled, lost, ...cut], passed: cut });
			metrics.set(
				`${CUT} calls that a kill cut, handled after the restart of main`,
				inSeconds(begin),
			);
		},
		RESTART_LIMIT_MS,
	);

	await check(
		'no call is handled twice, and the one that the kill cut after Remove Duplicates is lost',
		async () => {
			await events.deliver(1);
			// Also the execution of the poll before.
			await untilSucceeded(HANDLED + 2);
			const [last] = (await calls()).slice(-1);
			assert.deepEqual(await poll(), { brought: [last], passed: [] });
			const counts = [...(await events.smsCounts())].toSorted(([a], [b]) => a - b);
			assert.deepEqual(
				counts,
				[...handled, ...cut, last].map((call) => [call, 1]),
			);
			// Those of the deliveries before and after the kill, and of two polls.
			assert.equal((await succeeded()).length, HANDLED + 1 + 2);
			await editor.unpublish(id);
		},
		RESTART_LIMIT_MS,
	);
}

function returnCall({ text }: Arrival, response: ServerResponse): void {
	response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
}
