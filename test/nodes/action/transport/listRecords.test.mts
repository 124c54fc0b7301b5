import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { listRecords } from '../../../../nodes/VoiceAssistantCalling/transport/listRecords.ts';

/** The optional fields of an envelope. */
interface Tells {
	total?: boolean;
	lastPage?: boolean;
	nextPageUrl?: boolean;
}

const EVERYTHING: Required<Tells> = { total: true, lastPage: true, nextPageUrl: true };

/** How often a list holds a value. */
const times = <T,>(list: T[], value: T) => list.filter((other) => other === value).length;

const countDown = (from: number) => Array.from({ length: from }, (_, index) => from - index);

/**
 * A list, newest record first, that grows while it is read. The scheduler decides when the service reads
 * the list for a request, and when its response arrives.
 *
 * @param added how many records are added before the service's first read, its second read, …
 */
function growingList(scheduler: fc.Scheduler, count: number, added: number[], tells: Tells) {
	let newest = count;
	const looks: Array<{ page: number; perPage: number; newest: number; answered: boolean }> = [];
	let inFlight = 0;
	let mostInFlight = 0;
	const look = scheduler.scheduleFunction((page: number, perPage: number) => {
		newest += added[looks.length] ?? 0;
		const state = { page, perPage, newest, answered: false };
		looks.push(state);
		return Promise.resolve(state);
	});
	const arrive = scheduler.scheduleFunction((state: (typeof looks)[number]) => {
		state.answered = true;
		const { page, perPage, newest: total } = state;
		const ids = countDown(total).slice((page - 1) * perPage, page * perPage);
		const last = Math.ceil(total / perPage) || 1;
		return Promise.resolve<IDataObject>({
			data: ids.map((id) => ({ id })),
			current_page: page,
			per_page: perPage,
			...(tells.total && { total }),
			...(tells.lastPage && { last_page: last }),
			...(tells.nextPageUrl && { next_page_url: page < last ? 'https://x/?page=2' : null }),
		});
	});
	const readPage = async (page: number, perPage: number) => {
		mostInFlight = Math.max(mostInFlight, ++inFlight);
		const envelope = await arrive(await look(page, perPage));
		inFlight--;
		return envelope;
	};
	return { readPage, looks, mostInFlight: () => mostInFlight };
}

const idsOf = (records: IDataObject[]) => records.map(({ id }) => Number(id));

const atOnces = fc.integer({ min: 1, max: 8 });

describe('reading a list that grows', () => {
	const growth = fc.array(fc.nat(250), { maxLength: 12 });
	/** Without a total, a list that grows by a whole page between two reads looks like one that repeats a page. */
	const slowGrowth = fc.array(fc.nat(99), { maxLength: 12 });

	it.each<[string, Tells]>([
		['everything', EVERYTHING],
		['its total only', { total: true }],
		['its last page only', { lastPage: true }],
		['whether there is a next page only', { nextPageUrl: true }],
	])('returns each record once and in order, if the service sends %s', async (_what, tells) => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.nat(650),
				tells.total ? growth : slowGrowth,
				atOnces,
				async (scheduler, count, added, atOnce) => {
					const { readPage, looks } = growingList(scheduler, count, added, tells);
					const ids = idsOf(await scheduler.waitFor(listRecords(readPage, Infinity, atOnce)));
					const begin = looks[0]?.newest ?? 0;
					expect(new Set(ids).size).toBe(ids.length);
					expect(ids.filter((id) => id <= begin)).toEqual(countDown(begin));
				},
			),
		);
	});

	it('returns as many records as the limit says', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.nat(450),
				growth,
				fc.integer({ min: 1, max: 500 }),
				atOnces,
				async (scheduler, count, added, limit, atOnce) => {
					const { readPage, looks } = growingList(scheduler, count, added, EVERYTHING);
					const ids = idsOf(await scheduler.waitFor(listRecords(readPage, limit, atOnce)));
					const begin = looks[0]?.newest ?? 0;
					expect(new Set(ids).size).toBe(ids.length);
					expect(ids.length).toBeGreaterThanOrEqual(Math.min(begin, limit));
					expect(ids.length).toBeLessThanOrEqual(limit);
					const old = ids.filter((id) => id <= begin);
					expect(old).toEqual(countDown(begin).slice(0, old.length));
				},
			),
		);
	});

	it('requests a page twice only if it was older than a page before it', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.nat(650),
				growth,
				atOnces,
				async (scheduler, count, added, atOnce) => {
					const { readPage, looks } = growingList(scheduler, count, added, EVERYTHING);
					await scheduler.waitFor(listRecords(readPage, Infinity, atOnce));
					const asked = looks.map(({ page }) => page);
					for (const page of new Set(asked)) {
						if (times(asked, page) === 1) continue;
						expect(times(asked, page)).toBe(2);
						const first = looks.find((look) => look.page === page);
						const before = looks.filter((look) => look.page < page);
						expect(Math.max(...before.map((look) => look.newest))).toBeGreaterThan(
							first?.newest ?? Infinity,
						);
					}
				},
			),
		);
	});
});

