import { button } from './components.mjs';
import { html, useEffect, useState } from './vendor/preact.js';

/**
 * A part of the page that a narrow screen shows only after a click on its button.
 * @param {{ label: string, id: string, children: Children, closeOn?: string }} parts it closes when `closeOn` changes
 */
export function Fold({ label, id, children, closeOn }) {
	const [isOpen, setOpen] = useState(false);
	useEffect(() => setOpen(false), [closeOn]);
	const state = { class: 'fold', 'aria-expanded': String(isOpen), 'aria-controls': id };
	return html`
		${button(label, () => setOpen(!isOpen), state)}
		<div id=${id}>${children}</div>
	`;
}
