import { change } from './api.mjs';
import { html, useEffect, useState } from './vendor/preact.js';

/** Milliseconds that a message stays. */
const SHOWN_MS = 6000;

/** @type {(message: { text: string, outcome?: 'done' | 'failed' }) => void} */
let show = () => {};

/** Tells what an action did; a screen reader says it. */
export function Message() {
	const [{ text, outcome }, setMessage] = useState(
		/** @type {Parameters<typeof show>[0]} */ ({ text: '' }),
	);
	show = setMessage;
	useEffect(() => {
		const hiding = setTimeout(() => setMessage({ text: '' }), SHOWN_MS);
		return () => clearTimeout(hiding);
	}, [text, outcome]);
	return html`
		<p class="toast" role="status" aria-live="polite" data-outcome=${outcome}>${text}</p>
	`;
}

/** @param {string} text */
export const say = (text) => show({ text, outcome: 'done' });

/** @param {unknown} error */
export const getMessage = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Runs an action of a button, and tells what came of it.
 * @param {() => Promise<string | void>} action returns what it did, if there is something to say
 */
export async function attempt(action) {
	try {
		say((await action()) ?? '');
	} catch (error) {
		show({ text: getMessage(error), outcome: 'failed' });
	}
}

/**
 * Changes the sandbox, and tells what came of it.
 * @type {(method: 'POST' | 'DELETE', path: string, input: object | undefined, toText: (result: Row) => string) => Promise<void>}
 */
export const attemptChange = (method, path, input, toText) =>
	attempt(async () => toText(await change(method, path, input)));
