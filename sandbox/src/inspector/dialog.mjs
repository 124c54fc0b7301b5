import { field } from './field.mjs';
import { getMessage } from './messages.mjs';
import { html, useLayoutEffect, useRef, useState } from './vendor/preact.js';

/** @type {(dialog: Children) => void} */
let show = () => {};

/**
 * Shows a dialog. Escape and Cancel close it; the focus then returns.
 * @param {Children} dialog a {@link Dialog}, or a component that has one
 */
export const openDialog = (dialog) => show(dialog);

/** Where dialogs appear. */
export function DialogOutlet() {
	const [dialog, setDialog] = useState(/** @type {Children} */ (undefined));
	show = setDialog;
	return dialog;
}

/** @param {Form} form */
export function Dialog({ title, text, fields = [], action, tone = 'primary', submit }) {
	const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
	const [problem, setProblem] = useState('');
	const [isBusy, setBusy] = useState(false);
	const close = () => dialog.current?.close();
	useLayoutEffect(() => dialog.current?.showModal(), []);

	async function onsubmit(/** @type {SubmitEvent} */ event) {
		event.preventDefault();
		const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
		setBusy(true);
		setProblem('');
		try {
			await submit(Object.fromEntries([...form].map(([name, value]) => [name, String(value)])));
			close();
		} catch (error) {
			setProblem(getMessage(error));
		}
		setBusy(false);
	}

	// Two presses of Enter must not do what cannot be undone.
	const isCancelFirst = tone === 'danger';
	return html`
		<dialog ref=${dialog} aria-labelledby="dialog-title" onclose=${() => show(undefined)}>
			<form onsubmit=${onsubmit}>
				<h2 id="dialog-title">${title}</h2>
				${text} ${fields.map(field)}
				<p class="problem" role="alert">${problem}</p>
				<div class="buttons">
					<button class=${tone} disabled=${isBusy}>${action}</button>
					<button type="button" autofocus=${isCancelFirst} onclick=${close}>Cancel</button>
				</div>
			</form>
		</dialog>
	`;
}
