import assert from 'node:assert/strict';

import type { Host } from '../../host/n8n/installN8n.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Delivery } from '../../sandbox/client.mts';
import { startBlockingServer } from '../support/blockingServer.mts';
import { storedStates } from '../support/storedExecutions.mts';
import { CALL, httpGet, trigger, workflow } from '../support/workflows.mts';
import { createTriggerWorkflow, readWebhookUrls } from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';
import {
	readStoredExecutions,
	startedWithoutNode,
	type StoredExecution,
} from './storedExecutions.mts';

const LIMIT_MS = 60_000;

const BEFORE_THE_KILL = 10;
/** Calls that finish at the same moment, again and again until the kill. */
const AT_ONCE = 40;
/** The number of executions that must be running at the kill. */
const RUNNING_AT_THE_KILL = 10;
/** What n8n does with calls when it is killed (docs/reliability.md). */
const GUARANTEES: Record<Host, { storesFirst: boolean; runsWaiting: boolean }> = {
	current: { storesFirst: true, runsWaiting: true },
	// n8n before 2.8 responds before it stores. It does not run the executions that were stored but
	// not started, because it assumes that they were resumed elsewhere.
	oldest: { storesFirst: false, runsWaiting: false },
};
/** Longer than an n8n before 2.8 takes to store a call after its response. */
const LAST_MOMENTS_MS = 5_000;

/**
 * Kills n8n (kill -9) while calls are delivered. The workflow sends a request to a blocking server, so
 * that the test decides which executions are running then.
 */
