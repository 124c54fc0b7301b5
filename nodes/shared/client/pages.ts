import type { IDataObject } from 'n8n-workflow';

import { booleanIn } from '../fields/booleans';
import { asText, isRecord, recordsIn } from '../values/json';
import { serviceText } from '../values/serviceText';
import { ServiceError, TRY_LATER } from './errors';

/** The most rows that the service gives in one page (contract: Limits). */
export const MAX_PER_PAGE = 100;

/** The most records that are read of a list. n8n fails when one item gives about 150,000 (n8n 2.0, 2.41). */
export const MAX_RECORDS = 100_000;

/** A service that gives fewer records in each page than it was asked for would need more requests. */
const MAX_PAGES = MAX_RECORDS / 10;

/** Gets the envelope of a page; pages count from 1 (contract: Paginated list envelope). */
export type ReadEnvelope = (page: number) => Promise<IDataObject>;

interface Page {
	rows: IDataObject[];
	/** How many records the list had when the page was read; undefined when the service does not say. */
	total?: number;
	/** Number of the last page, as this page tells it. */
	last: number;
	tellsTheEnd: boolean;
	/** Whether it has as many records as a page can have. */
	isFull: boolean;
}

const unreadableList = (what: string, nextStep = TRY_LATER) =>
	new ServiceError({ message: `The list cannot be read: ${what}`, nextStep });

/** Time does not help there. */
const ASK_FOR_FORM = 'Ask your provider in which field of the answer the records of a list are.';

const anotherPage = (asked: number) =>
	unreadableList(
		`the service sent another page when asked for page ${asked}`,
		'Try again later. If it fails again, ask your provider whether its lists have pages by number.',
	);

/** What n8n's log says of a list that may not be whole. */
export const MAY_BE_LONGER =
	'The list may be longer than what was read: the service sent its first page again in place of the second one, and does not say how many records there are. Ask your provider whether its lists have pages by number.';

/** The list has more than {@link MAX_RECORDS} records. */
export class ListTooLong extends ServiceError {
	constructor() {
		super({
			message: `The list has more than ${MAX_RECORDS.toLocaleString('en')} records, too many to read at once`,
			nextStep: 'Narrow the list with filters, such as a range of dates, or set a limit.',
		});
	}
}

const numberIn = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The fields that tell whether there is another page: `next_page_url`, `next_cursor`, `has_more`. */
const MORE = /^(has_?more(_?pages)?|(has_?)?next(_?(page|cursor|token|url))*)$/i;

/** Whether an envelope says that there is another page; undefined when it does not tell. */
function saysMore(envelope: IDataObject): boolean | undefined {
	const said = [envelope, ...Object.values(envelope).filter(isRecord)].flatMap((part) =>
		Object.keys(part).flatMap((name) => (MORE.test(name) ? [part[name]] : [])),
	);
	if (said.some((value) => booleanIn(value) ?? asText(value) !== '')) return true;
	return said.some((value) => value !== undefined) ? false : undefined;
}

/** Whether an envelope has a field that tells where the list ends. */
const tellsTheEnd = (envelope: IDataObject): boolean =>
	[envelope.last_page, envelope.total].some((value) => numberIn(value) !== undefined) ||
	saysMore(envelope) !== undefined;

/**
 * The number of the last page. It takes several fields of the envelope into account, because
 * `last_page` may be missing or wrong. Without any of them, another page follows each full one.
 *
 * @param page number of the envelope's page
 * @param rowCount number of rows in the page
 */
export function lastPage(envelope: IDataObject, page: number, rowCount: number): number {
	const { last_page: last, total, per_page: perPage } = envelope;
	const bySize = Math.ceil((numberIn(total) ?? 0) / (numberIn(perPage) ?? MAX_PER_PAGE));
	const isFull = !tellsTheEnd(envelope) && rowCount === (numberIn(perPage) ?? MAX_PER_PAGE);
	const byLink = isFull || (rowCount > 0 && saysMore(envelope)) ? page + 1 : page;
	return Math.max(numberIn(last) ?? 0, bySize, byLink);
}

/**
 * The records of a page.
 *
 * @throws {ServiceError} when the envelope has no list
 */
export function rowsIn({ data, message }: IDataObject): IDataObject[] {
	const rows = recordsIn(data);
	if (Array.isArray(data) && (rows.length > 0 || data.length === 0)) return rows;
	const words = serviceText(asText(message));
	const said = words === '' ? '' : `, and says: ${words}`;
	throw unreadableList(`the answer has no records${said}`, ASK_FOR_FORM);
}

