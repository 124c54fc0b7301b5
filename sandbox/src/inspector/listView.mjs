import { ask } from './api.mjs';
import { badge, link, sections } from './components.mjs';
import { filterBar, SEARCH } from './filterBar.mjs';
import { list, loadList } from './list.mjs';
import { toHref } from './route.mjs';
import { html } from './vendor/preact.js';

/** Beside an opened entry, which tells the rest, a list has so many of its columns. */
const COLUMNS_BESIDE = 3;

/** @param {ListView} parts @returns {View} */
export function listView({ title, path, page, panel, ...parts }) {
	const loadRecord = parts.load ?? ((id) => ask(`${path}/${id}`));
	return {
		title,
		async load({ id, query }, count) {
			if (id !== undefined && page) return { record: await loadRecord(id, query, {}) };
			const filters = (await parts.filters?.()) ?? [SEARCH];
			const names = [...filters.map(({ name }) => name), ...(parts.linked ?? [])];
			const given = Object.fromEntries(names.map((name) => [name, query[name]]));
			const asked = { ...given, ...parts.moreFilters?.(query) };
			const [record, loaded] = await Promise.all([
				id !== undefined && panel && loadRecord(id, query, asked),
				loadList(path, asked, count),
			]);
			return { record, filters, list: loaded };
		},
		render({ record, filters, list: loaded }, context) {
			const { view, query } = context.route;
			if (page && record) {
				const back = link(view, {}, `← ${title}`);
				return recordPage(title.slice(0, -1), record, page(record, context), back);
			}
			const opened = panel && record && openPanel(panel(record), toHref(view, query));
			const all = Object.entries(parts.columns);
			const columns = Object.fromEntries(opened ? all.slice(0, COLUMNS_BESIDE) : all);
			return html`
				<div class=${opened ? 'split' : 'whole'}>
					<div class="content">
						<h1 tabindex="-1">${parts.heading?.(query) ?? title}</h1>
						${filterBar(filters, parts.buttons?.(query))}
						${list({ label: `${title}, newest first`, ...parts, columns }, loaded, context)}
					</div>
					${opened}
				</div>
			`;
		},
	};
}

/** @type {(kind: string, record: Row, page: RecordPage, back: Children) => Children} */
function recordPage(kind, { id, name, status }, { buttons, summary, main, aside }, back) {
	const columns = html`
		<div class="columns">
			<div>${sections(main)}</div>
			<div>${aside && sections(aside)}</div>
		</div>
	`;
	return html`
		<div class="head">
			<p class="back">${back}</p>
			<h1 tabindex="-1">${kind} ${id}${name && ` · ${name}`} ${badge(status)}</h1>
			${buttons && html`<div class="buttons">${buttons}</div>`}
		</div>
		${summary} ${aside ? columns : sections(main)}
	`;
}

/**
 * An entry that is opened beside its list. Escape closes it, and leads back to the list's address.
 * @type {(entry: [title: string, content: Children], back: string) => Children}
 */
function openPanel([title, content], back) {
	const onkeydown = (/** @type {KeyboardEvent} */ { key }) => {
		if (key === 'Escape') location.hash = back;
	};
	return html`
		<section class="panel" aria-labelledby="panel-title" onkeydown=${onkeydown}>
			<div class="panel-head">
				<h2 id="panel-title" tabindex="-1">${title}</h2>
				<a class="button" href=${back} aria-label="Close">✕</a>
			</div>
			${content}
		</section>
	`;
}

/**
 * A link that opens a row of a list beside it.
 * @type {(row: Row, context: Context, text: string) => Children}
 */
export const openingLink = ({ id }, { route: { view, query } }, text) =>
	link(`${view}/${id}`, query, text);
