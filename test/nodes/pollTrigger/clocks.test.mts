import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { n8nWith } from '../../support/n8n/n8n.mts';
import {
	startCallList,
	type CallListBehaviour,
	type HistoryCall,
} from '../../support/trigger/callList.mts';
import { PollNode } from '../../support/trigger/pollNode.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const QUARTER_MS = 15 * MINUTE_MS;

const PUBLISHED_AT = Date.UTC(2026, 2, 2, 12);

let list: CallListBehaviour;
const { url } = await startCallList(() => list);

/** How far n8n's clock is ahead of the real time. */
let n8nAheadMs = 0;

beforeEach(() => {
	n8nAheadMs = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => list.now + n8nAheadMs);
});

afterEach(() => {
	jest.restoreAllMocks();
});

const ORDERS = {
	'newest first': (a, b) => b.createdAt - a.createdAt || b.id - a.id,
	'oldest first': (a, b) => a.createdAt - b.createdAt || a.id - b.id,
	'highest ID first': (a, b) => b.id - a.id,
} satisfies Record<string, CallListBehaviour['compare']>;

const IDS = {
	'numbers that rise': (id) => id,
	'numbers that do not rise': (id) => (id * 7_919) % 10_007,
	texts: (id) => `call-${(id * 7_919) % 10_007}`,
} satisfies Record<string, (id: number) => number | string>;

/** Calls with the same distance, each of a minute. @param firstAt when the first one is created */
const calls = (count: number, firstAt: number, everyMs = QUARTER_MS, firstId = 1): HistoryCall[] =>
	Array.from({ length: count }, (_, index) => {
		const createdAt = firstAt + index * everyMs;
		return {
			id: firstId + index,
			createdAt,
			endsAt: createdAt + MINUTE_MS,
			finalStatus: 'completed',
		};
	});

/** A trigger that is published when these calls have finished. */
async function published(
	past: HistoryCall[] = [],
	behaviour: Partial<CallListBehaviour> = {},
): Promise<PollNode> {
	list = {
		history: [...past],
		compare: ORDERS['newest first'],
		maxPerPage: 100,
		zoneMs: 0,
		msPerRequest: 0,
		now: PUBLISHED_AT,
		requestCount: 0,
		isDown: false,
		...behaviour,
	};
	const trigger = new PollNode(n8nWith({ baseUrl: url, apiToken: 'token' }));
	await trigger.publish();
	return trigger;
}

/** Lets time pass, with a poll at its end. */
async function pollAfter(trigger: PollNode, ms: number): Promise<void> {
	list.now += ms;
	await trigger.poll();
}

const startedIds = (trigger: PollNode) => trigger.executions.flat().map(({ id }) => id);

const AFTER_IT = PUBLISHED_AT + MINUTE_MS;

describe('40 calls, one each 15 minutes, while the clock of the service steps back in the middle', () => {
	const orders = Object.entries(ORDERS).map(([order, compare]) => ({ order, compare }));
	const ids = Object.entries(IDS).map(([idsAre, showId]) => ({ idsAre, showId }));
	const cases = orders.flatMap((order) => [
		...[1, 3, 5.5].map((hours) => ({ hours, ...order, ...ids[0] })),
		...ids.map((id) => ({ hours: 8, ...order, ...id })),
	]);

	it.each(cases)(
		'are handed out once: by $hours hours, $order, IDs are $idsAre',
		async ({ hours, compare, showId = IDS.texts }) => {
			const past = calls(60, PUBLISHED_AT - 60 * QUARTER_MS);
			// Several pages, so that a call can be on a page that is not read.
			const trigger = await published(past, { compare, showId, maxPerPage: 10 });
			const coming = calls(40, AFTER_IT, QUARTER_MS, 61);
			for (const call of coming.slice(20)) {
				call.shownAt = () => call.createdAt - hours * HOUR_MS;
			}
			list.history.push(...coming);
			for (let poll = 0; poll < 41; poll++) await pollAfter(trigger, QUARTER_MS);
			expect(startedIds(trigger)).toEqual(coming.map(({ id }) => showId(id)));
		},
	);
});

describe('the number of calls', () => {
	it('does not hide for more than a day a call with an earlier date, when another one is removed', async () => {
		const past = calls(60, PUBLISHED_AT - DAY_MS);
		const trigger = await published(past, { maxPerPage: 20 });
		const coming = calls(1, AFTER_IT, QUARTER_MS, 61);
		for (const call of coming) call.shownAt = () => call.createdAt - 20 * HOUR_MS;
		list.history.splice(0, 1, ...coming);
		await pollAfter(trigger, HOUR_MS);
		expect(startedIds(trigger)).toEqual([]);
		await pollAfter(trigger, DAY_MS);
		expect(startedIds(trigger)).toEqual([61]);
	});
});

describe('a call that is dated in the future', () => {
	const FUTURE = Date.UTC(2099, 0, 1);

	it('starts the workflow once, and those after it too', async () => {
		const trigger = await published(calls(5, PUBLISHED_AT - DAY_MS));
		const coming = calls(9, AFTER_IT, QUARTER_MS, 6);
		let isCorrected = false;
		for (const call of coming.slice(2, 3)) {
			call.shownAt = () => (isCorrected ? call.createdAt : FUTURE);
		}
		list.history.push(...coming);
		for (let poll = 0; poll < 6; poll++) await pollAfter(trigger, QUARTER_MS);
		isCorrected = true;
		for (let poll = 0; poll < 2; poll++) await pollAfter(trigger, QUARTER_MS);
		await trigger.publish();
		for (let poll = 0; poll < 2; poll++) await pollAfter(trigger, QUARTER_MS);
		expect(startedIds(trigger)).toEqual(coming.map(({ id }) => id));
	});
});

