import { toHref } from './route.mjs';
import { html, useEffect, useState } from './vendor/preact.js';
import { VIEWS } from './views.mjs';

/** The views. On a phone a button opens them. @param {{ route: Route }} parts */
export function Menu({ route: { view, id } }) {
	const [isOpen, setOpen] = useState(false);
	useEffect(() => setOpen(false), [view, id]);
	const links = Object.entries(VIEWS)
		// The tools lead to it.
		.filter(([name]) => name !== 'tool-requests')
		.map(
			([name, { title }]) => html`
				<li>
					<a href=${toHref(name)} aria-current=${name === view ? 'page' : undefined}>${title}</a>
				</li>
			`,
		);
	return html`
		<nav aria-label="Views">
			<button
				class="menu"
				type="button"
				aria-expanded=${String(isOpen)}
				aria-controls="views"
				onclick=${() => setOpen(!isOpen)}
			>
				Menu
			</button>
			<ul id="views">
				${links}
			</ul>
		</nav>
	`;
}
