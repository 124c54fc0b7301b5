import assert from 'node:assert/strict';

import type { N8n } from '../../host/n8n/startN8n.mts';
import { startHealthProbe } from './healthProbe.mts';
import { startMemoryProbe } from './memoryProbe.mts';

/** What n8n was like in a span of time, in which it answered at least once. */
export interface N8nCondition {
	/** the longest time without an answer to `/healthz`, in seconds */
	silence: number;
	/** the most resident memory of n8n's main process, in megabytes */
	peakMemory: number;
	/** how much more that is than at the begin, in megabytes */
	memoryGrowth: number;
}

/**
 * Watches n8n while something works.
 *
 * @param work may ask about any span of time that is over
 */
export async function withProbes<T>(
	{ url, pid }: N8n,
	work: (between: (from: number, to: number) => N8nCondition) => Promise<T>,
): Promise<T> {
	const health = startHealthProbe(url);
	const memory = startMemoryProbe(pid);
	try {
		return await work((from, to) => {
			const { before, peak } = memory.during(from, to);
			const answers = health.answers(from, to);
			assert.ok(answers > 0, 'n8n answered nobody meanwhile.');
			return {
				silence: health.longestSilence(from, to) / 1000,
				peakMemory: peak,
				memoryGrowth: peak - before,
			};
		});
	} finally {
		memory.stop();
		await health.stop();
	}
}
