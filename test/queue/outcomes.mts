import assert from 'node:assert/strict';

import type { Delivery } from '../../sandbox/client.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import type { Losses } from './faultInjection.mts';
import type { Events } from './events.mts';
import { inSeconds } from './metrics.mts';
import type { Parts } from './published.mts';

/** n8n notices after 60 to 90 s that a worker is gone, and gives it 30 s more (n8n 2.41). */
const NOTICE_LIMIT_MS = 240_000;
const RESTART_LIMIT_MS = 300_000;
const MARK_LIMIT_MS = 60_000;

/** Accounts for every event: what n8n says of those it lost, and that it lost no others. */
export async function accounts(
	{ check }: Checks,
	{ topology, figures }: Parts,
	events: Events,
	{ orphaned, watched, killedAt, workers }: Losses,
	total: number,
): Promise<void> {
	await check(
		'what a kill cut is declared failed where the webhook process that took it lives',
		async () => {
			await waitFor('n8n to notice', NOTICE_LIMIT_MS, async () => {
				const left = (await events.unfinished()).map(({ id }) => id);
				return left.every((id) => orphaned.unfinished.includes(id)) ? true : undefined;
			});
			const cut = (await events.executions()).filter(({ id }) => watched.running.includes(id));
			for (const { status, error } of cut) {
				assert.equal(status, 'error');
				assert.match(error ?? '', /will no longer retry/);
			}
			const ends = cut.map(({ stoppedAt }) => Date.parse(stoppedAt ?? ''));
			figures.note('declared failed after the kill', inSeconds(Math.max(...ends) - killedAt));
		},
		2 * NOTICE_LIMIT_MS,
	);

	await check(
		'what a kill cut stays unfinished where that one is gone, and is "crashed" when main starts again',
		async () => {
			const unfinished = (await events.unfinished()).map(({ id }) => id);
			assert.deepEqual(
				orphaned.running.filter((id) => !unfinished.includes(id)),
				[],
			);
			await topology.restartMain();
			const begin = performance.now();
			await waitFor('main to look for it', MARK_LIMIT_MS, async () =>
				(await events.unfinished()).length === 0 ? true : undefined,
			);
			figures.note(
				'marked as crashed after the start of main',
				inSeconds(performance.now() - begin),
			);
			const crashed = (await events.executions()).filter(({ status }) => status === 'crashed');
			assert.deepEqual(
				crashed.map(({ id }) => id),
				unfinished,
			);
		},
		RESTART_LIMIT_MS,
	);

	const books = readBooks(events);

	await check('every event was either taken or refused', async () => {
		const { deliveries, taken, refused } = await books;
		assert.equal(deliveries.length, total);
		assert.equal(taken.length + refused.length, total);
		assert.ok(refused.length > 0, 'The webhook process was restarted, but no event met that.');
		const statuses = new Set(taken.flatMap(({ attempts }) => attempts).map(({ status }) => status));
		assert.deepEqual([...statuses], [200]);
		figures.note('events taken', `${taken.length} of ${total}`);
		figures.note('events refused', `${refused.length}, while no webhook process was ready`);
	});

	await check('every event that was taken has exactly one execution', async () => {
		const { taken, executions, countFor } = await books;
		assert.deepEqual(
			taken.filter((delivery) => countFor(delivery) !== 1),
			[],
		);
		assert.equal(executions.length, taken.length);
	});

	await check('every event that was refused has none', async () => {
		const { refused, countFor } = await books;
		assert.deepEqual(
			refused.filter((delivery) => countFor(delivery) !== 0),
			[],
		);
	});

	await check(
		'the executions that were lost are exactly those that the killed workers had',
		async () => {
			const { lost } = await books;
			const began = (await Promise.all(workers.map(async (worker) => await worker.began()))).flat();
			const cut = [...orphaned.running, ...watched.running];
			const ids = lost.map(({ id }) => id);
			assert.deepEqual(
				cut.filter((id) => !ids.includes(id)),
				[],
			);
			// Taken from the queue, but not begun.
			const others = ids.filter((id) => !cut.includes(id));
			const held = [...orphaned.held, ...watched.held];
			assert.deepEqual(
				others.filter((id) => !held.includes(id) || began.includes(id)),
				[],
			);
			figures.note(
				'executions lost',
				`${cut.length} running, ${others.length} taken but not begun`,
			);
		},
	);

	await check('no execution was run twice', async () => {
		const began = (await Promise.all(workers.map(async (worker) => await worker.began()))).flat();
		assert.equal(new Set(began).size, began.length);
	});

	await check('every other event was answered by one SMS, no event by two', async () => {
		const { executions, lost, sent } = await books;
		const without = executions.filter(
			({ status, callId }) =>
				status === 'success' && (callId === undefined || sent.get(callId) !== 1),
		);
		assert.deepEqual(without, []);
		assert.deepEqual(
			[...sent.values()].filter((times) => times !== 1),
			[],
		);
		const halfway = lost.filter(({ callId }) => callId !== undefined && sent.has(callId));
		figures.note('lost executions whose SMS had gone out', `${halfway.length} of ${lost.length}`);
	});
}

/** What the service and n8n have of the events, when all is over. */
async function readBooks(events: Events) {
	const deliveries = await events.deliveries();
	const executions = await events.executions();
	const byCall = Map.groupBy(executions, ({ callId }) => callId);
	return {
		deliveries,
		taken: deliveries.filter(({ state }) => state === 'delivered'),
		refused: deliveries.filter(({ state }) => state === 'failed'),
		executions,
		lost: executions.filter(({ status }) => status !== 'success'),
		/** how many executions the event of a delivery has */
		countFor: ({ call_id: callId }: Delivery): number => byCall.get(callId)?.length ?? 0,
		/** how many SMS each call was answered by */
		sent: await events.sent(),
	};
}
