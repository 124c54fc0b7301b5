import { Fold } from './fold.mjs';
import { toHref } from './route.mjs';
import { h, html } from './vendor/preact.js';
import { VIEWS } from './views.mjs';

/** The views. @param {Route} route */
export function menu({ view, id }) {
	const links = Object.entries(VIEWS)
		// The tools lead to it.
		.filter(([name]) => name !== 'tool-requests')
		.map(([name, { title }]) => {
			const current = name === view ? 'page' : undefined;
			return html`<li><a href=${toHref(name)} aria-current=${current}>${title}</a></li>`;
		});
	const children = html`<ul>
		${links}
	</ul>`;
	const fold = h(Fold, { label: 'Menu', id: 'views', children, closeOn: `${view}/${id}` });
	return html`<nav aria-label="Views">${fold}</nav>`;
}
