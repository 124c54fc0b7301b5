import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemRanges } from '../../../nodes/VoiceAssistantCalling/transport/itemRanges.ts';
import { readRows } from '../../../nodes/VoiceAssistantCalling/transport/readRows.ts';
import { Run, RunStopped } from '../../../nodes/VoiceAssistantCalling/transport/run.ts';
import { Slots } from '../../../nodes/VoiceAssistantCalling/transport/slots.ts';
import { ServiceProblem } from '../../../nodes/shared/client/errors.ts';

describe('item ranges', () => {
	it.each([
		[[], ''],
		[[4], '4'],
		[[0, 1], '0–1'],
		[[2, 0, 1, 5, 8, 7], '0–2, 5, 7–8'],
	])('of %j are %j', (items, text) => {
		expect(itemRanges(items)).toBe(text);
	});

	it('name exactly the items they were made of, as shortly as can be', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.nat(60)), (items) => {
				const ranges = itemRanges(items)
					.split(', ')
					.filter(Boolean)
					.map((range) => range.split('–').map(Number));
				const named = ranges.flatMap(([from = 0, to = from]) =>
					Array.from({ length: to - from + 1 }, (_, index) => from + index),
				);
				expect(named).toEqual([...items].sort((a, b) => a - b));
				ranges.slice(1).forEach(([from = 0], index) => {
					expect(from).toBeGreaterThan((ranges[index]?.at(-1) ?? 0) + 1);
				});
			}),
		);
	});
});

describe('slots', () => {
	it('let at most so many in, first come first served, and are empty in the end', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.integer({ min: 1, max: 5 }),
				fc.integer({ min: 1, max: 20 }),
				async (scheduler, limit, visitors) => {
					const slots = new Slots(limit);
					const entered: number[] = [];
					let inside = 0;
					let most = 0;
					const work = scheduler.scheduleFunction(() => Promise.resolve());
					const visit = async (visitor: number) => {
						await slots.enter();
						entered.push(visitor);
						inside++;
						most = Math.max(most, inside);
						await work();
						inside--;
						slots.leave();
					};
					const visits = Array.from({ length: visitors }, (_, visitor) => visit(visitor));
					const empty = slots.empty().then(() => inside);
					await scheduler.waitFor(Promise.all(visits));

					expect(entered).toEqual(Array.from({ length: visitors }, (_, visitor) => visitor));
					expect(most).toBe(Math.min(limit, visitors));
					expect(await empty).toBe(0);
					await slots.empty();
				},
			),
		);
	});
});

/** How sending an item ends. */
type Ending = 'done' | 'refused' | 'uncertain';

const problemOf = (ending: Ending, item: number) =>
	new ServiceProblem({
		message: `${ending} ${item}`,
		description: '',
		uncertain: ending === 'uncertain',
	});

/** Runs items as n8n does, all at once, and tells what was sent and what came back. */
async function tryAll(
	run: Run,
	endings: Ending[],
	scheduler: fc.Scheduler,
	aloneAffected: boolean,
) {
	const started: number[] = [];
	let inFlight = 0;
	let most = 0;
	let startedAfterFailure = 0;
	let failed = false;
	const answer = scheduler.scheduleFunction((item: number) => Promise.resolve(endings[item]));
	const results = endings.map((_, item) =>
		run
			.carryOut(
				item,
				async () => {
					started.push(item);
					if (failed) startedAfterFailure++;
					most = Math.max(most, ++inFlight);
					const ending = (await answer(item)) ?? 'done';
					inFlight--;
					if (ending === 'done') return [{ json: { item } }];
					failed = true;
					throw problemOf(ending, item);
				},
				aloneAffected,
			)
			.catch((error: unknown) => error),
	);
	const settled = await scheduler.waitFor(Promise.all(results));
	return { started, most, startedAfterFailure, results: settled };
}

const endings = fc.array(fc.constantFrom<Ending>('done', 'done', 'done', 'refused', 'uncertain'), {
	minLength: 1,
	maxLength: 15,
});
const limits = fc.integer({ min: 1, max: 6 });
const itemsWith = (all: Ending[], wanted: Ending) =>
	all.flatMap((ending, item) => (ending === wanted ? [item] : []));

