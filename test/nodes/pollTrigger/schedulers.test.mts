import { describe, expect, it } from '@jest/globals';
import { sampled } from '../../support/sample.mts';
import { ORDERS, startCallList, type HistoryCall } from '../../support/trigger/callList.mts';
import {
	SCHEDULERS,
	type EmulatedPollNode,
	type Scheduler,
} from '../../support/trigger/emulatedPollNode.mts';
import { getFailure } from '../../support/trigger/testEnvironment.mts';

const NO_CALLS = /^This trigger receives no calls now\. /;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const NOW = Date.UTC(2026, 2, 2, 12);

const { list, letPass, published, pollAfter } = await startCallList();

/** Calls that were created one after the other, each of 10 seconds. The last one is created at a time. */
const callsUntil = (time: number, count: number, everyMs: number): HistoryCall[] =>
	Array.from({ length: count }, (_, index) => {
		const createdAt = time - (count - 1 - index) * everyMs;
		return {
			id: index + 1,
			createdAt,
			endsAt: createdAt + 10 * SECOND_MS,
			finalStatus: 'completed',
		};
	});

/** A call that is created now, and adds to a history. */
function addCall(history: HistoryCall[], lastsMs = 10 * SECOND_MS): number {
	const id = history.length + 1;
	history.push({ id, createdAt: list.now, endsAt: list.now + lastsMs, finalStatus: 'completed' });
	return id;
}

/** A number of polls, one each minute. */
async function poll(trigger: EmulatedPollNode, count: number): Promise<void> {
	for (let index = 0; index < count; index++) await pollAfter(trigger, MINUTE_MS);
}

const LONG_ORDERS = ['oldest first', 'without order', 'last changed first'] as const;
/** In a sample, another one with each scheduler. */
const longOrdersFor = (scheduler: Scheduler) =>
	sampled(LONG_ORDERS, 3, SCHEDULERS.indexOf(scheduler));

describe.each(SCHEDULERS)('with a scheduler that is %s', (scheduler) => {
	it('a call that ends after the publish and before the first poll starts the workflow once', async () => {
		const history = callsUntil(NOW - HOUR_MS, 30, MINUTE_MS);
		const trigger = await published({ history }, {}, scheduler);
		const id = addCall(history);
		await poll(trigger, 3);
		expect(trigger.startedIds).toEqual([id]);
	});

	it('a call whose status nobody knows starts it once, an hour after it was seen so', async () => {
		const history = callsUntil(NOW - HOUR_MS, 30, MINUTE_MS);
		const trigger = await published({ history, duration: 0 }, {}, scheduler);
		history.push({ id: 31, createdAt: NOW, endsAt: NOW, finalStatus: 'unreached' });
		await poll(trigger, 61);
		expect(trigger.startedIds).toEqual([]);
		await poll(trigger, 3);
		expect(trigger.startedIds).toEqual([31]);
	});

	it.each(longOrdersFor(scheduler))(
		'a list of 48 pages of 2 seconds, %s, is read by several polls, and each call starts it once',
		async (order) => {
			const history = callsUntil(NOW - HOUR_MS, 478, 10 * SECOND_MS);
			const behaviour = { history, compare: ORDERS[order], maxPerPage: 10 };
			const trigger = await published(behaviour, {}, scheduler);
			list.pageMs = 2 * SECOND_MS;
			const ids: number[] = [];
			for (let minute = 0; minute < 20; minute++) {
				ids.push(addCall(history));
				await pollAfter(trigger, MINUTE_MS);
			}
			await poll(trigger, 8);
			expect(trigger.startedIds.map(Number).sort((a, b) => a - b)).toEqual(ids);
		},
	);

	it('a poll that fails leaves the place of a long list to the next one', async () => {
		const history = callsUntil(NOW - HOUR_MS, 478, 10 * SECOND_MS);
		const behaviour = { history, compare: ORDERS['oldest first'], maxPerPage: 10 };
		const trigger = await published(behaviour, {}, scheduler);
		list.pageMs = 2 * SECOND_MS;
		const id = addCall(history);
		await poll(trigger, 2);
		list.isDown = true;
		letPass(MINUTE_MS);
		await getFailure(trigger.poll());
		list.isDown = false;
		await poll(trigger, 2);
		expect(trigger.startedIds).toEqual([id]);
	});

	it('a poll that fails does not say that the trigger receives no calls, and a publish does', async () => {
		const trigger = await published({ history: [] }, {}, scheduler);
		list.isDown = true;
		letPass(MINUTE_MS);
		expect((await getFailure(trigger.poll())).message).not.toMatch(NO_CALLS);
		expect((await getFailure(trigger.publish())).message).toMatch(NO_CALLS);
	});

	it('a poll whose service needs 20 seconds for a page is no failure', async () => {
		const history = callsUntil(NOW - HOUR_MS, 30, MINUTE_MS);
		const trigger = await published({ history }, {}, scheduler);
		const id = addCall(history);
		list.pageMs = 20 * SECOND_MS;
		await poll(trigger, 2);
		expect(trigger.startedIds).toEqual([id]);
	});
});