async function readFoundPage(readEnvelope: ReadEnvelope, page: number): Promise<Page> {
	const envelope = await readEnvelope(page);
	const { current_page: current, total } = envelope;
	const rows = rowsIn(envelope);
	if (current !== undefined && Number(current) !== page) {
		throw anotherPage(page);
	}
	const knowsEnd = tellsTheEnd(envelope);
	// That a page follows a full one is a guess, see `pages`.
	const last = knowsEnd ? lastPage(envelope, page, rows.length) : page;
	const isFull = rows.length === (numberIn(envelope.per_page) ?? MAX_PER_PAGE);
	return { rows, total: numberIn(total), last, tellsTheEnd: knowsEnd, isFull };
}

/**
 * Reads a page. Some services have no page behind the last (assumed: page-beyond-the-last). Then the page
 * before it tells whether the list has become shorter meanwhile.
 */
async function readPage(readEnvelope: ReadEnvelope, page: number): Promise<Page> {
	return await readFoundPage(readEnvelope, page).catch(async (error: unknown) => {
		if (page === 1 || !(error instanceof ServiceError) || error.httpCode !== '404') throw error;
		const before = await readPage(readEnvelope, page - 1);
		if (before.last >= page) throw error;
		return { ...before, rows: [] };
	});
}

const NO_PAGE: Page = { rows: [], last: 0, tellsTheEnd: false, isFull: false };

/** The statuses with which a service may refuse a page behind the last. */
const WITHOUT_PAGE = ['200', '400', '404', '416', '422'];

/** Whether a failure can say that there is no such page: a refusal, or another page in its place. */
const hasNoPage = (error: unknown): error is ServiceError =>
	error instanceof ServiceError &&
	(error.httpCode === undefined || WITHOUT_PAGE.includes(error.httpCode));

/** What tells pages apart. Only a custom API call can read records without an ID. */
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
 * @param onDoubt called when a full page came again, and nothing tells whether it was the whole list
 * @returns the rows of one page after another. When the caller stops, no further page is requested
 * @throws {ServiceError} when a response is no list, or a page comes twice; {ListTooLong}
 */
export async function* pages(
	readEnvelope: ReadEnvelope,
	ahead: () => number = () => 1,
	onDoubt: () => void = () => undefined,
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
	let latestTotal = 0;
	let firstSize: number | undefined;
	/** Whether nothing says that there is the next page. */
	let isGuess = false;
	let wasFull = false;
	let last = 1;
	let count = 0;
	try {
		for (let number = 1; number <= last || count < latestTotal; number++) {
			let page = await request(number).catch((error: unknown) => {
				if (!isGuess || !hasNoPage(error)) throw error;
				if (wasFull && error.httpCode === undefined) onDoubt();
				return NO_PAGE;
			});
			requested.delete(number);
			if ((page.total ?? latestTotal) < latestTotal) page = await readPage(readEnvelope, number);
			const { rows, total } = page;
			// When a list grows by exactly one page, its next page shows the same rows.
			const hasGrown = (total ?? latestTotal) > latestTotal;
			if (rows.length > 0 && pageKey(rows) === previous && !hasGrown) {
				if (page.tellsTheEnd) throw anotherPage(number);
				// A list without pages is sent whole each time.
				if (page.isFull) onDoubt();
				return;
			}
			count += rows.length;
			// This counts repeated records too, because a service may repeat its pages without end.
			if (count > MAX_RECORDS || number > MAX_PAGES) throw new ListTooLong();
			if (rows.length === 0 && (total ?? 0) > count) {
				throw unreadableList(`the service reports ${total} records, but sent ${count}`);
			}
			yield rows;
			if (rows.length === 0) return;
			previous = pageKey(rows);
			wasFull = page.isFull;
			last = Math.max(last, page.last);
			firstSize ??= rows.length;
			// A service may have smaller pages than it was asked for, and not tell where they end.
			isGuess = !page.tellsTheEnd && last === number && rows.length >= firstSize;
			if (isGuess) last = number + 1;
			latestTotal = total ?? latestTotal;
			const until = total === undefined ? number : number + ahead();
			for (let next = number + 1; next <= Math.min(until, last); next++) void request(next);
		}
	} finally {
		await Promise.allSettled(requested.values());
	}
}
