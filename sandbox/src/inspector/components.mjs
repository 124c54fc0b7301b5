import { copy } from './dialogs.mjs';
import { dateTime, pretty, shortTime, shortUrls } from './format.mjs';
import { toHref } from './route.mjs';
import { html } from './vendor/preact.js';

/** Which statuses a tone stands for. Every other one is neutral. */
const TONES = {
	good: ['answered', 'completed', 'delivered', 'ended', 'sent', 'active'],
	warn: ['on', 'busy', 'no-answer', 'cancelled', 'warning', 'reached-max-retries'],
	bad: ['error', 'failed'],
	live: ['initiated', 'ringing', 'in-progress', 'pending', 'in flight', 'running', 'started'],
};

/** What a record of a view is called. */
export const LABELS = /** @type {{ [view: string]: string }} */ ({
	assistants: 'Assistant',
	calls: 'Call',
	campaigns: 'Campaign',
	leads: 'Lead',
	webhooks: 'Webhook',
	faults: 'Fault',
});

/** Columns whose cells need no label on a phone. */
const PLAIN =
	/^(Action|About|Assistant|Call|Campaign|Does|Fault|Kind|Lead|Leads|Name|Request|Status|State|Text|Time|Tool|User|Webhook|What happened|Why)$/;

/** Columns of numbers, which stand below each other. */
const NUMERIC =
	/^(Assistants|Balance|Campaigns|Cost|Segments|Timeout|Tools|Took|Unanswered calls)$/;

/** Columns that take the room which the others leave, and whose cells may have several lines. */
const WRAPPED = /^(Assistant|Campaign|Description|Does|Leads|Text|Webhooks|What happened|Why)$/;

/**
 * How a status is coloured.
 * @param {string | number} status such as `ended_by_customer`, which is a way to have ended, or of HTTP
 */
export function getTone(status) {
	if (typeof status === 'number') return status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
	const [word = ''] = status.split('_by_');
	return Object.entries(TONES).find(([, statuses]) => statuses.includes(word))?.[0] ?? 'plain';
}

/**
 * A status as a coloured word.
 * @param {string | number | null | undefined} status a word of the service, or an HTTP status
 */
export function badge(status) {
	if (status === null || status === undefined) return undefined;
	return html`<span class="badge ${getTone(status)}">${spaced(status)}</span>`;
}

/** A word of the service as people write it, such as "no answer". @param {string | number} word */
export const spaced = (word) => String(word).replaceAll(/[-_]/g, ' ');

/** Words of the service to choose from. @type {(words: string[]) => Options} */
export const spacedOptions = (words) => words.map((word) => [word, spaced(word)]);

/** @type {(text: string, onclick: () => unknown, attributes?: object) => Children} */
export const button = (text, onclick, attributes) =>
	html`<button type="button" onclick=${onclick} ...${attributes}>${text}</button>`;

/** @type {(path: string, query: object, text: Children) => import('preact').VNode} */
export const link = (path, query, text) => html`<a href=${toHref(path, query)}>${text}</a>`;

/**
 * A link to a record, such as "Lead 5", or with a name in place of label and id.
 * @type {(view: string, id: number | string | null | undefined, name?: string | null) => Children}
 */
export function recordLink(view, id, name) {
	if (id === null || id === undefined) return undefined;
	const href = toHref(`${view}/${id}`);
	if (name) return html`<a class=${view === 'leads' && 'person'} href=${href}>${name}</a>`;
	return html`<a class="short" href=${href}>${LABELS[view]} ${id}</a>`;
}

/** @param {Row} record that has an assistant */
export const assistantLink = ({ assistant_id: id, assistant_name: name }) =>
	recordLink('assistants', id, name);

/** @param {Row} record that has a campaign */
export const campaignLink = ({ campaign_id: id, campaign_name: name }) =>
	recordLink('campaigns', id, name);

/** @type {(view: string, records: Row[], toName?: (record: Row) => string) => Children} */
export function recordLinks(view, records, toName) {
	if (records.length === 0) return 'none';
	return records.flatMap((record, index) => {
		const name = toName?.(record) ?? `${record.id} · ${record.name}`;
		return [index > 0 && ', ', recordLink(view, record.id, name)];
	});
}

/**
 * A URL, shortened unless the text is another one, and a button that copies it.
 * @type {(url: string, method?: string, text?: string) => Children}
 */
export const address = (url, method = '', text = shortUrls(url)) => html`
	<code title=${url}>${method} ${text}</code>
	${button('Copy', () => copy(url, 'Copied.'), { class: 'small', 'aria-label': 'Copy the URL' })}
`;

/** @param {Children} text */
export const muted = (text) => html`<p class="muted">${text}</p>`;

/** Footnotes. @param {string[]} texts */
export const notes = (...texts) => texts.map((text) => html`<p class="hint">${text}</p>`);

/** @param {Children} text says what there would be, and what to do */
export const empty = (text) => html`<p class="empty">${text}</p>`;

/** Names and values. What has no value is left out. @param {{ [name: string]: Children }} rows */
export function facts(rows) {
	const given = Object.entries(rows).filter(([, value]) => value || value === 0);
	const row = (/** @type {[string, Children]} */ [name, value]) =>
		html`<div>
			<dt>${name}</dt>
			<dd>${value}</dd>
		</div>`;
	return html`<dl class="facts">${given.map(row)}</dl>`;
}

/**
 * The fields of an object, such as the variables of a call, or what to say when there are none.
 * @type {(values: Row | null | undefined, nothing: string, defaults?: string[]) => Children}
 */
