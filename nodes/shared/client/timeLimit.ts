/**
 * What each signal ends when it is aborted. A signal has one listener for all work, because Node 20 warns of
 * the eleventh listener of a signal. n8n allows any number for its own signals only (n8n.md#requests-of-a-node).
 */
const endsBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/** The functions that are called when a signal is aborted. */
function getEnds(signal: AbortSignal): Set<() => void> {
	const known = endsBySignal.get(signal);
	if (known) return known;
	const ends = new Set<() => void>();
	endsBySignal.set(signal, ends);
	signal.addEventListener('abort', () => {
		for (const end of ends) end();
	});
	return ends;
}

/**
 * Runs work with a signal that is aborted when a time is over, or when another signal is aborted. Nothing is
 * kept of work that has ended.
 *
 * `AbortSignal.any` would do this, but Node 20 may collect its sources while the work waits, and the time
 * limit goes with them (Node 20.20; not 22 and 24).
 *
 * @param ms the time limit, in milliseconds
 * @param canceled ends the work sooner, where there is such a signal
 * @param work gets the signal, whose reason is that of the signal which ended the work
 * @returns what the work gives
 * @throws what the work throws
 */
export async function withTimeLimit<Result>(
	ms: number,
	canceled: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	// While it has a listener, Node keeps this signal. Without one, its timer goes with it.
	const timeLimit = AbortSignal.timeout(ms);
	const endInTime = () => controller.abort(timeLimit.reason);
	const endEarly = () => controller.abort(canceled?.reason);
	const ends = canceled && getEnds(canceled);
	timeLimit.addEventListener('abort', endInTime);
	ends?.add(endEarly);
	if (canceled?.aborted) endEarly();
	try {
		return await work(controller.signal);
	} finally {
		timeLimit.removeEventListener('abort', endInTime);
		ends?.delete(endEarly);
	}
}
