import { ask } from './api.mjs';
import { button, empty, table } from './components.mjs';
import { html } from './vendor/preact.js';

/** Rows that are shown at first, and that "Load more" adds. */
export const PAGE = 50;

/** So many rows come at once, at most. */
const MOST_ROWS = 500;

const NOTHING_FITS = 'Nothing fits these filters. Change them, or search for something shorter.';

/**
 * Loads the newest rows of a list with `limit` and `before`.
 * @type {(path: string, filters: object, count: number) => Promise<Row>}
 */
export async function loadList(path, filters, count) {
	/** @type {Row[]} */
	const rows = [];
	/** @type {Row} */
	let page;
	do {
		const limit = Math.min(count - rows.length, MOST_ROWS);
		page = await ask(path, { ...filters, limit, before: rows.at(-1)?.id });
		rows.push(...page.data);
	} while (page.more && rows.length < count);
	const isFiltered = Object.values(filters).some(Boolean);
	return { rows, more: page.more, total: page.total, isFiltered };
}

/**
 * The rows that {@link loadList} has loaded, and a button for more.
 * @type {(parts: List, loaded: Row, context: Context) => Children}
 */
export function list(
	{ label, nothing, columns, merge },
	{ rows, more, total, isFiltered },
	context,
) {
	if (rows.length === 0) return empty(isFiltered ? NOTHING_FITS : nothing);
	const shown = rows.length.toLocaleString('en');
	return html`
		<div class="list">
			${table(label, merge?.(rows, context) ?? rows, columns, '', context)}
			<p class="more">
				<span class="muted">${shown} of ${total.toLocaleString('en')}</span>
				${more && button('Load more', context.loadMore)}
			</p>
		</div>
	`;
}