export function values(values, nothing, defaults = []) {
	const texts = Object.entries(values ?? {}).map(([name, value]) => [
		name,
		[
			typeof value === 'object' ? JSON.stringify(value) : String(value),
			defaults.includes(name) && html` <span class="muted">(the assistant’s own value)</span>`,
		],
	]);
	return texts.length === 0 ? muted(nothing) : facts(Object.fromEntries(texts));
}

/**
 * Each record as a part of a page, or what to say when there are none.
 * @type {(records: Row[], show: (record: Row) => Children, nothing?: string) => Children}
 */
export function each(records, show, nothing) {
	if (records.length === 0) return nothing && muted(nothing);
	return records.map((record) => show(record));
}

/** JSON or text as it was sent. @type {(title: string, value: unknown, open?: boolean) => Children} */
export function body(title, value, open = true) {
	if (value === null || value === undefined || value === '') return muted(`${title}: empty`);
	return html`<details open=${open}>
		<summary>${title}</summary>
		${code(title, value)}
	</details>`;
}

/** @param {string} label @param {unknown} value */
const code = (label, value) =>
	html`<pre tabindex="0" role="group" aria-label=${label}>${pretty(value)}</pre>`;

/** @param {Row | null | undefined} headers */
export function headers(headers) {
	const count = Object.keys(headers ?? {}).length;
	if (count === 0) return undefined;
	return html`<details>
		<summary>Headers (${count})</summary>
		${values(headers, '')}
	</details>`;
}

/** What the weather did to a request, if it did something. @param {Row} request */
export const weatherNote = ({ weather }) =>
	weather && html`<div class="why"><p>${weather.join(' ')}</p></div>`;

/** What a fault did to a request, in a list and where the request is opened. */
const FAULT_EFFECTS = /** @type {{ [effect: string]: { short: string, whole: string } }} */ ({
	decided: { short: 'by a fault', whole: 'decided how it ended.' },
	broke: {
		short: 'broken by a fault',
		whole: 'broke the answer. The status is the service’s own.',
	},
	delayed: { short: 'delayed by a fault', whole: 'delayed it. The answer is the service’s own.' },
});

/** Says beside the status of a request what a fault did to it. @param {Row} request */
export const faultMark = ({ fault_effect: effect }) =>
	effect && html`${' '}<span class="muted">${FAULT_EFFECTS[effect]?.short}</span>`;

/** Tells which fault rule hit a request or a webhook, and what it did to the request. @param {Row} record */
export const faultNote = ({ fault_rule: rule, fault_effect: effect }) =>
	rule &&
	html`
		<div class="why">
			<p>${recordLink('faults', rule.id)} ${FAULT_EFFECTS[effect]?.whole ?? 'hit it.'}</p>
			${code('Fault rule', rule)}
		</div>
	`;

/** @param {string} column */
const getClass = (column) =>
	(WRAPPED.test(column) && 'wraps') || (NUMERIC.test(column) && 'number');

/**
 * A table. The roles stay when it becomes a list of cards on a phone.
 *
 * @param {string} label
 * @param {Row[]} rows
 * @param {Columns} columns
 * @param {string} [nothing] what to say in place of a table without rows
 * @param {Context} [context] the row of the record that is open stands out
 */
export function table(label, rows, columns, nothing, context) {
	if (nothing && rows.length === 0) return muted(nothing);
	const openId = context?.route.id;
	const cells = (/** @type {Row} */ row) =>
		Object.entries(columns).map(([name, cell]) => {
			const content = cell(row, /** @type {Context} */ (context));
			const label = PLAIN.test(name) ? '' : name;
			return html`<td role="cell" class=${getClass(name)} data-label=${label}>${content}</td>`;
		});
	const body = rows.map(
		(row) => html`
			<tr role="row" key=${row.id ?? row.name} class=${row.id && row.id === openId && 'selected'}>
				${cells(row)}
			</tr>
		`,
	);
	return html`
		<table role="table" aria-label=${label}>
			<thead role="rowgroup">
				<tr role="row">
					${Object.keys(columns).map(
						(name) =>
							html`<th role="columnheader" scope="col" class=${getClass(name)}>${name}</th>`,
					)}
				</tr>
			</thead>
			<tbody role="rowgroup">
				${body}
			</tbody>
		</table>
	`;
}

/** Of the values that an assistant or a tool takes. */
export const SCHEMA_COLUMNS = /** @type {Columns} */ ({
	Name: ({ name }) => html`<code>${name}</code>`,
	Type: ({ type }) => type,
	Description: ({ description }) => description,
});

/**
 * A time for people and programs.
 * @type {(time: number | string | null | undefined, text?: string) => Children}
 */
export function moment(time, text = dateTime(time)) {
	if (time === null || time === undefined) return undefined;
	const machine = typeof time === 'number' ? new Date(time).toISOString() : time;
	return html`<time datetime=${machine} title="${dateTime(time)} UTC">${text}</time>`;
}

/** A time in a list: without the date if it is today. @type {(time: string | null, context: { now: string }) => Children} */
export const shortMoment = (time, { now }) =>
	time === null ? undefined : moment(time, shortTime(time, now));

/** @param {Sections} parts */
export const sections = (parts) =>
	Object.entries(parts)
		.filter(([, content]) => content)
		.map(([title, content]) => {
			const heading = html`<h2>${title}</h2>`;
			return html`<section class="card" key=${title}>${heading} ${content}</section>`;
		});
