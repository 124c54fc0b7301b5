import type { Response } from '../base/response.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { Condition, Row, Section, Table } from '../store/table.mts';

/** The query of a list. */
export interface PageQuery {
	page: number;
	per_page: number;
}

/** A list as a request asks for it. */
interface WantedList<Item extends Row> {
	table: Table<Item>;
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
	const total = table.count(conditions);
	const last = Math.max(1, Math.ceil(total / perPage));
	const url = (number: number): string => {
		const search = new URLSearchParams(givenQuery);
		search.set('page', String(number));
		return `${path}?${search.toString()}`;
	};
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
			...Array.from({ length: last }, (_, index) => ({
				url: url(index + 1),
				label: String(index + 1),
				active: index + 1 === page,
			})),
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