describe('reading a list that does not change', () => {
	it('takes as few requests as possible, all of one size, and never more at once than allowed', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.nat(650),
				fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 700 })),
				atOnces,
				async (scheduler, count, limit, atOnce) => {
					const { readPage, looks, mostInFlight } = growingList(scheduler, count, [], EVERYTHING);
					const ids = idsOf(await scheduler.waitFor(listRecords(readPage, limit, atOnce)));
					const perPage = Math.min(100, limit);
					const pages = Math.max(1, Math.ceil(Math.min(count, limit) / perPage));
					expect(ids).toEqual(countDown(count).slice(0, limit));
					expect(looks.map(({ page }) => page).sort((a, b) => a - b)).toEqual(
						Array.from({ length: pages }, (_, index) => index + 1),
					);
					expect(new Set(looks.map((look) => look.perPage))).toEqual(new Set([perPage]));
					// The number of pages is known after the first page.
					expect(mostInFlight()).toBe(Math.max(1, Math.min(atOnce, pages - 1)));
				},
			),
		);
	});

	it.each<[string, Tells]>([
		['its last page', { lastPage: true }],
		['whether there is a next page', { nextPageUrl: true }],
	])('requests one page at a time if the service sends %s only', async (_what, tells) => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), fc.nat(650), atOnces, async (scheduler, count, atOnce) => {
				const { readPage, looks, mostInFlight } = growingList(scheduler, count, [], tells);
				const ids = idsOf(await scheduler.waitFor(listRecords(readPage, Infinity, atOnce)));
				expect(ids).toEqual(countDown(count));
				expect(looks).toHaveLength(Math.max(1, Math.ceil(count / 100)));
				expect(mostInFlight()).toBe(1);
			}),
		);
	});

	it('returns all records that have no id', async () => {
		const data = [{ name: 'a' }, { name: 'a' }];
		expect(await listRecords(() => Promise.resolve({ data, last_page: 1 }), Infinity, 10)).toEqual(
			data,
		);
	});
});

/** A service with a highest page size, whose envelope understates its pages. */
function sloppy(count: number, rowsPerPage: number, tells: IDataObject) {
	return (page: number): Promise<IDataObject> => {
		const from = (page - 1) * rowsPerPage;
		const data = countDown(count)
			.slice(from, from + rowsPerPage)
			.map((id) => ({ id }));
		const next = from + rowsPerPage < count ? `https://x/?page=${page + 1}` : null;
		const { next_page_url: tellsNext, ...rest } = tells;
		return Promise.resolve({
			data,
			current_page: page,
			...rest,
			...(tellsNext ? { next_page_url: next } : {}),
		});
	};
}

