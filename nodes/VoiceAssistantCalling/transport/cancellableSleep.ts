import { sleep } from 'n8n-workflow';

import { ServiceProblem } from '../../shared/serviceProblem';

const SLICE_MS = 500;

/**
 * Stops what is going on when the execution was canceled.
 *
 * @param signal of the execution's cancellation, where it has one
 * @throws {ServiceProblem} in the words by which n8n recognises it
 */
export function throwIfCanceled(signal: AbortSignal | undefined): void {
	if (!signal?.aborted) return;
	throw new ServiceProblem({
		// n8n recognises a canceled execution by this word, in this spelling (n8n 2.0, 2.41).
		message: 'The execution was canceled',
		description: 'Nothing more was sent for this item.',
	});
}

/**
 * Waits, but not after the execution was cancelled. n8n's own `sleep` takes a signal in 2.41 only, so
 * the wait is cut into slices.
 *
 * @param ms how long, in milliseconds
 * @param signal of the execution's cancellation, where it has one
 * @throws {ServiceProblem} at most half a second after the cancellation
 */
export async function cancellableSleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
	for (let left = ms; left > 0; left -= SLICE_MS) {
		throwIfCanceled(signal);
		await sleep(Math.min(SLICE_MS, left));
	}
	throwIfCanceled(signal);
}
