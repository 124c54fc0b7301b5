import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from './errors';
import { asText, recordsIn } from './json';

/** The most rows that the service gives in one page (contract: Limits). */
export const MAX_PER_PAGE = 100;

/** Gets the envelope of a page, counted from 1 (contract: Paginated list envelope). */
export type ReadPage = (page: number) => Promise<IDataObject>;

interface Page {
	rows: IDataObject[];
	/** How many records the list had when the page was read; undefined where the service does not say. */
	total?: number;
	/** Number of the last page, as far as this page tells. */
	last: number;
}

const unexpected = (what: string) =>
	new ServiceError({
		message: `The list cannot be read: ${what}`,
		nextStep: 'Run the step again later. If it fails again, ask your provider.',
	});

const numberIn = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/**
 * The number of the last page by all that the envelope says: `last_page` alone may be missing or wrong.
 *
 * @param page number of the page that the envelope belongs to
 * @param rowCount how many rows it holds
 */
export function lastPage(envelope: IDataObject, page: number, rowCount: number): number {
	const { last_page: last, total, per_page: perPage, next_page_url: next } = envelope;
	const bySize = Math.ceil((numberIn(total) ?? 0) / (numberIn(perPage) ?? MAX_PER_PAGE));
	const byLink = rowCount > 0 && asText(next) !== '' ? page + 1 : page;
	return Math.max(numberIn(last) ?? 0, bySize, byLink);
}

async function readOne(readPage: ReadPage, page: number): Promise<Page> {
	const envelope = await readPage(page);
	const { data, current_page: current, total } = envelope;
	if (!Array.isArray(data)) throw unexpected('the answer has no records');
	if (current !== undefined && Number(current) !== page) {
		throw unexpected(`the service sent another page when asked for page ${page}`);
	}
	const rows = recordsIn(data);
	return { rows, total: numberIn(total), last: lastPage(envelope, page, rows.length) };
}

const idsOf = (rows: IDataObject[]) => rows.map(({ id }) => asText(id)).join();

/**
 * Reads a list page by page, by page number: an address in an answer (`next_page_url`) is never
 * followed, because it would receive the token.
 *
 * Where the service tells how many records there are, several pages are asked for at once. A page that
 * was read from an older state of the list than the page before it is read again: records could have
 * moved from the one to the other in between.
 *
 * @param readPage gets one page
 * @param ahead how many further pages may be asked for now; asked anew after each page
 * @returns the rows of one page after another; stop iterating and no further page is asked for
 * @throws {ServiceError} when an answer is no list, or a page comes a second time
 */
export async function* pages(
	readPage: ReadPage,
	ahead: () => number = () => 1,
): AsyncGenerator<IDataObject[]> {
	const asked = new Map<number, Promise<Page>>();
	const ask = (number: number): Promise<Page> => {
		const page = asked.get(number) ?? readOne(readPage, number);
		asked.set(number, page);
		// It is awaited in its turn; until then Node would call a rejection unhandled.
		page.catch(() => undefined);
		return page;
	};

	let previous = '';
	let latestTotal = 0;
	let last = 1;
	let count = 0;
	try {
		for (let number = 1; number <= last || count < latestTotal; number++) {
			let page = await ask(number);
			asked.delete(number);
			if ((page.total ?? latestTotal) < latestTotal) page = await readOne(readPage, number);
			const { rows, total } = page;
			// A list that has grown by exactly a page shows the same rows one page later.
			const hasGrown = (total ?? latestTotal) > latestTotal;
			if (rows.length > 0 && idsOf(rows) === previous && !hasGrown) {
				throw unexpected(`the service sent another page when asked for page ${number}`);
			}
			count += rows.length;
			if (rows.length === 0 && (total ?? 0) > count) {
				throw unexpected(`the service reports ${total} records, but sent ${count}`);
			}
			yield rows;
			if (rows.length === 0) return;
			previous = idsOf(rows);
			last = Math.max(last, page.last);
			latestTotal = total ?? latestTotal;
			const until = total === undefined ? number : number + ahead();
			for (let next = number + 1; next <= Math.min(until, last); next++) void ask(next);
		}
	} finally {
		await Promise.allSettled(asked.values());
	}
}
