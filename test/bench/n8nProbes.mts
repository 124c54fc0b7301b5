import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import type { N8n } from '../../host/n8n/startN8n.mts';
import { startHealthProbe } from '../support/healthProbe.mts';

const MEMORY_INTERVAL_MS = 50;

/** The state of n8n in a period with at least one response. */
interface N8nCondition {
	/** the longest time without a response to `/healthz`, in seconds */
	silence: number;
	/** by how much n8n's main process has grown at most, in megabytes of resident memory */
	growth: number;
}

/** Measures n8n during some work. @param work can get the measurements of any past period (milliseconds since 1970) */
export async function withProbes<T>(
	{ url, pid }: N8n,
	work: (between: (from: number, to: number) => N8nCondition) => Promise<T>,
): Promise<T> {
	const health = startHealthProbe(url);
	const before = residentMemory(pid);
	let peak = before;
	const timer = setInterval(() => (peak = Math.max(peak, residentMemory(pid))), MEMORY_INTERVAL_MS);
	try {
		return await work((from, to) => {
			const silence = health.longestSilence(from, to);
			assert.ok(silence < to - from, 'n8n did not respond to any health check.');
			return { silence: silence / 1000, growth: peak - before };
		});
	} finally {
		clearInterval(timer);
		await health.stop();
	}
}

/** In megabytes, without child processes (Linux). */
function residentMemory(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}
