/** The result of many requests. */
interface PostResult {
	/** start of the first one and end of the last one, in milliseconds since 1970 */
	from: number;
	to: number;
	/** the status of each response */
	statuses: number[];
}

/**
 * Sends POST requests, `inFlight` at a time.
 *
 * @param bodies one for each request
 */
export async function post(url: string, bodies: unknown[], inFlight: number): Promise<PostResult> {
	const statuses: number[] = [];
	const left = bodies.values();
	const from = Date.now();
	const work = async (): Promise<void> => {
		for (const body of left) {
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			// Reading the body keeps the connection open.
			await response.arrayBuffer();
			statuses.push(response.status);
		}
	};
	await Promise.all(Array.from({ length: inFlight }, work));
	return { from, to: Date.now(), statuses };
}
