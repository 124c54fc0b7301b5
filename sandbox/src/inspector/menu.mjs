import { button } from './components.mjs';
import { openReset } from './dialogs.mjs';
import { toHref } from './route.mjs';
import { html, useEffect, useRef } from './vendor/preact.js';
import { VIEWS } from './views.mjs';

/** The views, the reference, and what starts everything again. A phone shows them after a click. @param {Route} route */
export function Menu({ view, id }) {
	const popover = useRef(/** @type {HTMLElement | null} */ (null));
	useEffect(() => void popover.current?.togglePopover(false), [view, id]);
	const links = Object.entries(VIEWS).map(([name, { title }]) => {
		const current = name === view ? 'page' : undefined;
		return html`<li><a href=${toHref(name)} aria-current=${current}>${title}</a></li>`;
	});
	return html`
		<nav aria-label="Views">
			<div id="views" popover="auto" ref=${popover}>
				<ul>
					${links}
				</ul>
				<ul>
					<li><a href="reference/">API reference</a></li>
					<li>${button('Reset', openReset)}</li>
				</ul>
			</div>
		</nav>
	`;
}