export async function killed(environment: E2eEnvironment): Promise<void> {
	const { check, require, cleanup, editor, host, userFolder } = environment;
	const { storesFirst, runsWaiting } = GUARANTEES[host];
	const { killed: assistantId, listenKilled } = ASSISTANTS;
	// Another service, so that all its deliveries belong to these checks.
	const service = await startOwnService(environment, 'kill');
	const { carolRef: credential } = service;
	const blockingServer = await cleanup.use(startBlockingServer());
	const { id } = await editor.createWorkflow(
		workflow(
			'Killed',
			[
				trigger('callCompleted', assistantId, credential),
				httpGet('Blocking server', blockingServer.urlExpression),
			],
			[[CALL, 'Blocking server']],
		),
	);
	const listener = await createTriggerWorkflow(environment, 'Listens', listenKilled, credential);
	const settledAt = new Map<number, number>();
	/** Finishes calls at the same moment, and waits until their deliveries have ended. */
	const finishCalls = async (count: number): Promise<void> => {
		const call = { assistant_id: assistantId, to: '+4915112345690' };
		const started = Array.from({ length: count }, () => service.control.outbound(call));
		const calls = await Promise.all(started);
		await service.control.advance('PT3M');
		for (const { id: callId } of calls) settledAt.set(callId, Date.now());
	};
	const untilEnded = async (count: number): Promise<void> => {
		await waitFor(`${count} executions to end`, LIMIT_MS, async () => {
			const states = [...(await Promise.resolve(storedStates(userFolder, id))).values()];
			const ended = states.filter((state) => state !== 'new' && state !== 'running');
			return ended.length === count ? true : undefined;
		});
	};

	const kill = await require('n8n is killed while calls are delivered', async () => {
		await editor.publish(id);
		await finishCalls(BEFORE_THE_KILL);
		await untilEnded(BEFORE_THE_KILL);

		await editor.listen(listener, CALL);
		blockingServer.block();
		let isKilled = false;
		let firstSettledAt = Infinity;
		const stream = async (): Promise<void> => {
			while (!isKilled) {
				await finishCalls(AT_ONCE);
				firstSettledAt = Math.min(firstSettledAt, Date.now());
			}
		};
		const lastsLongEnough = async (): Promise<void> => {
			await waitFor('a stream longer than the last moments', LIMIT_MS, async () =>
				Promise.resolve(Date.now() - firstSettledAt > LAST_MOMENTS_MS || undefined),
			);
		};
		// Two, so that one delivers while the other makes its calls.
		const streams = Promise.all([stream(), stream()]);
		// If the wait below fails first, a later rejection would be unhandled.
		streams.catch(() => {});
		try {
			await Promise.all([blockingServer.untilBlocked(RUNNING_AT_THE_KILL), lastsLongEnough()]);
			await environment.n8n().kill();
		} finally {
			isKilled = true;
		}
		const killedAt = Date.now();
		await streams;
		const rows = readStoredExecutions(userFolder, id);
		const accepted = (await service.control.deliveries()).filter(isAccepted);
		return { killedAt, rows, accepted, withoutNode: startedWithoutNode(userFolder) };
	});
	const { killedAt, rows, accepted, withoutNode } = kill;
	const running = rows.filter(({ status }) => status === 'running').map((row) => row.id);
	// n8n does not recover those that were killed between their start and their first node.
	const stuck = running.filter((execution) => withoutNode.has(execution));
	const crashed = running.filter((execution) => !withoutNode.has(execution));
	const waiting = rows.filter(({ status }) => status === 'new').map((row) => row.id);

	const stored = new Set(rows.map(({ callId }) => callId));
	const lost = accepted.filter((delivery) => !stored.has(delivery.call_id));
	if (storesFirst) {
		await check('every delivery that n8n accepted is stored as an execution, once', () => {
			assert.deepEqual(lost, []);
			assertEachOnce(rows);
		});
	} else {
		await check(
			'of the deliveries that n8n accepted, only those of the last moments before the kill are lost',
			() => {
				const isEarlier = ({ call_id: callId }: Delivery) =>
					(settledAt.get(callId) ?? Infinity) < killedAt - LAST_MOMENTS_MS;
				assert.ok(accepted.filter(isEarlier).length > BEFORE_THE_KILL, 'The stream was too short.');
				assert.deepEqual(lost.filter(isEarlier), []);
				assertEachOnce(rows);
			},
		);
	}

	await check('a call that completes while n8n is down does not arrive', async () => {
		await finishCalls(1);
		const last = (await service.control.deliveries()).at(-1);
		assert.ok(last !== undefined && !isAccepted(last));
	});

	blockingServer.unblock();
	await require('n8n starts again after the kill', async () => await environment.restart());

	const ended = rows.length - stuck.length - (runsWaiting ? 0 : waiting.length);
	await check('the executions that crashed are exactly those that were running', async () => {
		assert.notEqual(crashed.length, 0);
		await untilEnded(ended);
		const after = [...storedStates(userFolder, id)];
		const withStatus = (wanted: string): string[] =>
			after.filter(([, status]) => status === wanted).map(([execution]) => execution);
		assert.deepEqual(withStatus('crashed').sort(), crashed.sort());
		assert.deepEqual(withStatus('running').sort(), stuck.sort());
		assert.deepEqual(withStatus('new').sort(), runsWaiting ? [] : waiting.sort());
		assert.equal(withStatus('success').length, ended - crashed.length);
	});

	const runs = runsWaiting ? 'run' : 'never run';
	await check(
		`crashed executions are not run again, those that had not started are ${runs}`,
		async () => {
			await finishCalls(1);
			await untilEnded(ended + 1);
			// The last one belongs to the call after the kill.
			const since = blockingServer.executionsAfter(killedAt).slice(0, -1);
			assert.deepEqual(since.sort(), runsWaiting ? waiting.sort() : []);
			await editor.unpublish(id);
		},
	);

	await check('publishing repairs a trigger that listened when n8n was killed', async () => {
		const webhookUrl = async () =>
			(await readWebhookUrls({ service }, listenKilled)).callCompleted ?? '';
		assert.match(await webhookUrl(), /\/webhook-test\//);
		await editor.publish(listener);
		assert.match(await webhookUrl(), /\/webhook\//);
		await editor.unpublish(listener);
		assert.equal(await webhookUrl(), '');
	});
}

/** Whether n8n accepted the only attempt. */
function isAccepted({ attempts }: Delivery): boolean {
	return attempts.at(-1)?.status === 200;
}

function assertEachOnce(rows: StoredExecution[]): void {
	const calls = rows.map(({ callId }) => callId);
	assert.equal(new Set(calls).size, calls.length, 'a call has more than one execution');
}
