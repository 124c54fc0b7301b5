import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

import type { N8n } from '../../host/n8n/startN8n.mts';
import { startHealthProbe } from '../support/healthProbe.mts';

const MEMORY_INTERVAL_MS = 50;
const KILOBYTES_IN_MEGABYTE = 1024;

/** The state of n8n in a period with at least one response. */
interface N8nCondition {
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
 * @param work can get the measurements of any past period (milliseconds since 1970)
 */
export async function withProbes<T>(
	{ url, pid }: N8n,
	work: (between: (from: number, to: number) => N8nCondition) => Promise<T>,
): Promise<T> {
	const health = startHealthProbe(url);
	const samples: Array<{ time: number; megabytes: number }> = [];
	const sample = (): void => {
		samples.push({ time: Date.now(), megabytes: residentMemory(pid) });
	};
	sample();
	const timer = setInterval(sample, MEMORY_INTERVAL_MS);
	try {
		return await work((from, to) => {
			const silence = health.longestSilence(from, to);
			assert.ok(silence < to - from, 'n8n did not respond to any health check.');
			const before = samples.findLast(({ time }) => time <= from)?.megabytes ?? 0;
			const within = samples.filter(({ time }) => time >= from && time <= to);
			const peakMemory = Math.max(before, ...within.map(({ megabytes }) => megabytes));
			return { silence: silence / 1000, peakMemory, memoryGrowth: peakMemory - before };
		});
	} finally {
		clearInterval(timer);
		await health.stop();
	}
}

/** In megabytes, without child processes (Linux); 0 where the process has ended. */
function residentMemory(pid: number): number {
	const file = `/proc/${pid}/status`;
	const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
	return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / KILOBYTES_IN_MEGABYTE;
}
