import type { IHookFunctions } from 'n8n-workflow';

import { InvalidInput, ServiceError } from '../client/errors';
import { triggerKey } from './identity';

/** n8n calls `delete` at once after a failed `checkExists` or `create` (n8n 2.0, 2.41). */
const AT_ONCE_MS = 1_000;

/** When a publish failed because the service was unavailable, by trigger. */
const unavailableAt = new Map<string, number>();

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
	unavailableAt.delete(key);
	const result = work();
	await result.catch((error: unknown) => {
		if (isUnavailable(error)) unavailableAt.set(key, Date.now());
	});
	return await result;
}

/** Whether `delete` follows a publish that changed nothing because the service was unavailable. */
export function followsUnavailable(context: IHookFunctions): boolean {
	const key = triggerKey(context);
	const since = Date.now() - (unavailableAt.get(key) ?? -Infinity);
	// It is true once: the next `delete` is an unpublish.
	unavailableAt.delete(key);
	return since < AT_ONCE_MS;
}
