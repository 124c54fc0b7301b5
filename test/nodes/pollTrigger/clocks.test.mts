import { describe, expect, it } from '@jest/globals';
import { IDS, ORDERS, startCallList, type HistoryCall } from '../../support/trigger/callList.mts';
import type { EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';
import { sampled } from '../../support/sample.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const QUARTER_MS = 15 * MINUTE_MS;

const PUBLISHED_AT = Date.UTC(2026, 2, 2, 12);

const { list, published, pollAfter } = await startCallList();

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

/** A number of polls with the same distance. */
async function poll(trigger: EmulatedPollNode, count: number, everyMs = QUARTER_MS): Promise<void> {
	for (let index = 0; index < count; index++) await pollAfter(trigger, everyMs);
}

const getIds = (history: HistoryCall[]) => history.map(({ id }) => id);

const FUTURE = Date.UTC(2099, 0, 1);
const AFTER_IT = PUBLISHED_AT + MINUTE_MS;

describe('40 calls, one each 15 minutes, while the clock of the service steps back in the middle', () => {
	const cases = (['newest first', 'oldest first', 'by id, the highest first'] as const).flatMap(
		(order) => [
			...[1, 3, 5.5].map((hours) => ({ hours, order, ids: 'numbers that rise' as const })),
			...(['numbers that rise', 'numbers that do not rise', 'texts'] as const).map((ids) => ({
				hours: 8,
				order,
				ids,
			})),
		],
	);

	it.each(sampled(cases, 6))(
		'are handed out once: by $hours hours, $order, IDs are $ids',
		async ({ hours, order, ids }) => {
			const showId = IDS[ids];
			const history = calls(60, PUBLISHED_AT - 60 * QUARTER_MS);
			// Several pages, so that a call can be on a page that is not read.
			const behaviour = { compare: ORDERS[order], showId, maxPerPage: 20 };
			const trigger = await published({ history, ...behaviour });
			const coming = calls(40, AFTER_IT, QUARTER_MS, 61);
			for (const call of coming.slice(20)) {
				call.shownAt = () => call.createdAt - hours * HOUR_MS;
			}
			history.push(...coming);
			await poll(trigger, 41);
			expect(trigger.startedIds).toEqual(coming.map(({ id }) => showId(id)));
		},
	);
});

it('the number of calls does not hide for more than a day a call with an earlier date, when another one is removed', async () => {
	const history = calls(60, PUBLISHED_AT - DAY_MS);
	const trigger = await published({ history, maxPerPage: 20 });
	const coming = calls(1, AFTER_IT, QUARTER_MS, 61);
	for (const call of coming) call.shownAt = () => call.createdAt - 20 * HOUR_MS;
	history.splice(0, 1, ...coming);
	await pollAfter(trigger, HOUR_MS);
	expect(trigger.startedIds).toEqual([]);
	await pollAfter(trigger, DAY_MS);
	expect(trigger.startedIds).toEqual([61]);
});

it('a call that is dated in the future starts the workflow once, and those after it too', async () => {
	const history = calls(5, PUBLISHED_AT - DAY_MS);
	const trigger = await published({ history });
	const coming = calls(9, AFTER_IT, QUARTER_MS, 6);
	let isCorrected = false;
	for (const call of coming.slice(2, 3)) {
		call.shownAt = () => (isCorrected ? call.createdAt : FUTURE);
	}
	history.push(...coming);
	await poll(trigger, 6);
	isCorrected = true;
	await poll(trigger, 2);
	await trigger.publish();
	await poll(trigger, 2);
	expect(trigger.startedIds).toEqual(getIds(coming));
});

describe("n8n's clock", () => {
	it.each([
		['a week ahead', WEEK_MS],
		['a week behind', -WEEK_MS],
	])('loses nothing when it is %s at the publish, and right later', async (_what, n8nAheadMs) => {
		for (const history of [[], calls(60, PUBLISHED_AT - DAY_MS)]) {
			const trigger = await published({ history, n8nAheadMs });
			const coming = calls(40, AFTER_IT, QUARTER_MS, 61);
			history.push(...coming);
			await poll(trigger, 20);
			list.n8nAheadMs = 0;
			await poll(trigger, 21);
			expect(trigger.startedIds).toEqual(getIds(coming));
		}
	});

	it.each([
		['ahead', WEEK_MS],
		['behind', -WEEK_MS],
	])('loses nothing when it is a week %s for a day', async (_what, wrongMs) => {
		const history = calls(60, PUBLISHED_AT - DAY_MS);
		const trigger = await published({ history });
		const coming = calls(288, AFTER_IT, QUARTER_MS, 61);
		history.push(...coming);
		for (const n8nAheadMs of [0, wrongMs, 0]) {
			list.n8nAheadMs = n8nAheadMs;
			await poll(trigger, 24, HOUR_MS);
		}
		await pollAfter(trigger, HOUR_MS);
		expect(trigger.startedIds).toEqual(getIds(coming));
	});
});

it('a step of the service further back than calls are watched is told in the log, with the number of calls', async () => {
	const history = calls(60, PUBLISHED_AT - DAY_MS);
	const trigger = await published({ history });
	const coming = calls(3, AFTER_IT, QUARTER_MS, 61);
	for (const call of coming) call.shownAt = () => call.createdAt - 2 * DAY_MS;
	history.push(...coming);
	await poll(trigger, 2, HOUR_MS);
	expect(trigger.startedIds).toEqual([]);
	expect(trigger.warnings).toEqual([
		"Calls that did not start the workflow, because they were dated a day or more before others when they came: 3. The clock of the service may have gone back, so ask your provider. Get the calls with 'Call → Get Many' and the dates.",
	]);
});
