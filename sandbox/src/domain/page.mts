import type { Response } from '../base/apiError.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { Condition, Row, Section, Table } from '../store/table.mts';

export interface PageQuery {
	page: number;
	per_page: number;
}

interface WantedList<Item extends Row> {
	table: Pick<Table<Item>, 'select' | 'count'>;
	conditions: Array<Condition<Item>>;
	order?: Pick<Section<Item>, 'by' | 'newestFirst'>;
	query: PageQuery;
	/** full URL of the list, without query */
	path: string;
	/** the query as it was sent: every link repeats it */
	givenQuery: { [name: string]: string };
	show: (item: Item) => object;
}

/** The response with one page of a list. */
export function pageResponse<Item extends Row>(list: WantedList<Item>): Response {
	const { table, conditions, order, path, givenQuery } = list;
	const { page, per_page: perPage } = list.query;
	const skipped = (page - 1) * perPage;
	const data = table
		.select(conditions, { ...order, limit: perPage, offset: skipped })
		.map(list.show);
	// A page that is not full is the last one: nothing needs to be counted.
	const isLast = data.length < perPage && (data.length > 0 || page === 1);
	const total = isLast ? skipped + data.length : table.count(conditions);
	const last = Math.max(1, Math.ceil(total / perPage));
	const url = (number: number): string => {
		const search = new URLSearchParams(givenQuery);
		search.set('page', String(number));
		return `${path}?${search.toString()}`;
	};
	const link = (number: number | null) => ({
		url: number === null ? null : url(number),
		label: number === null ? '...' : String(number),
		active: number === page,
	});
	const previous = page > 1 ? url(Math.min(page - 1, last)) : null;
	const next = page < last ? url(page + 1) : null;
	const body: Schemas['PageEnvelope'] & { data: object[] } = {
		current_page: page,
		data,
		first_page_url: url(1),
		from: data.length > 0 ? skipped + 1 : 0,
		last_page: last,
		last_page_url: url(last),
		links: [
			{ url: previous, label: '&laquo; Previous', active: false },
			...linkedPages(page, last).map(link),
			{ url: next, label: 'Next &raquo;', active: false },
		],
		next_page_url: next,
		path,
		per_page: perPage,
		prev_page_url: previous,
		to: data.length > 0 ? skipped + data.length : 0,
		total,
	};
	return { status: 200, body };
}

/** Up to this many pages, all are linked. */
const MAX_LINKED_PAGES = 13;

/** Of more pages, so many are linked on each side of the present one, and at the beginning and end. */
const BESIDE = 3;
const AT_ENDS = 2;

/** The pages that a page links, with null where some are left out (assumption: empty-page). */
function linkedPages(page: number, last: number): Array<number | null> {
	if (last <= MAX_LINKED_PAGES) return range(1, last);
	const window = BESIDE + 2 * AT_ENDS;
	const first = range(1, AT_ENDS);
	const final = range(last - AT_ENDS + 1, last);
	if (page <= window) return [...range(1, window + BESIDE), null, ...final];
	if (page > last - window) return [...first, null, ...range(last - window - BESIDE + 1, last)];
	return [...first, null, ...range(page - BESIDE, page + BESIDE), null, ...final];
}

const range = (from: number, to: number): number[] =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);
