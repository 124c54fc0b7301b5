import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { n8nWith } from '../../support/n8n/n8n.mts';
import {
	startCallList,
	type CallListBehaviour,
	type HistoryCall,
} from '../../support/trigger/callList.mts';
import { onAssistants } from '../../support/trigger/pollEnvironment.mts';
import { PollNode } from '../../support/trigger/pollNode.mts';
import { failureOf } from '../../support/trigger/testEnvironment.mts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;

/** Read once: a call is given up after a day, so a second more or less makes another number of requests. */
const NOW = Math.floor(Date.now() / SECOND_MS) * SECOND_MS;

let list: CallListBehaviour;
const { url } = await startCallList(() => list);

beforeEach(() => {
	jest.spyOn(Date, 'now').mockImplementation(() => list.now);
});

afterEach(() => {
	jest.restoreAllMocks();
});

const NEWEST_FIRST: CallListBehaviour['compare'] = (a, b) => b.createdAt - a.createdAt;
const OLDEST_FIRST: CallListBehaviour['compare'] = (a, b) => a.createdAt - b.createdAt;

/** Calls with the same distance, the last of which ends at a time. */
const callsUntil = (end: number, count: number, overMs: number, firstId = 1): HistoryCall[] =>
	Array.from({ length: count }, (_, index) => {
		const endsAt = end - Math.floor(((count - 1 - index) * overMs) / count / SECOND_MS) * SECOND_MS;
		return { id: firstId + index, createdAt: endsAt - SECOND_MS, endsAt, finalStatus: 'completed' };
	});

/** A trigger that is published when these calls exist. */
async function published(
	history: HistoryCall[],
	compare = NEWEST_FIRST,
	parameters = {},
	showId?: CallListBehaviour['showId'],
): Promise<PollNode> {
	list = {
		history,
		compare,
		maxPerPage: 100,
		zoneMs: 0,
		msPerRequest: 0,
		now: NOW,
		requestCount: 0,
		isDown: false,
		showId,
	};
	const trigger = new PollNode(n8nWith({ baseUrl: url, apiToken: 'token' }), parameters);
	await trigger.publish();
	return trigger;
}

async function requestsOf(trigger: PollNode): Promise<number> {
	list.requestCount = 0;
	await trigger.poll();
	return list.requestCount;
}

describe('the requests of a poll', () => {
	it('do not depend on how many calls have finished', async () => {
		const trigger = await published(callsUntil(NOW, 10_000, DAY_MS));
		expect(await requestsOf(trigger)).toBe(1);
	});

	it('reach back to the oldest call that is open, and no further', async () => {
		const history = callsUntil(NOW, 10_000, DAY_MS);
		const open = history.at(-250);
		if (!open) throw new Error('There are not enough calls');
		open.endsAt += DAY_MS;
		const trigger = await published(history);
		expect(await requestsOf(trigger)).toBe(3);
	});

	it('do not grow for ever because of a call that never ends', async () => {
		const history = callsUntil(NOW, 100, DAY_MS / 100);
		const open = history.at(-1);
		if (!open) throw new Error('There are not enough calls');
		open.endsAt = Infinity;
		const trigger = await published(history);
		const perDay = [];
		for (let day = 1; day <= 3; day++) {
			list.now += DAY_MS;
			history.push(...callsUntil(list.now, 500, DAY_MS, history.length + 1));
			await trigger.poll();
			perDay.push(await requestsOf(trigger));
		}
		expect(perDay).toEqual([6, 1, 1]);
	});

	it('reach far back once for an open call that the service has removed', async () => {
		const history = callsUntil(NOW, 10_000, DAY_MS);
		for (const call of history.slice(-1)) call.endsAt = Infinity;
		const trigger = await published(history);
		history.pop();
		const perPoll = [];
		for (let minute = 0; minute < 3; minute++) {
			list.now += 60 * SECOND_MS;
			perPoll.push(await requestsOf(trigger));
		}
		expect(perPoll).toEqual([20, 1, 1]);
	});

	it('are few when a list by ID has a call that is dated in the future', async () => {
		const history = callsUntil(NOW, 10_000, DAY_MS);
		const trigger = await published(history, (a, b) => b.id - a.id);
		list.now += 60 * SECOND_MS;
		const [wrong, ...right] = callsUntil(list.now, 3, 30 * SECOND_MS, history.length + 1);
		if (!wrong) throw new Error('There are not enough calls');
		history.push({ ...wrong, shownAt: () => NOW + 7 * DAY_MS }, ...right);
		expect(await requestsOf(trigger)).toBe(1);
		expect(trigger.startedIds.sort()).toEqual([10_001, 10_002, 10_003]);
	});

	it('read a few days of a list in another order, and not its history', async () => {
		const history = callsUntil(NOW, 10_000, 100 * DAY_MS);
		const trigger = await published(history, OLDEST_FIRST);
		expect(await requestsOf(trigger)).toBeLessThanOrEqual(3);
	});

	it('are one for each of 1,000 assistants', async () => {
		const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
		const trigger = await published([], NEWEST_FIRST, onAssistants(...ids));
		trigger.n8n.credentialReads = 0;
		expect(await requestsOf(trigger)).toBe(1_000);
		expect(trigger.n8n.credentialReads).toBe(1);
	});
});

