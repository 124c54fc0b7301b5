import { existsSync, readFileSync } from 'node:fs';

const INTERVAL_MS = 50;
const KILOBYTES_IN_MEGABYTE = 1024;

/**
 * Reads the resident memory of a process every 50 ms (Linux).
 *
 * @param pid the process; its children do not count
 */
export function startMemoryProbe(pid: number) {
	const samples: Array<{ time: number; megabytes: number }> = [];
	const sample = (): void => {
		const megabytes = residentMemory(pid);
		if (megabytes !== undefined) samples.push({ time: Date.now(), megabytes });
	};
	sample();
	const timer = setInterval(sample, INTERVAL_MS);
	return {
		/** The memory in megabytes before and in a period (milliseconds since 1970). */
		during: (from: number, to: number) => {
			const before = samples.findLast(({ time }) => time <= from) ?? samples[0];
			const within = samples.filter(({ time }) => time >= from && time <= to);
			const start = before?.megabytes ?? 0;
			return { before: start, peak: Math.max(start, ...within.map((one) => one.megabytes)) };
		},
		stop: () => clearInterval(timer),
	};
}

/** In megabytes; undefined where the process has ended. */
function residentMemory(pid: number): number | undefined {
	const file = `/proc/${pid}/status`;
	if (!existsSync(file)) return undefined;
	const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1];
	return kilobytes === undefined ? undefined : Number(kilobytes) / KILOBYTES_IN_MEGABYTE;
}
