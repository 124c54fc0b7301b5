import type { IHookFunctions } from 'n8n-workflow';

import { InvalidInput, ServiceError } from '../client/errors';
import { triggerKey } from './triggerContext';
import { ProcessMemory } from '../processMemory';

/** The triggers whose publish has just failed before it has changed anything. */
const failedPublishes = new ProcessMemory<true>('unchanged');

async function noting<Result>(
	context: IHookFunctions,
	work: () => Promise<Result>,
	isWithoutChange: (error: unknown) => boolean,
): Promise<Result> {
	const key = triggerKey(context);
	failedPublishes.delete(key);
	const result = work();
	await result.catch((error: unknown) => {
		if (isWithoutChange(error)) failedPublishes.set(key, true);
	});
	return await result;
}

/**
 * Runs what a publish reads before it changes anything, and notes when it fails. The `delete` that follows
 * has nothing to remove then, and need not ask the same service again.
 *
 * @throws what the function throws
 */
export const notingFailedRead = async <Result>(
	context: IHookFunctions,
	read: () => Promise<Result>,
): Promise<Result> => await noting(context, read, () => true);

/** Nothing was sent, or the service did not answer, could not process the request, or wants a pause. */
const isUnsent = (error: unknown) =>
	error instanceof InvalidInput ||
	(error instanceof ServiceError &&
		!error.outcomeUnknown &&
		(!error.refused || error.httpCode === '429'));

/**
 * Runs the first write of a publish, and notes when the service could not take it, as
 * {@link notingFailedRead} does.
 *
 * @throws what the function throws
 */
export const notingFailedWrite = async <Result>(
	context: IHookFunctions,
	write: () => Promise<Result>,
): Promise<Result> => await noting(context, write, isUnsent);

/** Whether `delete` follows a publish that changed nothing. */
export function followsNoChange(context: IHookFunctions): boolean {
	const key = triggerKey(context);
	const follows = failedPublishes.get(key) === true;
	// It is true once: the next `delete` is an unpublish.
	failedPublishes.delete(key);
	return follows;
}
