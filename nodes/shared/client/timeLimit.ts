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
	const sources = [AbortSignal.timeout(ms), ...(canceled ? [canceled] : [])];
	const end = () => controller.abort(sources.find(({ aborted }) => aborted)?.reason);
	for (const source of sources) source.addEventListener('abort', end);
	if (canceled?.aborted) end();
	try {
		return await work(controller.signal);
	} finally {
		for (const source of sources) source.removeEventListener('abort', end);
	}
}
