import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 20;

/** Asks n8n all the time whether it is alive. */
export interface HealthProbe {
	/**
	 * Gives the longest time without an answer, in milliseconds.
	 *
	 * @param from begin of the span, in milliseconds since 1970
	 * @param to its end
	 */
	longestSilence: (from: number, to: number) => number;
	/** How many answers came in a span. */
	answers: (from: number, to: number) => number;
	stop: () => Promise<void>;
}

/**
 * Asks `/healthz` every 20 ms, but never twice at once: n8n would have to answer all that piled up.
 *
 * @param url base URL of n8n
 */
export function startHealthProbe(url: string): HealthProbe {
	const agent = new Agent({ keepAlive: true });
	const answeredAt: number[] = [];
	const stopping = new AbortController();
	const ask = async (): Promise<void> =>
		await new Promise((resolve) => {
			const request = get(`${url}/healthz`, { agent }, (response) => {
				response.resume();
				response.once('end', () => {
					if (response.statusCode === 200) answeredAt.push(Date.now());
					resolve();
				});
			});
			// No answer is what is measured, so the next question follows.
			request.once('error', () => resolve());
		});
	const asking = (async () => {
		while (!stopping.signal.aborted) await Promise.all([ask(), delay(INTERVAL_MS)]);
	})();
	const within = (from: number, to: number): number[] =>
		answeredAt.filter((time) => time > from && time < to);
	return {
		longestSilence: (from, to) => {
			const times = [from, ...within(from, to), to];
			return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
		},
		answers: (from, to) => within(from, to).length,
		stop: async () => {
			stopping.abort();
			await asking;
			agent.destroy();
		},
	};
}
