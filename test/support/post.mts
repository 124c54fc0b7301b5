/** The result of many requests. */
interface PostResult {
	/** start of the first one and end of the last one, in milliseconds since 1970 */
	from: number;
	to: number;
	/** the status of each response */
	statuses: number[];
	/** the body of each response */
	texts: string[];
	/** from each request to the end of its response, in milliseconds */
	latencies: number[];
}

/**
 * Sends POST requests, `inFlight` at a time.
 *
 * @param bodies one for each request
 * @param headers further ones of each request
 */
export async function post(
	url: string,
	bodies: unknown[],
	inFlight: number,
	headers: Record<string, string> = {},
): Promise<PostResult> {
	const statuses: number[] = [];
	const texts: string[] = [];
	const latencies: number[] = [];
	const left = bodies.values();
	const from = Date.now();
	const work = async (): Promise<void> => {
		for (const body of left) {
			const begin = performance.now();
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body: JSON.stringify(body),
			});
			// Reading the body keeps the connection open.
			texts.push(await response.text());
			latencies.push(performance.now() - begin);
			statuses.push(response.status);
		}
	};
	await Promise.all(Array.from({ length: inFlight }, work));
	return { from, to: Date.now(), statuses, texts, latencies };
}