describe('a run', () => {
	it('sends every item once and keeps its limit when failures concern their item only', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), endings, limits, async (scheduler, all, limit) => {
				const { started, most, results } = await tryAll(
					new Run(limit, all.length),
					all,
					scheduler,
					true,
				);
				expect(started).toEqual(all.map((_, item) => item));
				expect(most).toBeLessThanOrEqual(limit);
				results.forEach((result, item) => {
					const ending = all[item] ?? 'done';
					if (ending === 'done') expect(result).toEqual([{ json: { item } }]);
					else expect(result).toEqual(problemOf(ending, item));
				});
			}),
		);
	});

	it('starts nothing after a failure, and tells everyone the same: what failed, what went through', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), endings, limits, async (scheduler, all, limit) => {
				const { started, startedAfterFailure, results } = await tryAll(
					new Run(limit, all.length),
					all,
					scheduler,
					false,
				);
				expect(startedAfterFailure).toBe(0);
				const done = started.filter((item) => all[item] === 'done');
				const stops = results.filter((result) => result instanceof RunStopped);
				expect(results.length - stops.length).toBe(done.length);
				for (const { item, problem, done: told } of stops) {
					expect(all[item]).not.toBe('done');
					expect(problem.message).toBe(`${all[item]} ${item}`);
					expect([...told].sort((a, b) => a - b)).toEqual(done);
					expect(item).toBe(stops[0]?.item);
				}
			}),
		);
	});

	it.each([true, false])(
		'that is tried again sends neither what went through nor what may have (alone: %j)',
		async (aloneAffected) => {
			await fc.assert(
				fc.asyncProperty(fc.scheduler(), endings, limits, async (scheduler, all, limit) => {
					const run = new Run(limit, all.length);
					const sent: number[] = [];
					for (let attempt = 0; attempt < 4; attempt++) {
						sent.push(...(await tryAll(run, all, scheduler, aloneAffected)).started);
					}
					const times = (item: number) => sent.filter((other) => other === item).length;
					for (const item of [...itemsWith(all, 'done'), ...itemsWith(all, 'uncertain')]) {
						expect(times(item)).toBeLessThanOrEqual(1);
					}
				}),
			);
		},
	);

	it('that n8n broke off sends nothing', async () => {
		const run = new Run(10, 3);
		const send = () => Promise.reject(new Error('This must not be sent'));
		expect(await Promise.all([run.carryOut(0, send, false), run.carryOut(1, send, false)])).toEqual(
			[undefined, undefined],
		);
	});
});

describe('reading rows', () => {
	/** A list, newest first, to which records are added between the requests. */
	function growingList(count: number, added: number[]) {
		let ids = Array.from({ length: count }, (_, index) => count - index);
		const requests: Array<{ page: number; perPage: number }> = [];
		const readPage = (page: number, perPage: number) => {
			requests.push({ page, perPage });
			const data = ids.slice((page - 1) * perPage, page * perPage).map((id) => ({ id }));
			const envelope = {
				data,
				current_page: page,
				last_page: Math.ceil(ids.length / perPage) || 1,
			};
			const newest = ids[0] ?? 0;
			const more = added[requests.length - 1] ?? 0;
			ids = [...Array.from({ length: more }, (_, index) => newest + more - index), ...ids];
			return Promise.resolve(envelope);
		};
		return { readPage, requests };
	}

	it('gives each record once and misses none, however the pages shift', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(450),
				fc.array(fc.nat(99), { maxLength: 6 }),
				async (count, added) => {
					const { readPage } = growingList(count, added);
					const rows = await readRows(readPage, Infinity);
					expect(rows.map(({ id }) => id)).toEqual(
						Array.from({ length: count }, (_, index) => count - index),
					);
				},
			),
		);
	});

	it('gives so many as the limit says, by as few requests as can be, all of one size', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(450), fc.integer({ min: 1, max: 500 }), async (count, limit) => {
				const { readPage, requests } = growingList(count, []);
				const rows = await readRows(readPage, limit);
				const perPage = Math.min(100, limit);
				expect(rows).toHaveLength(Math.min(count, limit));
				expect(requests).toHaveLength(Math.max(1, Math.ceil(rows.length / perPage)));
				expect(new Set(requests.map((request) => request.perPage))).toEqual(new Set([perPage]));
			}),
		);
	});

	it('keeps records without an id', async () => {
		const data = [{ name: 'a' }, { name: 'b' }];
		expect(await readRows(() => Promise.resolve({ data, last_page: 1 }), Infinity)).toEqual(data);
	});
});
