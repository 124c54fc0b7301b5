/** When the last change of each key ends. */
const ends = new Map<string, Promise<void>>();

/**
 * Runs changes with the same key one after the other. A registration is read before it is written, and
 * n8n 2.41 publishes the triggers of all workflows in parallel: without turns, two triggers would both
 * find the assistant free, and the second one would disconnect the first. It works within one process.
 *
 * @param key of what changes, such as the base URL and the assistant
 * @param change ends by itself, because its requests have a time limit
 * @returns the result of the change
 * @throws what the change throws
 */
export async function inTurn<Result>(key: string, change: () => Promise<Result>): Promise<Result> {
	const result = (ends.get(key) ?? Promise.resolve()).then(change);
	const end = result.then(
		() => undefined,
		() => undefined,
	);
	ends.set(key, end);
	try {
		return await result;
	} finally {
		if (ends.get(key) === end) ends.delete(key);
	}
}
