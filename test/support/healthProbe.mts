import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 20;

/**
 * Requests `/healthz` every 20 ms, one request at a time: more of them would pile up and load n8n.
 * All times are in milliseconds, points in time since 1970.
 *
 * @param url base URL of n8n
 */
export function startHealthProbe(url: string) {
	const respondedAt: number[] = [];
	const stopping = new AbortController();
	const probe = async (): Promise<void> => {
		const response = await fetch(`${url}/healthz`);
		// Reading the body keeps the connection open.
		await response.arrayBuffer();
		if (response.ok) respondedAt.push(Date.now());
	};
	const probing = (async () => {
		while (!stopping.signal.aborted) {
			// A missing response is what the probe measures.
			await Promise.all([probe().catch(() => undefined), delay(INTERVAL_MS)]);
		}
	})();
	return {
		/** The longest time without a response in a period; the whole period if there was none. */
		longestSilence: (from: number, to: number): number => {
			const within = respondedAt.filter((time) => time > from && time < to);
			const times = [from, ...within, to];
			return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
		},
		stop: async (): Promise<void> => {
			stopping.abort();
			await probing;
		},
	};
}
