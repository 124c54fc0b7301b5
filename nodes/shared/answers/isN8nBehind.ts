import { randomUUID } from 'node:crypto';

import { ProcessMemory } from '../processMemory';

/** A run that this process has given to n8n. */
interface WaitingRun {
	since: number;
	/** How many runs waited then, with this one. */
	place: number;
}

/** Until they begin, or end before: n8n can refuse or cancel them. */
const waitingRuns = new ProcessMemory<WaitingRun>('waitingRuns');

/** Of the time that runs of late needed to begin, so much counts with each new one. */
const WEIGHT = 0.2;

const NEXT = 'next';

/**
 * How long n8n needs until it begins with the next run, in milliseconds. A slow hour is forgotten after a quiet
 * minute. Nothing is there where no run begins: in queue mode they begin in a worker, and nothing tells how many
 * wait.
 */
const runDelays = new ProcessMemory<number>('runDelays');

/**
 * Remembers that a run waits for n8n.
 *
 * @param end of the request of the run
 * @returns its name in this process
 */
export function rememberWaiting(end: Promise<unknown>): string {
	const run = randomUUID();
	waitingRuns.set(run, { since: Date.now(), place: waitingRuns.size + 1 });
	void end.finally(() => {
		waitingRuns.delete(run);
	});
	return run;
}

/** Notes that a run begins in the process that has given it to n8n. */
export function noteBegin(run: string): void {
	const waiting = waitingRuns.get(run);
	if (!waiting) return;
	waitingRuns.delete(run);
	const ms = (Date.now() - waiting.since) / waiting.place;
	runDelays.set(NEXT, (runDelays.get(NEXT) ?? ms) * (1 - WEIGHT) + ms * WEIGHT);
}

/** Whether so many runs wait that another one would hardly begin within half of its time limit. */
export const isN8nBehind = (limitMs: number): boolean =>
	waitingRuns.size * (runDelays.get(NEXT) ?? 0) > limitMs / 2;
