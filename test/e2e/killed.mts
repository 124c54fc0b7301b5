import assert from 'node:assert/strict';
import * as z from 'zod';

import type { Host } from '../../host/n8n/installN8n.mts';
import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { startService } from '../support/sandbox/service.mts';
import { CALL, get, trigger, workflow } from '../support/workflows.mts';
import { registered } from './calls.mts';
import { openGate } from './blockingServer.mts';
import { ASSISTANTS, CAROL, seed } from './seed.mts';
import type { Stage } from './testEnvironment.mts';
import { beforeFirstNode, storedExecutions, type StoredExecution } from './storedExecutions.mts';

const LIMIT_MS = 60_000;

const BEFORE_THE_KILL = 10;
/** Calls that finish at the same moment, again and again until the kill. */
const AT_ONCE = 40;
/** The kill comes when so many executions of the stream are under way. */
const UNDER_WAY_AT_THE_KILL = 10;
/** What an n8n promises of calls when it is killed (docs/reliability.md). */
const PROMISES: Record<Host, { storesFirst: boolean; runsWaiting: boolean }> = {
	current: { storesFirst: true, runsWaiting: true },
	// Before 2.8 it answers first and stores then. What was stored and had not begun, it tries to run
	// at its start and takes for being resumed elsewhere.
	oldest: { storesFirst: false, runsWaiting: false },
};
/** Longer than an n8n before 2.8 takes to store what it has answered. */
const LAST_MOMENTS_MS = 5_000;

/**
 * n8n is killed (kill -9) while calls are delivered. The workflow asks a gate for permission, so that
 * the test decides which executions are running when that happens.
 */
