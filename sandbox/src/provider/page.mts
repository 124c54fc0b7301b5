import type { Assumptions } from '../contract/assumptions.mts';
import type { Schemas } from '../contract/schemas.mts';
import { providerList, without, type Fields } from './values.mts';

/** A page of a list, as the service shows it. */
export type Page = Schemas['PageEnvelope'] & { data: unknown };

/** What is around the records of a list (assumptions: page-envelope, missing-fields, list-form). */
export function providerPage(
	given: Page & { data: unknown[] },
	assumptions: Assumptions,
): Fields | unknown[] {
	const missing = assumptions['missing-fields'].page;
	const page = { ...given, data: providerList(given.data, assumptions) };
	switch (assumptions['page-envelope']) {
		case 'flat':
			return without(page, missing);
		case 'meta':
			return pageWithMeta(page, missing);
		case 'in-data':
			return { data: without(page, missing) };
		case 'has-more': {
			const hasMore = given.current_page < given.last_page;
			return { data: page.data, has_more: hasMore, next_cursor: hasMore ? String(given.to) : null };
		}
		case 'bare':
			return page.data;
	}
}

/** The records beside `links` and `meta`. */
function pageWithMeta(page: Page, missing?: string[]): Fields {
	const { data, first_page_url, last_page_url, prev_page_url, next_page_url, ...meta } = page;
	const links = [
		['first', 'first_page_url', first_page_url],
		['last', 'last_page_url', last_page_url],
		['prev', 'prev_page_url', prev_page_url],
		['next', 'next_page_url', next_page_url],
	] as const;
	const shown = links.filter(([, field]) => !missing?.includes(field));
	return {
		data,
		links: Object.fromEntries(shown.map(([name, , url]) => [name, url])),
		meta: without(meta, missing),
	};
}
