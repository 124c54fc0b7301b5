const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts at Ctrl-C, and when the terminal is closed. From then on these signals do not end the process:
 * it ends when the present request is over, and tells what it has found.
 */
export function shutdownSignal(): AbortSignal {
	const controller = new AbortController();
	for (const name of SIGNALS) {
		process.on(name, () => {
			controller.abort();
			console.error('It ends as soon as the present request is over.');
		});
	}
	// A closed terminal or pipe takes no output, which must not end the process either.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
	return controller.signal;
}
