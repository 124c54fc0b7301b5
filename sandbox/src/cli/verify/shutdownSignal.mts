const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts at Ctrl-C, and when the terminal is closed. From then on these signals do not end the process:
 * it ends when what was changed is restored.
 */
export function shutdownSignal(): AbortSignal {
	const controller = new AbortController();
	for (const name of SIGNALS) {
		process.on(name, () => {
			controller.abort();
			console.error('It ends as soon as what was changed is restored.');
		});
	}
	// A closed terminal or pipe takes no output, which must not end the process either.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
	return controller.signal;
}
