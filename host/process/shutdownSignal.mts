import { once } from 'node:events';

const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The person wants to end: not a failure. */
export class Interruption extends Error {
	constructor() {
		super('Interrupted.');
	}
}

/**
 * Notices Ctrl-C, a polite kill and a closed terminal, once for the whole process, instead of
 * letting them end it on the spot.
 *
 * @returns a signal whose reason is an {@link Interruption}
 */
export function noticeInterruption(): AbortSignal {
	const controller = new AbortController();
	for (const signal of SIGNALS) {
		// Ctrl-C can come twice, from the terminal and from npm; the later ones change nothing.
		process.on(signal, () => controller.abort(new Interruption()));
	}
	return controller.signal;
}

/** Waits for work, but no longer than until the signal of {@link noticeInterruption}. */
export async function unlessInterrupted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
	signal.throwIfAborted();
	const interrupted = once(signal, 'abort').then((): never => {
		throw new Interruption();
	});
	return await Promise.race([work, interrupted]);
}
