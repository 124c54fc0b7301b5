import type { IHookFunctions } from 'n8n-workflow';

import { ServiceError } from '../client/errors';
import { triggerKey } from './identity';

/** n8n calls `delete` at once after a failed `checkExists` or `create` (n8n 2.0, 2.41). */
const AT_ONCE_MS = 1_000;

/** When a trigger got no answer as it read what is registered, by trigger. */
const silentAt = new Map<string, number>();

const hasNoAnswer = (error: unknown) =>
	error instanceof ServiceError && !/^\d+$/.test(error.httpCode ?? '');

/**
 * Reads what is registered, and notes when the service does not answer. Then nothing was written, so the
 * `delete` that follows has nothing to remove, and need not wait for the same service again.
 *
 * @throws what the function throws
 */
export async function notingSilence<Result>(
	context: IHookFunctions,
	read: () => Promise<Result>,
): Promise<Result> {
	const key = triggerKey(context);
	silentAt.delete(key);
	const result = read();
	await result.catch((error: unknown) => {
		if (hasNoAnswer(error)) silentAt.set(key, Date.now());
	});
	return await result;
}

/** Whether `delete` follows a `checkExists` or `create` that got no answer. */
export function followsSilence(context: IHookFunctions): boolean {
	const since = Date.now() - (silentAt.get(triggerKey(context)) ?? -Infinity);
	return since < AT_ONCE_MS;
}
