import { ask } from './api.mjs';
import { empty, table } from './components.mjs';
import { h } from './dom.mjs';
import { changeQuery } from './route.mjs';

/** @typedef {import('./api.mjs').Row} Row */
/** @typedef {import('./dom.mjs').Children} Children */
/** @typedef {import('./route.mjs').Route} Route */

/**
 * What a list has loaded so far; lives as long as its address.
 * @typedef {{ rows: Row[], more: boolean, total: number | undefined, wantsMore: boolean }} ListState
 */

/** Rows of a page. */
const PAGE = 50;
/** So many rows come at once, at most. */
const MOST_ROWS = 500;
/** Milliseconds from the last key to the search. */
const TYPING_MS = 200;

/** @returns {ListState} */
export const newList = () => ({ rows: [], more: false, total: undefined, wantsMore: false });

/**
 * Loads the rows that are shown again, and an older page when it is wanted. Of more rows than come at
 * once, the oldest stay as they are.
 *
 * @param {string} path of a list with `limit` and `before`, newest first
 * @param {{ [name: string]: unknown }} filters
 * @param {ListState} state changed
 */
export async function loadList(path, filters, state) {
	const limit = Math.min(Math.max(PAGE, state.rows.length), MOST_ROWS);
	const newest = await ask(path, { query: { ...filters, limit } });
	const lowest = newest['data'].at(-1)?.id ?? 0;
	const isConnected = newest['more'] && lowest <= (state.rows[0]?.id ?? 0);
	const older = isConnected ? state.rows.filter(({ id }) => id < lowest) : [];
	if (older.length === 0) state.more = newest['more'];
	state.rows = [...newest['data'], ...older];
	state.total = newest['total'];
	if (!state.wantsMore) return;
	state.wantsMore = false;
	const before = state.rows.at(-1)?.id;
	const page = await ask(path, { query: { ...filters, limit: PAGE, before } });
	state.rows.push(...page['data']);
	state.more = page['more'];
}

/**
 * One filter above a list.
 * @typedef {{ name: string, label: string, options?: Array<[value: string, text: string]> }} Filter
 *   without options it is a search
 */

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;

/**
 * The filters above a list. They are in the address, so a filtered list is a link.
 *
 * @param {Route} route
 * @param {Filter[]} filters
 * @param {...Children} others
 */
export function filterBar(route, filters, ...others) {
	return h(
		'form',
		{
			class: 'filters',
			role: 'search',
			onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
		},
		filters.map(({ name, label, options }) =>
			h('label', {}, h('span', {}, label), field(route, name, options)),
		),
		...others,
	);
}

/**
 * @param {Route} route
 * @param {string} name
 * @param {Filter['options']} options
 */
function field(route, name, options) {
	const value = route.query[name] ?? '';
	if (options) {
		return h(
			'select',
			{
				name,
				onchange: (/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
					changeQuery({ [name]: currentTarget.value }),
			},
			h('option', { value: '' }, 'All'),
			options.map(([key, text]) => h('option', { value: key, selected: key === value }, text)),
		);
	}
	return h('input', {
		type: 'search',
		name,
		value,
		autocomplete: 'off',
		spellcheck: 'false',
		oninput: (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
			clearTimeout(typing);
			typing = setTimeout(() => changeQuery({ [name]: currentTarget.value }), TYPING_MS);
		},
	});
}

/**
 * The rows that are loaded, and a button for more.
 *
 * @param {object} parts
 * @param {string} parts.label
 * @param {string[]} parts.columns
 * @param {ListState} parts.state
 * @param {(row: Row) => Children[]} parts.cells
 * @param {Children} parts.nothing what to say while there are no rows
 * @param {boolean} parts.isFiltered
 * @param {number} [parts.selected]
 * @param {() => void} parts.refresh
 */
export function list({ label, columns, state, cells, nothing, isFiltered, selected, refresh }) {
	if (state.rows.length === 0) {
		return isFiltered
			? empty('Nothing fits these filters. Change them, or search for something shorter.')
			: empty(nothing);
	}
	const { rows, more, total } = state;
	return h(
		'div',
		{ class: 'list' },
		table(
			label,
			columns,
			rows.map((row) => ({
				key: row['id'],
				selected: row['id'] === selected,
				cells: cells(row),
			})),
		),
		h(
			'p',
			{ class: 'more' },
			h(
				'span',
				{ class: 'muted' },
				total === undefined
					? `${rows.length.toLocaleString('en')} shown`
					: `${rows.length.toLocaleString('en')} of ${total.toLocaleString('en')}`,
			),
			more &&
				h(
					'button',
					{
						type: 'button',
						onclick: () => {
							state.wantsMore = true;
							refresh();
						},
					},
					'Load more',
				),
		),
	);
}
