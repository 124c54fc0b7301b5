import { checkBaseUrl } from '../client/credential';
import type { Deadline } from '../client/deadline';
import { DescribedError } from '../client/errors';

/** The last change of each key. A key is forgotten when its last change ends. */
const ends = new Map<string, Promise<unknown>>();

/** Waits until earlier changes end. */
async function waitFor(earlier: Promise<unknown>, { signal }: Deadline): Promise<unknown> {
	const end = new Promise<never>((_, reject) => {
		signal.addEventListener('abort', () => {
			reject(
				new DescribedError({
					message: 'Other triggers are changing the same assistant, and did not finish in time',
					nextStep: 'Publish the workflow again in a minute.',
				}),
			);
		});
	});
	return await Promise.race([earlier, end]);
}

/**
 * Runs changes that share a key one after the other. A registration is read before it is written, and
 * n8n 2.41 publishes the triggers of all workflows in parallel: without a lock, two triggers would both
 * find the assistant free, and the second one would disconnect the first. It works within one process.
 *
 * A change takes its place in the queues of all its keys at once, so changes cannot wait for each other.
 *
 * @param keys of what changes, such as the assistants; see {@link assistantKey}
 * @param deadline of the hook, which began just now. Waiting counts
 * @param change ends by itself, because its requests have the same deadline
 * @returns the result of the change
 * @throws {DescribedError} when the earlier changes do not end in time; then the change does not run.
 * And what the change throws
 */
export async function withLock<Result>(
	keys: string[],
	deadline: Deadline,
	change: () => Promise<Result>,
): Promise<Result> {
	const changes = keys.flatMap((key) => ends.get(key) ?? []);
	const earlier = Promise.all(changes);
	const turn = changes.length === 0 ? earlier : waitFor(earlier, deadline);
	const result = turn.then(change);
	// Later changes wait for the earlier ones even if this one gave up.
	const end = Promise.allSettled([earlier, result]).then(() => undefined);
	for (const key of keys) ends.set(key, end);
	try {
		return await result;
	} finally {
		void end.then(() => {
			for (const key of keys) if (ends.get(key) === end) ends.delete(key);
		});
	}
}

/**
 * The key under which all triggers change an assistant one after the other, see {@link withLock}.
 *
 * @param baseUrl of the credential
 * @throws {InvalidInput} when the base URL is wrong
 */
export const assistantKey = (baseUrl: unknown, assistantId: number): string =>
	`${checkBaseUrl(baseUrl)} ${assistantId}`;

/** Changes assistants after all other triggers that change one of them, see {@link withLock}. */
export async function withAssistantLock<Result>(
	baseUrl: unknown,
	assistantIds: number[],
	deadline: Deadline,
	change: () => Promise<Result>,
): Promise<Result> {
	const keys = assistantIds.map((id) => assistantKey(baseUrl, id));
	return await withLock(keys, deadline, change);
}
