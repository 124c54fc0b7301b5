/** What came of requests that were sent. */
export interface Posted {
	/** begin of the first one and end of the last one, in milliseconds since 1970 */
	from: number;
	to: number;
	/** the status of each answer */
	statuses: number[];
}

/**
 * Sends requests, so many at a time.
 *
 * @param bodies one for each request
 */
export async function post(url: string, bodies: unknown[], inFlight: number): Promise<Posted> {
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
			// Read to its end, so that the connection is kept.
			await response.arrayBuffer();
			statuses.push(response.status);
		}
	};
	await Promise.all(Array.from({ length: inFlight }, work));
	return { from, to: Date.now(), statuses };
}
