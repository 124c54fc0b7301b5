import { randomUUID } from 'node:crypto';

import { ProcessMemory } from '../processMemory';

/** n8n 2.41 begins about ten runs a second with its default settings on two cores (docs/performance.md). */
const RUN_MS = 100;

/** The runs that this process has given to n8n, until they begin. */
const waitingRuns = new ProcessMemory<true>('waitingRuns');

/** Whether runs begin in this process. In queue mode they begin in a worker, and nothing tells how many wait. */
let beginHere = false;

/** Remembers that a run waits for n8n. @returns its name in this process */
export function rememberWaiting(): string {
	const run = randomUUID();
	waitingRuns.set(run, true);
	return run;
}

/** Notes that a run begins in the process that has given it to n8n. */
export function noteBegin(run: string): void {
	beginHere = true;
	waitingRuns.delete(run);
}

/** Whether so many runs wait that another one would hardly begin within half of its time limit. */
export const isN8nBehind = (limitMs: number): boolean =>
	beginHere && waitingRuns.size * RUN_MS > limitMs / 2;
