import type { IHookFunctions } from 'n8n-workflow';

import { InvalidInput, ServiceError } from '../client/errors';
import { triggerKey } from './triggerContext';
import { ProcessMemory } from '../processMemory';

/** The triggers whose publish has just failed because the service was unavailable. */
const failedPublishes = new ProcessMemory<true>('unavailable');

/** Nothing was sent, or the service did not answer, could not process the request, or wants a pause. */
const isUnavailable = (error: unknown) =>
	error instanceof InvalidInput ||
	(error instanceof ServiceError &&
		!error.outcomeUnknown &&
		(!error.refused || error.httpCode === '429'));

/**
 * Runs what a publish does before it has changed anything, and notes when the service is unavailable. The
 * `delete` that follows has nothing to remove then, and need not wait for the same service again.
 *
 * @throws what the function throws
 */
export async function notingUnavailable<Result>(
	context: IHookFunctions,
	work: () => Promise<Result>,
): Promise<Result> {
	const key = triggerKey(context);
	failedPublishes.delete(key);
	const result = work();
	await result.catch((error: unknown) => {
		if (isUnavailable(error)) failedPublishes.set(key, true);
	});
	return await result;
}

/** Whether `delete` follows a publish that changed nothing because the service was unavailable. */
export function followsUnavailable(context: IHookFunctions): boolean {
	const key = triggerKey(context);
	const follows = failedPublishes.get(key) === true;
	// It is true once: the next `delete` is an unpublish.
	failedPublishes.delete(key);
	return follows;
}