export async function killed({ check, require, lifetime }: Checks, stage: Stage): Promise<void> {
	const { editor, host } = stage;
	const { storesFirst, runsWaiting } = PROMISES[host];
	const { killed: assistantId, listenKilled } = ASSISTANTS;
	// Of its own, so that its deliveries are those of this story.
	const service = await startService({ seed: seed() });
	await lifetime.atEnd(async () => await service.close());
	const gate = await openGate();
	await lifetime.atEnd(gate.close);

	const credential = await editor.saveCredential(CREDENTIAL_TYPE, 'Carol, kill', {
		baseUrl: service.url,
		apiToken: CAROL,
	});
	const { id } = await editor.createWorkflow(
		workflow(
			'Killed',
			[trigger('callCompleted', assistantId, credential), get('Gate', gate.question)],
			[[CALL, 'Gate']],
		),
	);
	const { id: listener } = await editor.createWorkflow(
		workflow('Listens when killed', [trigger('callCompleted', listenKilled, credential)]),
	);
	const settledAt = new Map<unknown, number>();
	/** Lets calls finish at the same moment, and waits until n8n has answered, or is not there. */
	const callsFinish = async (count: number): Promise<void> => {
		const call = { assistant_id: assistantId, to: '+4915112345690' };
		const begun = Array.from({ length: count }, () => service.control.outbound(call));
		const calls = await Promise.all(begun);
		await service.control.advance('PT3M');
		for (const { id: callId } of calls) settledAt.set(callId, Date.now());
	};
	const untilEnded = async (count: number): Promise<void> => {
		await waitFor(`${count} executions to end`, LIMIT_MS, async () => {
			const states = [...(await editor.executionStates(id)).values()];
			const ended = states.filter((state) => state !== 'new' && state !== 'running');
			return ended.length === count ? true : undefined;
		});
	};

	const kill = await require('n8n is killed while calls are delivered', async () => {
		await editor.publish(id);
		await callsFinish(BEFORE_THE_KILL);
		await untilEnded(BEFORE_THE_KILL);

		await editor.listen(listener, CALL);
		gate.hold();
		let isOver = false;
		let firstSettledAt = Infinity;
		const stream = async (): Promise<void> => {
			while (!isOver) {
				await callsFinish(AT_ONCE);
				firstSettledAt = Math.min(firstSettledAt, Date.now());
			}
		};
		const lastsLongEnough = async (): Promise<void> => {
			await waitFor('a stream longer than its last moments', LIMIT_MS, async () =>
				Promise.resolve(Date.now() - firstSettledAt > LAST_MOMENTS_MS || undefined),
			);
		};
		// Two, so that one delivers while the other makes its calls.
		const streams = Promise.all([stream(), stream()]);
		// When the wait for the gate fails first, nobody waits for them any more.
		streams.catch(() => {});
		try {
			await Promise.all([gate.arrived(UNDER_WAY_AT_THE_KILL), lastsLongEnough()]);
			await stage.stop('at once');
		} finally {
			isOver = true;
		}
		const killedAt = Date.now();
		await streams;
		const rows = storedExecutions(stage.userFolder, id);
		const deliveries = (await service.control.deliveries()).map(readDelivery);
		const answered = deliveries.filter(({ taken }) => taken);
		return { killedAt, rows, answered, inBetween: beforeFirstNode(stage.userFolder) };
	});
	const { killedAt, rows, answered, inBetween } = kill;
	const running = rows.filter(({ status }) => status === 'running').map((row) => row.id);
	// n8n does not recover those that were killed between their start and their first node.
	const stuck = running.filter((execution) => inBetween.has(execution));
	const cutOff = running.filter((execution) => !inBetween.has(execution));
	const waiting = rows.filter(({ status }) => status === 'new').map((row) => row.id);

	const isStored = ({ call }: Delivery) => rows.some((row) => row.call === call);
	const lost = answered.filter((delivery) => !isStored(delivery));
	if (storesFirst) {
		await check('every delivery that n8n answered is stored as an execution, once', () => {
			assert.deepEqual(lost, []);
			assertEachOnce(rows);
		});
	} else {
		await check(
			'of what n8n answered, nothing is lost but the last moments before the kill',
			() => {
				const isEarlier = ({ call }: Delivery) =>
					(settledAt.get(call) ?? Infinity) < killedAt - LAST_MOMENTS_MS;
				assert.ok(answered.filter(isEarlier).length > BEFORE_THE_KILL, 'The stream was too short.');
				assert.deepEqual(lost.filter(isEarlier), []);
				assertEachOnce(rows);
			},
		);
	}

	await check('a call that completes while n8n is down does not arrive', async () => {
		await callsFinish(1);
		const last = (await service.control.deliveries()).map(readDelivery).at(-1);
		assert.equal(last?.taken, false);
	});

	gate.open();
	await require('n8n starts again after the kill', stage.startAgain);

	const ended = rows.length - stuck.length - (runsWaiting ? 0 : waiting.length);
	await check('the executions cut off are exactly those that were running', async () => {
		assert.notEqual(cutOff.length, 0);
		await untilEnded(ended);
		const after = [...(await editor.executionStates(id))];
		const withStatus = (wanted: string): string[] =>
			after.filter(([, status]) => status === wanted).map(([execution]) => execution);
		assert.deepEqual(withStatus('crashed').sort(), cutOff.sort());
		assert.deepEqual(withStatus('running').sort(), stuck.sort());
		assert.deepEqual(withStatus('new').sort(), runsWaiting ? [] : waiting.sort());
		assert.equal(withStatus('success').length, ended - cutOff.length);
	});

	const name = `what was cut off is not run again, and what had not begun is ${runsWaiting ? 'run' : 'never run'}`;
	await check(name, async () => {
		await callsFinish(1);
		await untilEnded(ended + 1);
		// The last to come is the call that came after the kill.
		const since = gate.executionsAfter(killedAt).slice(0, -1);
		assert.deepEqual(since.sort(), runsWaiting ? waiting.sort() : []);
		await editor.unpublish(id);
	});

	await check(
		'a trigger that listened when n8n was killed heals when it is published',
		async () => {
			const address = async () => (await registered({ service }, listenKilled)).callCompleted ?? '';
			assert.match(await address(), /\/webhook-test\//);
			await editor.publish(listener);
			assert.match(await address(), /\/webhook\//);
			await editor.unpublish(listener);
			assert.equal(await address(), '');
		},
	);
}

const delivery = z.object({
	call_id: z.number(),
	attempts: z.array(z.object({ status: z.number().nullable() })),
});

/** What became of the only attempt to deliver a call. */
interface Delivery {
	call: number;
	/** whether n8n answered that it has it */
	taken: boolean;
}

function readDelivery(entry: unknown): Delivery {
	const { call_id, attempts } = delivery.parse(entry);
	return { call: call_id, taken: attempts.at(-1)?.status === 200 };
}

function assertEachOnce(rows: StoredExecution[]): void {
	const calls = rows.map(({ call }) => call);
	assert.equal(new Set(calls).size, calls.length, 'a call has more than one execution');
}
