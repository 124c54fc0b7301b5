import { h } from './dom.mjs';
import { dateTime, pretty } from './format.mjs';
import { hrefOf } from './route.mjs';

/** @typedef {import('./api.mjs').Row} Row */
/** @typedef {import('./dom.mjs').Children} Children */

/** How a status is coloured. Every other one is neutral. */
const TONES = /** @type {{ [status: string]: string }} */ ({
	answered: 'good',
	completed: 'good',
	delivered: 'good',
	ended: 'good',
	ended_by_assistant: 'good',
	ended_by_customer: 'good',
	sent: 'good',
	active: 'good',
	busy: 'warn',
	'no-answer': 'warn',
	cancelled: 'warn',
	warning: 'warn',
	'reached-max-retries': 'warn',
	error: 'bad',
	failed: 'bad',
	initiated: 'live',
	ringing: 'live',
	'in-progress': 'live',
	pending: 'live',
	'in flight': 'live',
	running: 'live',
	started: 'live',
});

/** @param {string} status */
export const toneOf = (status) => TONES[status] ?? 'plain';

/**
 * A status as a coloured word.
 * @param {string | number | null | undefined} status a word of the service, or an HTTP status
 */
export function badge(status) {
	if (status === null || status === undefined || status === '') return undefined;
	const tone =
		typeof status === 'string'
			? toneOf(status)
			: status >= 500
				? 'bad'
				: status >= 400
					? 'warn'
					: 'good';
	return h('span', { class: `badge ${tone}` }, String(status).replaceAll('_', ' '));
}

/**
 * A link to a record, such as "Lead 5".
 *
 * @param {string} view
 * @param {string} label
 * @param {number | null | undefined} id
 * @param {string | null} [name] in place of label and id
 */
export function recordLink(view, label, id, name) {
	if (id === null || id === undefined) return undefined;
	return h(
		'a',
		{ href: hrefOf(view, id), class: name ? undefined : 'short' },
		name || `${label} ${id}`,
	);
}

/**
 * Names and values. What has no value is left out.
 * @param {Array<[name: string, value: Children]>} rows
 */
export function facts(rows) {
	const given = rows.filter(([, value]) => value !== undefined && value !== null && value !== '');
	return h(
		'dl',
		{ class: 'facts' },
		given.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
	);
}

/**
 * The fields of an object, such as the variables of a call, or what to say when there are none.
 *
 * @param {Row | null | undefined} values
 * @param {string} empty
 */
export function values(values, empty) {
	const entries = Object.entries(values ?? {});
	if (entries.length === 0) return h('p', { class: 'muted' }, empty);
	return facts(
		entries.map(([name, value]) => [
			name,
			typeof value === 'object' ? JSON.stringify(value) : String(value),
		]),
	);
}

/**
 * A part of a page with its heading.
 *
 * @param {string} title
 * @param {...Children} content
 */
export function section(title, ...content) {
	return h('section', { class: 'card', key: `section ${title}` }, h('h2', {}, title), ...content);
}

/**
 * JSON or text as it was sent.
 *
 * @param {string} title
 * @param {unknown} value
 * @param {boolean} [open]
 */
export function body(title, value, open = true) {
	if (value === null || value === undefined || value === '') {
		return h('p', { class: 'muted' }, `${title}: empty`);
	}
	return h(
		'details',
		{ open },
		h('summary', {}, title),
		h('pre', { tabindex: '0', role: 'group', 'aria-label': title }, pretty(value)),
	);
}

/**
 * @param {string} title
 * @param {Row | null | undefined} headers
 */
export function headers(title, headers) {
	const entries = Object.entries(headers ?? {});
	if (entries.length === 0) return undefined;
	return h(
		'details',
		{},
		h('summary', {}, `${title} (${entries.length})`),
		facts(entries.map(([name, value]) => [name, String(value)])),
	);
}

/**
 * Tells which fault rule hit a request or a webhook.
 * @param {Row} record
 */
export function faultNote({ fault_rule: rule, fault }) {
	if (!rule && !fault) return undefined;
	return h(
		'div',
		{ class: 'why' },
		h('p', {}, h('strong', {}, `The fault rule ${rule?.id ?? fault} hit it.`)),
		rule && h('pre', { tabindex: '0', role: 'group', 'aria-label': 'Fault rule' }, pretty(rule)),
	);
}

/** @param {...Children} content says what there would be, and what to do */
export const empty = (...content) => h('p', { class: 'empty' }, ...content);

/** Columns whose cells need no label on a phone. */
const PLAIN = [
	'Action',
	'About',
	'Call',
	'Lead',
	'Status',
	'State',
	'Text',
	'Time',
	'Webhook',
	'What happened',
	'Why',
];

/**
 * A table. The roles stay when it becomes a list of cards on a phone.
 *
 * @param {string} label
 * @param {string[]} columns
 * @param {Array<{ key: string | number, selected?: boolean, cells: Children[] }>} rows
 */
export function table(label, columns, rows) {
	const cell = (/** @type {Children} */ content, /** @type {number} */ index) =>
		h(
			'td',
			{ role: 'cell', 'data-label': PLAIN.includes(columns[index] ?? '') ? '' : columns[index] },
			content,
		);
	return h(
		'table',
		{ role: 'table', 'aria-label': label },
		h(
			'thead',
			{ role: 'rowgroup' },
			h(
				'tr',
				{ role: 'row' },
				columns.map((column) => h('th', { role: 'columnheader', scope: 'col' }, column)),
			),
		),
		h(
			'tbody',
			{ role: 'rowgroup' },
			rows.map(({ key, selected, cells }) =>
				h('tr', { role: 'row', key, class: selected ? 'selected' : undefined }, cells.map(cell)),
			),
		),
	);
}

/**
 * A time for people and programs.
 *
 * @param {number | string | null | undefined} time
 * @param {string} [text]
 */
export function moment(time, text = dateTime(time)) {
	if (time === null || time === undefined) return undefined;
	const machine = typeof time === 'number' ? new Date(time).toISOString() : time;
	return h('time', { datetime: machine, title: `${dateTime(time)} UTC` }, text);
}

/**
 * The title of a record's page, its status, what one can do with it, and the way back to the list.
 *
 * @param {{ list: string, view: string, title: string, status?: Children, buttons?: Children }} parts
 */
export function recordHead({ list, view, title, status, buttons }) {
	return h(
		'div',
		{ class: 'head' },
		h('p', { class: 'back' }, h('a', { href: hrefOf(view) }, `← ${list}`)),
		h('h1', { tabindex: '-1' }, title, ' ', status),
		buttons && h('div', { class: 'buttons' }, buttons),
	);
}
