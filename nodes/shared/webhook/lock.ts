import { checkBaseUrl } from '../client/credential';
import type { Deadline } from '../client/deadline';
import { ServiceError } from '../client/errors';

/** The last change of each assistant. It is forgotten when it ends. */
const lastChanges = new Map<string, Promise<unknown>>();

/** Waits until earlier changes end. */
async function waitFor(earlier: Promise<unknown>, { signal }: Deadline): Promise<unknown> {
	const end = new Promise<never>((_, reject) => {
		signal.addEventListener('abort', () => {
			reject(
				new ServiceError({
					message:
						'Another publish or unpublish is changing the same assistant, and did not finish in time',
					nextStep: 'Publish the workflow again in a minute.',
				}),
			);
		});
	});
	return await Promise.race([earlier, end]);
}

/**
 * Changes assistants after all other triggers that change one of them. A registration is read before it is
 * written, and n8n 2.41 publishes the triggers of all workflows in parallel: without a lock, two triggers would
 * both find the assistant free, and the second one would disconnect the first. It works within one process.
 *
 * A change takes its place in the queues of all its assistants at once, so changes cannot wait for each other.
 *
 * @param baseUrl of the credential
 * @param deadline of the hook, which began just now. Waiting counts
 * @param change ends by itself, because its requests have the same deadline
 * @returns the result of the change
 * @throws {ServiceError} when the earlier changes do not end in time; then the change does not run.
 * {InvalidInput} when the base URL is wrong, and what the change throws
 */
export async function withAssistantLock<Result>(
	baseUrl: unknown,
	assistantIds: number[],
	deadline: Deadline,
	change: () => Promise<Result>,
): Promise<Result> {
	const keys = assistantIds.map((id) => `${checkBaseUrl(baseUrl)} ${id}`);
	const changes = keys.flatMap((key) => lastChanges.get(key) ?? []);
	const earlier = Promise.all(changes);
	const turn = changes.length === 0 ? earlier : waitFor(earlier, deadline);
	const result = turn.then(change);
	// Later changes wait for the earlier ones even if this one gave up.
	const end = Promise.allSettled([earlier, result]).then(() => {
		for (const key of keys) if (lastChanges.get(key) === end) lastChanges.delete(key);
	});
	for (const key of keys) lastChanges.set(key, end);
	return await result;
}
