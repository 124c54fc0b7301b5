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
