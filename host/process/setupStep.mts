import { errorMessage } from './errorMessage.mts';
import { ShutdownRequested } from './shutdownSignal.mts';

/**
 * Runs one step of a set-up, so that a failure names the step.
 *
 * @param name completes "could not": "start n8n"
 * @throws Error with the name of the step and the reason; ShutdownRequested as it is
 */
export async function setupStep<T>(name: string, step: () => Promise<T>): Promise<T> {
	try {
		return await step();
	} catch (error) {
		if (error instanceof ShutdownRequested) throw error;
		throw new Error(`Could not ${name}. ${errorMessage(error)}`, { cause: error });
	}
}