describe("n8n's clock", () => {
	it.each([
		['a week ahead', WEEK_MS],
		['a week behind', -WEEK_MS],
	])('loses nothing when it is %s at the publish, and right later', async (_what, wrongMs) => {
		for (const past of [[], calls(60, PUBLISHED_AT - DAY_MS)]) {
			n8nAheadMs = wrongMs;
			const trigger = await published(past);
			const coming = calls(40, AFTER_IT, QUARTER_MS, 61);
			list.history.push(...coming);
			for (let poll = 0; poll < 41; poll++) {
				if (poll === 20) n8nAheadMs = 0;
				await pollAfter(trigger, QUARTER_MS);
			}
			expect(startedIds(trigger)).toEqual(coming.map(({ id }) => id));
		}
	});

	it.each([
		['ahead', WEEK_MS],
		['behind', -WEEK_MS],
	])('loses nothing when it is a week %s for a day', async (_what, wrongMs) => {
		const trigger = await published(calls(60, PUBLISHED_AT - DAY_MS));
		const coming = calls(288, AFTER_IT, QUARTER_MS, 61);
		list.history.push(...coming);
		for (let hour = 0; hour <= 72; hour++) {
			n8nAheadMs = hour >= 24 && hour < 48 ? wrongMs : 0;
			await pollAfter(trigger, HOUR_MS);
		}
		expect(startedIds(trigger)).toEqual(coming.map(({ id }) => id));
	});
});

describe('a step of the service further back than calls are watched', () => {
	it('is told in the log, with the number of calls', async () => {
		const trigger = await published(calls(60, PUBLISHED_AT - DAY_MS));
		const coming = calls(3, AFTER_IT, QUARTER_MS, 61);
		for (const call of coming) call.shownAt = () => call.createdAt - 2 * DAY_MS;
		list.history.push(...coming);
		await pollAfter(trigger, HOUR_MS);
		await pollAfter(trigger, HOUR_MS);
		expect(startedIds(trigger)).toEqual([]);
		expect(trigger.warnings).toEqual([
			"Calls that did not start the workflow, because they were dated a day or more before others when they came: 3. The clock of the service may have gone back, so ask your provider. Get the calls with 'Call → Get Many' and the dates.",
		]);
	});
});

describe('the static data of version 0.1.0', () => {
	const NEWEST = PUBLISHED_AT - QUARTER_MS;

	/** The last of them is open for an hour. */
	function recentCalls(): HistoryCall[] {
		const past = calls(3, PUBLISHED_AT - 3 * QUARTER_MS);
		for (const call of past.slice(2)) call.endsAt = PUBLISHED_AT + HOUR_MS;
		return past;
	}

	/** A trigger that was published after some calls, with a cursor as version 0.1.0 stored it. */
	async function upgraded(cursor: IDataObject, past = recentCalls()): Promise<PollNode> {
		const trigger = await published(past, { maxPerPage: 20 });
		list.history.push(...calls(9, AFTER_IT, QUARTER_MS, 4));
		list.now += HOUR_MS;
		trigger.database = {
			'node:Finished Calls': {
				...(trigger.database['node:Finished Calls'] as IDataObject),
				cursors: { 'any/any': cursor },
			},
		};
		await trigger.restart();
		return trigger;
	}

	it.each([
		[
			'after a call',
			{
				newest: NEWEST,
				publishedAt: PUBLISHED_AT,
				open: { 3: NEWEST },
				finished: { 1: NEWEST - 2 * QUARTER_MS, 2: NEWEST - QUARTER_MS },
			},
			[3, 4, 5, 6, 7],
		],
		[
			'before the first call',
			{ publishedAt: PUBLISHED_AT, open: {}, finished: {} },
			[1, 2, 3, 4, 5, 6, 7],
		],
	])('goes on: %s', async (_what, cursor, expected) => {
		const trigger = await upgraded(cursor);
		expect(startedIds(trigger)).toEqual(expected);
		await pollAfter(trigger, HOUR_MS);
		await pollAfter(trigger, HOUR_MS);
		expect(startedIds(trigger)).toEqual([...expected, 8, 9, 10, 11, 12]);
		expect(trigger.warnings).toEqual([]);
	});

	it('go on with a call that was open for hours', async () => {
		const past = calls(60, PUBLISHED_AT - 60 * QUARTER_MS);
		for (const call of past.slice(0, 1)) call.endsAt = PUBLISHED_AT + HOUR_MS;
		const [open, newest] = [0, -1].map((index) => past.at(index)?.createdAt ?? 0);
		const cursor = { newest, publishedAt: PUBLISHED_AT, open: { 1: open }, finished: {} };
		const trigger = await upgraded(cursor, past);
		expect(startedIds(trigger)).toContain(1);
	});

	it.each([
		[
			'a call dated in the future',
			{
				newest: Date.UTC(2099, 0, 1),
				publishedAt: PUBLISHED_AT,
				open: {},
				finished: { 3: Date.UTC(2099, 0, 1) },
			},
		],
		["n8n's clock at the publish", { publishedAt: PUBLISHED_AT + WEEK_MS, open: {}, finished: {} }],
	])('starts anew, and says so, after %s', async (_what, cursor) => {
		const trigger = await upgraded(cursor);
		expect(startedIds(trigger)).toEqual([]);
		await pollAfter(trigger, HOUR_MS);
		await pollAfter(trigger, HOUR_MS);
		expect(startedIds(trigger)).toEqual([8, 9, 10, 11, 12]);
		expect(trigger.warnings).toEqual([
			"Times in the future have kept calls from starting the workflow. From now on, calls start it again when they finish. Get the others with 'Call → Get Many' and the dates.",
		]);
	});
});
