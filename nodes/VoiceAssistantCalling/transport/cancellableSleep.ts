import { sleep } from 'n8n-workflow';

const SLICE_MS = 500;

/**
 * Waits, but not after the execution was cancelled. n8n's own `sleep` takes a signal in 2.41 only, so
 * the wait is cut into slices.
 *
 * @param ms how long, in milliseconds
 * @param signal of the execution's cancellation, where it has one
 * @throws the signal's reason, at most half a second after the cancellation
 */
export async function cancellableSleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
	for (let left = ms; left > 0; left -= SLICE_MS) {
		signal?.throwIfAborted();
		await sleep(Math.min(SLICE_MS, left));
	}
	signal?.throwIfAborted();
}
