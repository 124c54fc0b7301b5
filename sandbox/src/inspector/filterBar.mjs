import { field, toChoices } from './field.mjs';
import { changeQuery, readRoute } from './route.mjs';
import { html } from './vendor/preact.js';

/** The filter of most lists. */
export const SEARCH = { name: 'search', label: 'Search' };

/**
 * The filters above a list. They are in the address, so a filtered list is a link.
 * @type {(filters: Filter[], others: Children) => Children}
 */
export function filterBar(filters, others) {
	// What is being typed is in the address already, but its rows may not be loaded yet.
	const { query } = readRoute();
	const controls = filters.map(({ name, label, options }) => {
		const follow = (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) =>
			changeQuery({ [name]: currentTarget.value });
		const value = query[name] ?? '';
		if (options) {
			const choices = { '': 'All', ...Object.fromEntries(toChoices(options)) };
			return field({ label, name, options: choices, value, onchange: follow });
		}
		const attributes = { name, value, autocomplete: 'off', spellcheck: false, oninput: follow };
		return html`<label><span>${label}</span><input type="search" ...${attributes} /></label>`;
	});
	const onsubmit = (/** @type {Event} */ event) => event.preventDefault();
	return html`
		<form class="filters" role="search" onsubmit=${onsubmit}>${controls} ${others}</form>
	`;
}
