import type { IDataObject } from 'n8n-workflow';

import { LISTS } from '../records/responseBody';
import { asText, recordsIn } from '../values/json';
import { serviceText } from '../values/serviceText';
import { ServiceError, TRY_LATER } from './errors';

/** The most rows that the service gives in one page (contract: Limits). */
export const MAX_PER_PAGE = 100;

/** The most records that are read of a list. n8n fails when one item gives about 150,000 (n8n.md#many-items). */
export const MAX_RECORDS = 100_000;

/** A service that gives fewer records in each page than it was asked for would need more requests. */
const MAX_PAGES = MAX_RECORDS / 10;

/** Gets the envelope of a page; pages count from 1 (contract: Paginated list envelope). */
export type ReadEnvelope = (page: number) => Promise<IDataObject>;

/** Where the reading of a list begins. */
export interface PagePlace {
	page: number;
	/** How many records stand before the page. */
	count: number;
}

export const FIRST_PAGE: PagePlace = { page: 1, count: 0 };

interface Page {
	rows: IDataObject[];
	/** How many records the list had when the page was read; undefined when the service does not say. */
	total?: number;
	/** Number of the last page, as this page tells it. */
	last: number;
}

const unreadableList = (what: string, nextStep = TRY_LATER) =>
	new ServiceError({ message: `The list cannot be read: ${what}`, nextStep });

const anotherPage = (asked: number) =>
	unreadableList(
		`the service sent another page when asked for page ${asked}`,
		'Try again later. If it fails again, ask your provider whether its lists have pages by number.',
	);

/** The list has more than {@link MAX_RECORDS} records. */
export class ListTooLong extends ServiceError {
	constructor() {
		super({
			message: `The list has more than ${MAX_RECORDS.toLocaleString('en')} records, too many to read at once`,
			nextStep: 'Narrow the list with filters, such as a range of dates, or set a limit.',
		});
	}
}

/** What a list has that is sent as a whole (public-service: page-envelope). */
const WHOLE_LIST = [...LISTS, 'message'];

/** The envelope of a list that comes as a whole, however long it is. One that has pages stays as it is. */
export const asWholeList = (envelope: IDataObject): IDataObject =>
	Object.keys(envelope).every((name) => WHOLE_LIST.includes(name))
		? { ...envelope, last_page: 1 }
		: envelope;

/** What to do about an answer of another form. */
function askProvider(envelope: IDataObject): string {
	const names = Object.keys(envelope).filter((name) => envelope[name] !== undefined);
	const words = asText(envelope.message);
	const said = words === '' ? '' : ` It says: ${serviceText(words)}`;
	return `The fields of the answer: ${serviceText(names.join(', ')) || 'none'}.${said} Ask your provider.`;
}

/**
 * The number of the last page. A list without an envelope has one page.
 *
 * @param page number of the envelope's page
 * @throws {ServiceError} when there may be further pages, but `last_page` is no number
 */
export function lastPage(envelope: IDataObject, page: number): number {
	const { last_page: last } = envelope;
	if (typeof last === 'number') return Math.max(last, page);
	if (Object.keys(envelope).every((name) => WHOLE_LIST.includes(name))) return page;
	throw unreadableList('the answer does not say how many pages it has', askProvider(envelope));
}

/**
 * The records of a page.
 *
 * @throws {ServiceError} that names the fields that came, when the envelope has no list
 */
export function rowsIn(envelope: IDataObject): IDataObject[] {
	const { data } = envelope;
	const rows = recordsIn(data);
	if (Array.isArray(data) && rows.length === data.length) return rows;
	throw unreadableList('the answer has no list of records', askProvider(envelope));
}

async function readPage(readEnvelope: ReadEnvelope, page: number): Promise<Page> {
	const envelope = await readEnvelope(page);
	const { current_page: current, total } = envelope;
	const rows = rowsIn(envelope);
	if (current !== undefined && Number(current) !== page) throw anotherPage(page);
	const last = lastPage(envelope, page);
	// A list that is sent whole, and happens to be as long as a page, looks like its first page.
	if (envelope.last_page === undefined && rows.length === MAX_PER_PAGE) {
		throw unreadableList('the answer does not say how many pages it has', askProvider(envelope));
	}
	return { rows, total: typeof total === 'number' ? total : undefined, last };
}

/** What tells pages apart, also where records have no ID. */
const pageKey = (rows: IDataObject[]) =>
	rows.map((row) => asText(row.id) || JSON.stringify(row)).join();

/**
 * Reads a list page by page, by page number. A URL in a response (`next_page_url`) is never followed,
 * because it would receive the token.
 *
 * When the service tells how many records there are, several pages are requested at the same time. A
 * page is read again when it shows an older state of the list than the page before it: records can have
 * moved between the two pages.
 *
 * @param ahead how many further pages may be requested now; called after each page
 * @param start the first page to read
 * @param readsMovedRows whether to read the pages before once more when the list has become shorter: their ends have
 * records that nobody has read. The others of these pages come twice
 * @returns the rows of one page after another. When the caller stops, no further page is requested
 * @throws {ServiceError} when a response is no list, or a page comes twice; {ListTooLong}
 */
export async function* paginate(
	readEnvelope: ReadEnvelope,
	ahead: () => number = () => 1,
	start = FIRST_PAGE,
	readsMovedRows = false,
): AsyncGenerator<IDataObject[]> {
	const requested = new Map<number, Promise<Page>>();
	const request = (number: number): Promise<Page> => {
		const page = requested.get(number) ?? readPage(readEnvelope, number);
		requested.set(number, page);
		// The page is awaited later. Without this, Node would report an early rejection as unhandled.
		page.catch(() => undefined);
		return page;
	};

	let previous = '';
	let previousLength = 0;
	let latestTotal = 0;
	let last = start.page;
	let { count } = start;
	try {
		for (let number = start.page; number <= last || count < latestTotal; number++) {
			let page = await request(number);
			requested.delete(number);
			if ((page.total ?? latestTotal) < latestTotal) {
				page = await readPage(readEnvelope, number);
				// Records were taken away, so others have moved to the pages before.
				const moved = readsMovedRows ? latestTotal - (page.total ?? latestTotal) : 0;
				const from = Math.max(start.page, number - Math.ceil(moved / Math.max(1, previousLength)));
				for (let before = from; moved > 0 && before < number; before++) {
					yield (await readPage(readEnvelope, before)).rows;
				}
			}
			const { rows, total } = page;
			// When a list grows by exactly one page, its next page shows the same rows.
			const hasGrown = (total ?? latestTotal) > latestTotal;
			if (rows.length > 0 && pageKey(rows) === previous && !hasGrown) throw anotherPage(number);
			count += rows.length;
			// This counts repeated records too, because a service may repeat its pages without end.
			if (count > MAX_RECORDS || number > MAX_PAGES) throw new ListTooLong();
			if (rows.length === 0 && (total ?? 0) > count) {
				throw unreadableList(`the service reports ${total} records, but sent ${count}`);
			}
			yield rows;
			if (rows.length === 0) return;
			previous = pageKey(rows);
			previousLength = rows.length;
			last = Math.max(last, page.last);
			latestTotal = total ?? latestTotal;
			const until = total === undefined ? number : number + ahead();
			for (let next = number + 1; next <= Math.min(until, last); next++) void request(next);
		}
	} finally {
		await Promise.allSettled(requested.values());
	}
}
