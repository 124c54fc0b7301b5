import { change } from './api.mjs';
import { Dialog, openDialog } from './dialog.mjs';
import { attempt, say } from './messages.mjs';
import { toHref } from './route.mjs';
import { h, html } from './vendor/preact.js';

const RESET =
	'Everything starts again from the seed: calls, leads, settings, requests, faults and the clock. This cannot be undone.';

/** Asks before everything starts again. */
export function openReset() {
	const submit = async () => {
		await change('POST', 'reset', {});
		say('The sandbox starts again from its seed.');
		location.hash = toHref('timeline');
	};
	const text = html`<p>${RESET}</p>`;
	const action = 'Reset everything';
	openDialog(h(Dialog, { title: 'Reset the sandbox?', text, action, tone: 'danger', submit }));
}

/**
 * Puts a text into the clipboard. A page that is not on this machine may not, and shows it instead.
 * @type {(text: string, done: string) => unknown}
 */
export function copy(text, done) {
	if (navigator.clipboard) {
		return attempt(async () => {
			await navigator.clipboard.writeText(text);
			return done;
		});
	}
	const select = (/** @type {{ currentTarget: HTMLTextAreaElement }} */ { currentTarget }) =>
		currentTarget.select();
	const area = html`<textarea rows="8" readonly aria-label="The text" onfocus=${select}>
${text}</textarea>`;
	const submit = () => Promise.resolve();
	return openDialog(h(Dialog, { title: 'Copy this text', text: area, action: 'Close', submit }));
}
