/** The most records of a page (contract: Limits). */
export const PER_PAGE = 100;

/**
 * Makes a page of a list (contract: Paginated list envelope).
 *
 * @param url the request, with `page` and `per_page`
 * @param total how many records the list has
 * @param recordAt makes the record at a place of the list; places count from 0
 */
export function listPage(url: URL, total: number, recordAt: (place: number) => object) {
	const page = Number(url.searchParams.get('page') ?? 1);
	const perPage = Number(url.searchParams.get('per_page') ?? 15);
	const lastPage = Math.max(1, Math.ceil(total / perPage));
	const skipped = (page - 1) * perPage;
	const length = Math.max(0, Math.min(perPage, total - skipped));
	const path = `${url.origin}${url.pathname}`;
	const address = (target: number): string => `${path}?per_page=${perPage}&page=${target}`;
	const neighbour = (target: number): string | null =>
		target >= 1 && target <= lastPage ? address(target) : null;
	return {
		current_page: page,
		data: Array.from({ length }, (_, index) => recordAt(skipped + index)),
		first_page_url: address(1),
		from: length === 0 ? 0 : skipped + 1,
		last_page: lastPage,
		last_page_url: address(lastPage),
		links: [
			{ url: neighbour(page - 1), label: '&laquo; Previous', active: false },
			{ url: address(page), label: String(page), active: true },
			{ url: neighbour(page + 1), label: 'Next &raquo;', active: false },
		],
		next_page_url: neighbour(page + 1),
		path,
		per_page: perPage,
		prev_page_url: neighbour(page - 1),
		to: skipped + length,
		total,
	};
}
