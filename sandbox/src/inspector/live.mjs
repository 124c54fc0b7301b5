import { ask, ApiFailure, urlOf } from './api.mjs';

/** Milliseconds until the next try after the sandbox has gone. */
const RETRY_MS = 1000;

/** @typedef {'live' | 'gone' | 'locked'} Connection */

/**
 * Listens to the changes of the sandbox while the page is visible, and comes back when the sandbox does.
 *
 * @param {() => void} onChange also after each new connection, because much may have happened meanwhile
 * @param {(state: Connection) => void} onState `locked`: the sandbox asks for its control token
 */
export function listen(onChange, onState) {
	/** @type {EventSource | undefined} */
	let source;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let retry;

	function open() {
		clearTimeout(retry);
		source?.close();
		source = new EventSource(urlOf('live'));
		source.onopen = () => {
			onState('live');
			onChange();
		};
		source.addEventListener('change', onChange);
		source.onerror = () => void lost();
	}

	async function lost() {
		source?.close();
		source = undefined;
		const failure = await ask('health').catch((/** @type {unknown} */ error) => error);
		const isLocked = failure instanceof ApiFailure && failure.status === 401;
		onState(isLocked ? 'locked' : 'gone');
		// A new sandbox has another token: asking again would not help.
		if (!isLocked) retry = setTimeout(open, RETRY_MS);
	}

	document.addEventListener('visibilitychange', () => {
		// A browser opens few connections to one server: pages that nobody sees give theirs back.
		if (document.hidden) {
			clearTimeout(retry);
			source?.close();
			source = undefined;
		} else if (!source) open();
	});
	open();
}