describe('a list whose envelope understates its length', () => {
	const counts = fc.integer({ min: 101, max: 450 });
	const wrong = fc.constantFrom<IDataObject>(
		{},
		{ last_page: null },
		{ last_page: 0 },
		{ last_page: 1 },
		{ last_page: 2 },
		{ last_page: 'many' },
	);

	it('is read to its end if the total says more', async () => {
		await fc.assert(
			fc.asyncProperty(counts, wrong, atOnces, async (count, last, atOnce) => {
				const readPage = sloppy(count, 100, { ...last, total: count });
				expect(idsOf(await listRecords(readPage, Infinity, atOnce))).toEqual(countDown(count));
			}),
		);
	});

	it('is read to its end if the total says more, and the pages are smaller than requested', async () => {
		await fc.assert(
			fc.asyncProperty(
				counts,
				fc.integer({ min: 10, max: 99 }),
				wrong,
				atOnces,
				async (count, size, last, atOnce) => {
					const readPage = sloppy(count, size, { ...last, total: count, per_page: size });
					expect(idsOf(await listRecords(readPage, Infinity, atOnce))).toEqual(countDown(count));
				},
			),
		);
	});

	it('is read to its end if the URL of the next page says more', async () => {
		await fc.assert(
			fc.asyncProperty(
				counts,
				fc.integer({ min: 10, max: 100 }),
				wrong,
				atOnces,
				async (count, size, last, atOnce) => {
					const readPage = sloppy(count, size, { ...last, next_page_url: true });
					expect(idsOf(await listRecords(readPage, Infinity, atOnce))).toEqual(countDown(count));
				},
			),
		);
	});

	it('ends with an error if the total says more, and a page is empty', async () => {
		await fc.assert(
			fc.asyncProperty(counts, wrong, atOnces, async (count, last, atOnce) => {
				const readPage = sloppy(count, 100, { ...last, total: count + 200 });
				await expect(listRecords(readPage, Infinity, atOnce)).rejects.toThrow(
					`The list cannot be read: the service reports ${count + 200} records, but sent ${count}`,
				);
			}),
		);
	});
});

describe('a list that cannot be read', () => {
	it('fails after all pending responses have arrived, and sends no further request', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.integer({ min: 2, max: 9 }),
				atOnces,
				async (scheduler, bad, atOnce) => {
					const { readPage, looks } = growingList(scheduler, 950, [], EVERYTHING);
					let pending = 0;
					const failing = async (page: number, perPage: number) => {
						pending++;
						const envelope = await readPage(page, perPage).finally(() => pending--);
						if (page === bad) throw new Error('It broke');
						return envelope;
					};
					const reading = listRecords(failing, Infinity, atOnce).then(
						() => undefined,
						(error: unknown) => ({ error, pending, asked: looks.length }),
					);
					const end = await scheduler.waitFor(reading);
					expect(end).toEqual({ error: new Error('It broke'), pending: 0, asked: looks.length });
					expect(Math.max(...looks.map(({ page }) => page))).toBeLessThanOrEqual(bad + atOnce);
				},
			),
		);
	});
});

describe('more than 100,000 records', () => {
	/** A service with 2,000 rows to a page, so that the list has few pages. */
	const large = (total: number) => (page: number) =>
		Promise.resolve({
			data: Array.from({ length: 2_000 }, (_, index) => ({ id: (page - 1) * 2_000 + index + 1 })),
			current_page: page,
			per_page: 2_000,
			total,
		});

	it.each([1, 10])('are refused, with %i pages at once', async (atOnce) => {
		await expect(listRecords(large(102_000), Infinity, atOnce)).rejects.toMatchObject({
			message: 'The list has more than 100,000 records, too many to read at once',
			nextStep: 'Narrow the list with filters, such as a range of dates, or set a limit.',
		});
	});

	it.each([1, 10])(
		'are not those that are exactly so many, with %i pages at once',
		async (atOnce) => {
			expect(await listRecords(large(100_000), Infinity, atOnce)).toHaveLength(100_000);
		},
	);
});
