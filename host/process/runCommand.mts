import { once } from 'node:events';

import { Cleanup } from './cleanup.mts';
import { explainFailure } from './explainFailure.mts';
import { createShutdownSignal, ShutdownRequested } from './shutdownSignal.mts';

/**
 * Runs a command until it ends, fails, or the user ends it, and stops what it has started.
 *
 * @param command its error is printed and makes the exit code 1; Ctrl-C is no failure
 */
export async function runCommand(command: (cleanup: Cleanup) => Promise<void>): Promise<void> {
	const shutdownSignal = createShutdownSignal();
	const cleanup = new Cleanup(shutdownSignal);
	try {
		const shutdown = once(shutdownSignal, 'abort').then((): never => {
			throw new ShutdownRequested();
		});
		await Promise.race([command(cleanup), shutdown]);
	} catch (error) {
		if (error instanceof ShutdownRequested) {
			console.log('\nStopping …');
		} else {
			console.error(`\n${explainFailure(error)}`);
			process.exitCode = 1;
		}
	} finally {
		await cleanup.run();
		if (shutdownSignal.aborted) console.log('Stopped.');
	}
}
