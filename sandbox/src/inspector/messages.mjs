/** Milliseconds that a message stays. */
const SHOWN_MS = 6000;

const toast = /** @type {HTMLElement} */ (document.querySelector('#toast'));

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

/**
 * Tells what an action did; a screen reader says it.
 *
 * @param {string} text
 * @param {'done' | 'failed'} [outcome]
 */
export function say(text, outcome = 'done') {
	clearTimeout(hiding);
	toast.textContent = text;
	toast.dataset['outcome'] = outcome;
	hiding = setTimeout(() => (toast.textContent = ''), SHOWN_MS);
}

/**
 * Runs an action of a button, and tells what came of it.
 *
 * @param {() => Promise<string>} action returns what it did
 */
export async function attempt(action) {
	try {
		say(await action());
	} catch (error) {
		say(error instanceof Error ? error.message : String(error), 'failed');
	}
}