describe('a manual run on a long list', () => {
	const newestOf = async (compare: CallListBehaviour['compare'], statuses: string[]) => {
		const history = callsUntil(NOW, 2_500, DAY_MS);
		for (const call of history.slice(-150)) call.finalStatus = 'failed';
		const trigger = await published(history, compare, { filters: { statuses } });
		list.requestCount = 0;
		const [item] = await trigger.fetchTestEvent();
		return { id: item?.id, requests: list.requestCount };
	};

	it('shows the newest call when the oldest come first', async () => {
		expect(await newestOf(OLDEST_FIRST, ['failed'])).toEqual({ id: 2_500, requests: 11 });
	});

	it('shows the newest match when the oldest come first', async () => {
		expect(await newestOf(OLDEST_FIRST, ['completed'])).toEqual({ id: 2_350, requests: 12 });
	});

	it('reads one page when the newest come first', async () => {
		expect(await newestOf(NEWEST_FIRST, ['failed'])).toEqual({ id: 2_500, requests: 1 });
	});

	it('reads ten pages at each end when no call matches', async () => {
		const history = callsUntil(NOW, 2_500, DAY_MS);
		const parameters = { filters: { statuses: ['busy'] } };
		const trigger = await published(history, OLDEST_FIRST, parameters);
		list.requestCount = 0;
		expect((await failureOf(trigger.fetchTestEvent())).name).toBe('NodeOperationError');
		expect(list.requestCount).toBe(20);
	});
});

it('10,000 calls that finished since the last poll are all handed out, and few are kept in mind', async () => {
	const trigger = await published(callsUntil(NOW, 100, DAY_MS));
	list.now += DAY_MS;
	list.history.push(...callsUntil(list.now, 10_000, DAY_MS, 101));
	expect(await requestsOf(trigger)).toBe(101);
	expect(new Set(trigger.startedIds).size).toBe(10_000);
	expect(await requestsOf(trigger)).toBe(1);
	expect(trigger.executions).toHaveLength(1);
	// Two hours of calls, each with its ID and time.
	expect(JSON.stringify(trigger.database).length).toBeLessThan(25_000);
});

describe('a clock of the service that steps back by 8 hours', () => {
	it.each([
		[1_000, 6_000, 100],
		[10_000, 32_000, 600],
	])('with %i calls a day, loses none', async (perDay, maxSize, maxRequests) => {
		const history = callsUntil(NOW, perDay, DAY_MS);
		// As if the service gave nine of ten IDs to calls of other accounts.
		const trigger = await published(history, NEWEST_FIRST, {}, (id) => 5_000_000 + 10 * id);
		let size = 0;
		list.requestCount = 0;
		for (let hour = 1; hour <= 48; hour++) {
			list.now += DAY_MS / 24;
			const coming = callsUntil(list.now, perDay / 24, DAY_MS / 24, history.length + 1);
			for (const call of coming) {
				call.shownAt = () => call.createdAt - (hour > 24 ? DAY_MS / 3 : 0);
			}
			history.push(...coming);
			await trigger.poll();
			size = Math.max(size, JSON.stringify(trigger.database).length);
		}
		expect(new Set(trigger.startedIds).size).toBe(trigger.startedIds.length);
		expect(trigger.startedIds).toHaveLength(history.length - perDay);
		expect(size).toBeLessThan(maxSize);
		expect(list.requestCount).toBeLessThan(maxRequests);
	});
});
