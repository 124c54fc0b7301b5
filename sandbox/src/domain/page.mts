import type { Schemas } from '../contract/schemas.mts';

/** Which section of a list is wanted. */
export interface PageRequest {
	page: number;
	perPage: number;
}

/** The paginated list envelope. */
export type Page<Item> = Schemas['PageEnvelope'] & { data: Item[] };

/**
 * Wraps one page of items.
 * @param items the items of this page
 * @param total number of items on all pages
 * @param path full URL of the list, without query
 * @param givenQuery the query as it was sent, so that every link asks for the same
 */
export function envelope<Item>(
	items: Item[],
	total: number,
	{ page, perPage }: PageRequest,
	path: string,
	givenQuery: { [name: string]: string },
): Page<Item> {
	const last = Math.max(1, Math.ceil(total / perPage));
	const url = (number: number): string => {
		const search = new URLSearchParams(givenQuery);
		search.set('page', String(number));
		return `${path}?${search.toString()}`;
	};
	const previous = page > 1 ? url(Math.min(page - 1, last)) : null;
	const next = page < last ? url(page + 1) : null;
	const skipped = items.length > 0 ? (page - 1) * perPage : 0;
	return {
		current_page: page,
		data: items,
		first_page_url: url(1),
		from: items.length > 0 ? skipped + 1 : 0,
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
		to: items.length > 0 ? skipped + items.length : 0,
		total,
	};
}
