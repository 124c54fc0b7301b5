import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 20;

/**
 * Requests `/healthz` every 20 ms, one request at a time: more of them would pile up and load n8n.
 * All times are in milliseconds, points in time since 1970.
 *
 * @param url base URL of n8n
 */
export function startHealthProbe(url: string) {
	const agent = new Agent({ keepAlive: true });
	const respondedAt: number[] = [];
	const stopping = new AbortController();
	const probe = async (): Promise<void> =>
		await new Promise((resolve) => {
			const request = get(`${url}/healthz`, { agent }, (response) => {
				response.resume();
				response.once('end', () => {
					if (response.statusCode === 200) respondedAt.push(Date.now());
					resolve();
				});
			});
			// A missing response is what the probe measures.
			request.once('error', () => resolve());
		});
	const probing = (async () => {
		while (!stopping.signal.aborted) await Promise.all([probe(), delay(INTERVAL_MS)]);
	})();
	const within = (from: number, to: number): number[] =>
		respondedAt.filter((time) => time > from && time < to);
	return {
		/** The longest time without a response in a period. */
		longestSilence: (from: number, to: number) => {
			const times = [from, ...within(from, to), to];
			return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
		},
		/** The number of responses in a period. */
		responses: (from: number, to: number) => within(from, to).length,
		stop: async () => {
			stopping.abort();
			await probing;
			agent.destroy();
		},
	};
}
