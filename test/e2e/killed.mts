import assert from 'node:assert/strict';
import * as z from 'zod';

import type { Host } from '../../host/install.mts';
import { waitFor } from '../../host/wait.mts';
import type { Checks } from '../support/checks.mts';
import { startService } from '../support/sandbox-service.mts';
import { openGate } from './gate.mts';
import { ASSISTANTS, CAROL, seed } from './seed.mts';
import { CREDENTIAL_TYPE, type Stage } from './stage.mts';
import { storedExecutions, type StoredExecution } from './storedExecutions.mts';
import { CALL, get, trigger, workflow } from './workflows.mts';

const LIMIT_MS = 60_000;

const BEFORE_THE_KILL = 10;
/** More than n8n can take before the kill, twenty at a time. */
const IN_THE_STREAM = 200;
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
const LAST_MOMENTS_MS = 10_000;

/**
 * n8n is killed (kill -9) while calls are delivered. The workflow asks a gate for permission, so that
 * the test decides which executions are running when that happens.
 */
export async function killed({ check, require, lifetime }: Checks, stage: Stage): Promise<void> {
	const { editor, host } = stage;
	const { storesFirst, runsWaiting } = PROMISES[host];
	const { killed: assistantId } = ASSISTANTS;
	// Of its own, because its clock runs: what is answered when counts here.
	const service = await startService({ seed: seed(), clock: 'real' });
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
	const calls = async (count: number): Promise<number[]> => {
		const started = Array.from({ length: count }, async () => {
			return await service.control.outbound({ assistant_id: assistantId, to: '+4915112345690' });
		});
		return (await Promise.all(started)).map((call) => Number(call.id));
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
		await calls(BEFORE_THE_KILL);
		await service.control.advance('PT3M');
		await untilEnded(BEFORE_THE_KILL);

		gate.hold();
		await calls(IN_THE_STREAM);
		const delivered = service.control.advance('PT3M');
		await gate.arrived(UNDER_WAY_AT_THE_KILL);
		await stage.stop('at once');
		const killedAt = Date.now();
		const { now } = health.parse((await service.control.request('GET', '/health')).body);
		await delivered;
		const rows = storedExecutions(stage.userFolder, id);
		const deliveries = (await service.control.deliveries()).map(readDelivery);
		const answered = deliveries.filter(({ taken }) => taken);
		assert.ok(
			answered.length < deliveries.length,
			`all ${deliveries.length} deliveries were taken before the kill`,
		);
		return { killedAt, serviceTime: Date.parse(now), rows, answered };
	});
	const { killedAt, serviceTime, rows, answered } = kill;
	const running = rows.filter(({ status }) => status === 'running').map((row) => row.id);
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
				const earlier = lost.filter(({ at }) => serviceTime - Date.parse(at) > LAST_MOMENTS_MS);
				assert.deepEqual(earlier, []);
				assertEachOnce(rows);
			},
		);
	}

	gate.open();
	await require('n8n starts again after the kill', stage.startAgain);

	await check('the executions cut off are exactly those that were running', async () => {
		assert.notEqual(running.length, 0);
		await untilEnded(rows.length - (runsWaiting ? 0 : waiting.length));
		const after = [...(await editor.executionStates(id))];
		const withStatus = (wanted: string): string[] =>
			after.filter(([, status]) => status === wanted).map(([execution]) => execution);
		assert.deepEqual(withStatus('crashed').sort(), running.sort());
		assert.deepEqual(withStatus('new').sort(), runsWaiting ? [] : waiting.sort());
		assert.equal(
			withStatus('success').length,
			rows.length - running.length - withStatus('new').length,
		);
	});

	const name = `what was cut off is not run again, and what had not begun is ${runsWaiting ? 'run' : 'never run'}`;
	await check(name, async () => {
		await service.control.outbound({ assistant_id: assistantId, to: '+4915112345690' });
		await service.control.advance('PT3M');
		await untilEnded(rows.length - (runsWaiting ? 0 : waiting.length) + 1);
		// The last to come is the call that came after the kill.
		const since = gate.executionsAfter(killedAt).slice(0, -1);
		assert.deepEqual(since.sort(), runsWaiting ? waiting.sort() : []);
		await editor.unpublish(id);
	});
}

const health = z.object({ now: z.string() });
const delivery = z.object({
	call_id: z.number(),
	attempts: z.array(z.object({ at: z.string(), status: z.number().nullable() })),
});

/** What became of the only attempt to deliver a call. */
interface Delivery {
	call: number;
	/** whether n8n answered that it has it */
	taken: boolean;
	/** when it was sent, by the service's clock */
	at: string;
}

function readDelivery(entry: unknown): Delivery {
	const { call_id, attempts } = delivery.parse(entry);
	const last = attempts.at(-1);
	return { call: call_id, taken: last?.status === 200, at: last?.at ?? '' };
}

function assertEachOnce(rows: StoredExecution[]): void {
	const calls = rows.map(({ call }) => call);
	assert.equal(new Set(calls).size, calls.length, 'a call has more than one execution');
}
