import assert from 'node:assert/strict';

import type { N8n } from '../../host/n8n/startN8n.mts';
import { startHealthProbe } from './healthProbe.mts';
import { startMemoryProbe } from './memoryProbe.mts';

/** The state of n8n in a period with at least one response. */
export interface N8nCondition {
	/** the longest time without a response to `/healthz`, in seconds */
	silence: number;
	/** the most resident memory of n8n's main process, in megabytes */
	peakMemory: number;
	/** how much more that is than at the start, in megabytes */
	memoryGrowth: number;
}

/**
 * Measures n8n during some work.
 *
 * @param work can get the measurements of any past period
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
			assert.ok(health.responses(from, to) > 0, 'n8n did not respond to any health check.');
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
