import { once } from 'node:events';

const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The user ends the command: not a failure. */
export class ShutdownRequested extends Error {
	constructor() {
		super('Interrupted.');
	}
}

/**
 * Makes the signal of Ctrl-C, SIGTERM and a closed terminal, which then no longer end the process
 * on the spot. To be called once.
 *
 * @returns a signal whose reason is {@link ShutdownRequested}
 */
export function createShutdownSignal(): AbortSignal {
	const controller = new AbortController();
	for (const signal of SIGNALS) {
		// Ctrl-C can come twice, from the terminal and from npm; the later ones change nothing.
		process.on(signal, () => controller.abort(new ShutdownRequested()));
	}
	return controller.signal;
}

/**
 * Waits for work, but no longer than until the shutdown signal.
 *
 * @throws ShutdownRequested when the signal comes first
 */
export async function untilShutdown<T>(shutdownSignal: AbortSignal, work: Promise<T>): Promise<T> {
	shutdownSignal.throwIfAborted();
	const shutdown = once(shutdownSignal, 'abort').then((): never => {
		throw new ShutdownRequested();
	});
	return await Promise.race([work, shutdown]);
}
