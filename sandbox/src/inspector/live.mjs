import { ApiFailure, ask, CHANGED, toUrl } from './api.mjs';

/** Milliseconds until the next try after the sandbox has gone. */
const RETRY_MS = 1000;

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
		close();
		source = new EventSource(toUrl('live'));
		source.onopen = () => {
			onState('live');
			onChange();
		};
		source.addEventListener('change', onChange);
		source.onerror = () => void lost();
	}

	function close() {
		clearTimeout(retry);
		source?.close();
		source = undefined;
	}

	async function lost() {
		close();
		const failure = await ask('health').catch((/** @type {unknown} */ error) => error);
		const isLocked = failure instanceof ApiFailure && failure.status === 401;
		onState(isLocked ? 'locked' : 'gone');
		// A new sandbox has another token: asking again would not help.
		if (!isLocked) retry = setTimeout(open, RETRY_MS);
	}

	// What this page does itself is shown at once.
	addEventListener(CHANGED, onChange);
	document.addEventListener('visibilitychange', () => {
		// A browser opens few connections to one server: pages that nobody sees give theirs back.
		if (document.hidden) close();
		else if (!source) open();
	});
	open();
}

/**
 * A function that runs `load` once at a time. When it is called meanwhile, `load` runs once more afterwards.
 * @param {() => Promise<void>} load
 */
export function oneAtATime(load) {
	let isRunning = false;
	let isStale = false;
	return async () => {
		isStale = true;
		if (isRunning) return;
		isRunning = true;
		try {
			while (isStale) {
				isStale = false;
				await load();
			}
		} finally {
			isRunning = false;
		}
	};
}
