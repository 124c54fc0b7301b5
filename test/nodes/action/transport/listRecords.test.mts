import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { listRecords } from '../../../../nodes/VoiceAssistantCalling/transport/listRecords.ts';
import { forAny } from '../../../support/forAny.mts';

/** How often a list holds a value. */
const times = <T,>(list: T[], value: T) => list.filter((other) => other === value).length;

const countDown = (from: number) => Array.from({ length: from }, (_, index) => from - index);

/**
 * A list, newest record first, that grows while it is read. The scheduler decides when the service reads
 * the list for a request, and when its response arrives.
 *
 * @param added how many records are added before the service's first read, its second read, …
 * @param hasTotal whether a page says how many records there are
 */
function growingList(scheduler: fc.Scheduler, count: number, added: number[], hasTotal: boolean) {
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
		return Promise.resolve<IDataObject>({
			data: ids.map((id) => ({ id })),
			current_page: page,
			per_page: perPage,
			last_page: Math.ceil(total / perPage) || 1,
			...(hasTotal && { total }),
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

const getIds = (records: IDataObject[]) => records.map(({ id }) => Number(id));

/** The list before it is read, and how it is read. */
const list = {
	scheduler: fc.scheduler(),
	count: fc.nat(650),
	atOnce: fc.integer({ min: 1, max: 8 }),
};

const growth = fc.array(fc.nat(250), { maxLength: 12 });
/** Without a total, a list that grows by a whole page between two reads looks like one that repeats a page. */
const slowGrowth = fc.array(fc.nat(99), { maxLength: 12 });

interface Reading {
	scheduler: fc.Scheduler;
	count: number;
	atOnce: number;
	added?: number[];
	limit?: number;
}

/** Reads a list. @returns its IDs in the order of the records, and what the service saw */
async function read(
	{ scheduler, count, atOnce, added = [], limit = Infinity }: Reading,
	hasTotal = true,
) {
	const { readPage, looks, mostInFlight } = growingList(scheduler, count, added, hasTotal);
	const ids = getIds(await scheduler.waitFor(listRecords(readPage, limit, atOnce)));
	return { ids, looks, begin: looks[0]?.newest ?? 0, mostInFlight: mostInFlight() };
}

describe('reading a list that grows', () => {
	it.each([true, false])(
		'returns each record once and in order, with a total: %j',
		async (hasTotal) => {
			const growing = fc.record({ ...list, added: hasTotal ? growth : slowGrowth });
			await forAny(growing, async (reading) => {
				const { ids, begin } = await read(reading, hasTotal);
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids.filter((id) => id <= begin)).toEqual(countDown(begin));
			});
		},
	);

	it('requests a page twice only if it was older than a page before it', async () => {
		await forAny(fc.record({ ...list, added: growth }), async (reading) => {
			const { looks } = await read(reading);
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
		});
	});
});

describe('reading a list that does not change', () => {
	it('takes as few requests as possible, all of one size, and never more at once than allowed', async () => {
		const limit = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 700 }));
		await forAny(fc.record({ ...list, limit }), async (reading) => {
			const { ids, looks, mostInFlight } = await read(reading);
			const { count, limit, atOnce } = reading;
			const perPage = Math.min(100, limit);
			const pages = Math.max(1, Math.ceil(Math.min(count, limit) / perPage));
			expect(ids).toEqual(countDown(count).slice(0, limit));
			expect(looks.map(({ page }) => page).sort((a, b) => a - b)).toEqual(
				Array.from({ length: pages }, (_, index) => index + 1),
			);
			expect(new Set(looks.map((look) => look.perPage))).toEqual(new Set([perPage]));
			// The number of pages is known after the first page.
			expect(mostInFlight).toBe(Math.max(1, Math.min(atOnce, pages - 1)));
		});
	});

	it('requests one page at a time if the service sends no total', async () => {
		await forAny(fc.record(list), async (reading) => {
			const { ids, looks, mostInFlight } = await read(reading, false);
			expect(ids).toEqual(countDown(reading.count));
			expect(looks).toHaveLength(Math.max(1, Math.ceil(reading.count / 100)));
			expect(mostInFlight).toBe(1);
		});
	});

	it('returns all records that have no id', async () => {
		const data = [{ name: 'a' }, { name: 'a' }];
		const readPage = () => Promise.resolve({ data, last_page: 1 });
		expect(await listRecords(readPage, Infinity, 10)).toEqual(data);
	});
});

/** A service with a highest page size, whose last page is wrong. */
const sloppy =
	(count: number, perPage: number, total: number, last_page: number) =>
	(page: number): Promise<IDataObject> => {
		const ids = countDown(count).slice((page - 1) * perPage, page * perPage);
		const data = ids.map((id) => ({ id }));
		return Promise.resolve({ data, current_page: page, last_page, total });
	};

describe('a list whose envelope understates its last page', () => {
	const understated = fc.record({
		count: fc.integer({ min: 101, max: 450 }),
		size: fc.integer({ min: 10, max: 100 }),
		last: fc.nat(2),
		atOnce: list.atOnce,
	});

	it('is read to its end if the total says more', async () => {
		await forAny(understated, async ({ count, size, last, atOnce }) => {
			const readPage = sloppy(count, size, count, last);
			expect(getIds(await listRecords(readPage, Infinity, atOnce))).toEqual(countDown(count));
		});
	});

	it('ends with an error if the total says more, and a page is empty', async () => {
		await forAny(understated, async ({ count, last, atOnce }) => {
			const readPage = sloppy(count, 100, count + 200, last);
			await expect(listRecords(readPage, Infinity, atOnce)).rejects.toThrow(
				`The list cannot be read: the service reports ${count + 200} records, but sent ${count}`,
			);
		});
	});
});

it('a list that cannot be read fails after all pending responses, and sends no further request', async () => {
	const broken = fc.record({ ...list, bad: fc.integer({ min: 2, max: 9 }) });
	await forAny(broken, async ({ scheduler, bad, atOnce }) => {
		const { readPage, looks } = growingList(scheduler, 950, [], true);
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
	});
});

describe('more than 100,000 records', () => {
	/** A service with 2,000 rows to a page, so that the list has few pages. */
	const large = (total: number, number: (page: number) => number) => (page: number) =>
		Promise.resolve({
			data: Array.from({ length: 2_000 }, (_, row) => ({ id: number(page) * 2_000 + row })),
			current_page: page,
			last_page: total / 2_000,
			total,
		});
	const itself = (page: number) => page;

	it.each([
		['1 page', 1, itself, Infinity],
		['1 page and a limit', 1, itself, 150_000],
		['10 pages', 10, itself, Infinity],
	])('are refused, with %s at once', async (_what, atOnce, number, limit) => {
		await expect(listRecords(large(102_000, number), limit, atOnce)).rejects.toMatchObject({
			message: 'The list has more than 100,000 records, too many to read at once',
			nextStep: 'Narrow the list with filters, such as a range of dates, or set a limit.',
		});
	});

	it.each([1, 10])('are not those that are exactly so many, %i pages at once', async (atOnce) => {
		expect(await listRecords(large(100_000, itself), Infinity, atOnce)).toHaveLength(100_000);
	});
});
