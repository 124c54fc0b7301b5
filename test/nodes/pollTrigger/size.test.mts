import { describe, expect, it } from '@jest/globals';
import { onlyInFull } from '../../support/sample.mts';
import { ORDERS, startCallList, type HistoryCall } from '../../support/trigger/callList.mts';
import { onAssistants } from '../../support/trigger/emulatedPollNode.mts';
import { getFailure } from '../../support/trigger/testEnvironment.mts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;

const NOW = Date.UTC(2026, 2, 2, 12);

const { list, published, pollAfter } = await startCallList();

const OLDEST_FIRST = ORDERS['oldest first'];

/** Calls with the same distance, the last of which ends at a time. */
const callsUntil = (end: number, count: number, overMs: number, firstId = 1): HistoryCall[] =>
	Array.from({ length: count }, (_, index) => {
		const endsAt = end - Math.floor(((count - 1 - index) * overMs) / count / SECOND_MS) * SECOND_MS;
		return { id: firstId + index, createdAt: endsAt - SECOND_MS, endsAt, finalStatus: 'completed' };
	});

/** Calls of which one, counted from the newest, does not end in time. */
function withOpenCall(history: HistoryCall[], fromEnd: number, lastsMs = Infinity) {
	const open = history.at(-fromEnd);
	if (!open) throw new Error('There are not enough calls');
	open.endsAt += lastsMs;
	return history;
}

describe('the requests of a poll', () => {
	it.each([
		['do not depend on how many calls have finished', callsUntil(NOW, 10_000, DAY_MS), 1],
		[
			'reach back to the oldest call that is open, and no further',
			withOpenCall(callsUntil(NOW, 10_000, DAY_MS), 250, DAY_MS),
			3,
		],
	])('%s', async (_, history, expected) => {
		expect(await pollAfter(await published({ history }), 0)).toBe(expected);
	});

	it('do not grow for ever because of a call that never ends', async () => {
		const history = withOpenCall(callsUntil(NOW, 100, DAY_MS / 100), 1);
		const trigger = await published({ history });
		const perDay = [];
		for (let day = 1; day <= 3; day++) {
			history.push(...callsUntil(list.now + DAY_MS, 500, DAY_MS, history.length + 1));
			await pollAfter(trigger, DAY_MS);
			perDay.push(await pollAfter(trigger, 0));
		}
		expect(perDay).toEqual([6, 1, 1]);
	});

	it('reach far back once for an open call that the service has removed', async () => {
		const history = withOpenCall(callsUntil(NOW, 10_000, DAY_MS), 1);
		const trigger = await published({ history });
		history.pop();
		const perPoll = [];
		for (let minute = 0; minute < 3; minute++) {
			perPoll.push(await pollAfter(trigger, 60 * SECOND_MS));
		}
		expect(perPoll).toEqual([20, 1, 1]);
	});

	it('are few when a list by ID has a call that is dated in the future', async () => {
		const history = callsUntil(NOW, 10_000, DAY_MS);
		const trigger = await published({ history, compare: ORDERS['by id, the highest first'] });
		const coming = callsUntil(NOW + 60 * SECOND_MS, 3, 30 * SECOND_MS, history.length + 1);
		for (const wrong of coming.slice(0, 1)) wrong.shownAt = () => NOW + 7 * DAY_MS;
		history.push(...coming);
		expect(await pollAfter(trigger, 60 * SECOND_MS)).toBe(1);
		expect(trigger.startedIds.sort()).toEqual([10_001, 10_002, 10_003]);
	});

	it('read a few days of a list in another order, and not its history', async () => {
		const history = callsUntil(NOW, 10_000, 100 * DAY_MS);
		const trigger = await published({ history, compare: OLDEST_FIRST });
		expect(await pollAfter(trigger, 0)).toBeLessThanOrEqual(3);
	});

	onlyInFull(it)('are one for each of 1,000 assistants', async () => {
		const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
		const trigger = await published({ history: [] }, onAssistants(...ids));
		trigger.n8n.credentialReads = 0;
		expect(await pollAfter(trigger, 0)).toBe(1_000);
		expect(trigger.n8n.credentialReads).toBe(1);
	});
});

describe('a manual run on a long list', () => {
	it.each([
		['the newest call when the oldest come first', 'oldest first', 'failed', 2_500, 2],
		['the newest match when the oldest come first', 'oldest first', 'completed', 2_350, 3],
		['what is on the only page that it reads', 'newest first', 'failed', 2_500, 1],
	] as const)('shows %s', async (_, order, status, id, requests) => {
		const history = callsUntil(NOW, 2_500, DAY_MS);
		for (const call of history.slice(-150)) call.finalStatus = 'failed';
		const parameters = { filters: { statuses: [status] } };
		const trigger = await published({ history, compare: ORDERS[order] }, parameters);
		list.requestCount = 0;
		expect(await trigger.fetchTestEvent()).toMatchObject([{ id }]);
		expect(list.requestCount).toBe(requests);
	});

	it('reads ten pages when no call matches', async () => {
		const history = callsUntil(NOW, 2_500, DAY_MS);
		const parameters = { filters: { statuses: ['busy'] } };
		const trigger = await published({ history, compare: OLDEST_FIRST }, parameters);
		list.requestCount = 0;
		expect((await getFailure(trigger.fetchTestEvent())).name).toBe('NodeOperationError');
		expect(list.requestCount).toBe(10);
	});
});

it('10,000 calls that finished since the last poll are all handed out, and few are kept in mind', async () => {
	const history = callsUntil(NOW, 100, DAY_MS);
	const trigger = await published({ history });
	history.push(...callsUntil(NOW + DAY_MS, 10_000, DAY_MS, 101));
	expect(await pollAfter(trigger, DAY_MS)).toBe(101);
	expect(new Set(trigger.startedIds).size).toBe(10_000);
	expect(await pollAfter(trigger, 0)).toBe(1);
	expect(trigger.executions).toHaveLength(1);
	// The calls of a day, each with its ID and hour.
	expect(JSON.stringify(trigger.database).length).toBeLessThan(25_000);
});

describe('a clock of the service that steps back by 8 hours', () => {
	async function expectAll(perDay: number, maxSize: number, maxRequests: number) {
		const history = callsUntil(NOW, perDay, DAY_MS);
		// As if the service gave nine of ten IDs to calls of other accounts.
		const trigger = await published({ history, showId: (id) => 5_000_000 + 10 * id });
		let size = 0;
		list.requestCount = 0;
		for (let hour = 1; hour <= 48; hour++) {
			const end = list.now + DAY_MS / 24;
			const coming = callsUntil(end, perDay / 24, DAY_MS / 24, history.length + 1);
			for (const call of coming) {
				call.shownAt = () => call.createdAt - (hour > 24 ? DAY_MS / 3 : 0);
			}
			history.push(...coming);
			await pollAfter(trigger, DAY_MS / 24);
			size = Math.max(size, JSON.stringify(trigger.database).length);
		}
		expect(new Set(trigger.startedIds).size).toBe(trigger.startedIds.length);
		expect(trigger.startedIds).toHaveLength(history.length - perDay);
		expect(size).toBeLessThan(maxSize);
		expect(list.requestCount).toBeLessThan(maxRequests);
	}

	// The calls of 24 hours and of the 8 hours that came twice are known, with 3 to 4 characters each.
	it('with 1,000 calls a day, loses none', () => expectAll(1_000, 6_000, 100));
	onlyInFull(it)('with 10,000 calls a day, loses none', () => expectAll(10_000, 45_000, 650));
});
