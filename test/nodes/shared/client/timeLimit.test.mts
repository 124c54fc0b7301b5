import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { withTimeLimit } from '../../../../nodes/shared/client/timeLimit.ts';
import { flushEventLoop } from '../../../support/eventLoop.mts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const HOUR = 3_600_000;

/** Work that ends when its signal does. @returns the reason */
const untilAborted = (signal: AbortSignal) =>
	new Promise<unknown>((resolve) => {
		if (signal.aborted) resolve(signal.reason);
		signal.addEventListener('abort', () => resolve(signal.reason));
	});

it('work ends when its time is over', async () => {
	expect(await withTimeLimit(1, undefined, untilAborted)).toMatchObject({ name: 'TimeoutError' });
});

it('one signal ends all work, with its reason, and has one listener for it', async () => {
	const cancellation = new AbortController();
	const works = Array.from({ length: 100 }, () =>
		withTimeLimit(HOUR, cancellation.signal, untilAborted),
	);
	expect(getEventListeners(cancellation.signal, 'abort')).toHaveLength(1);
	cancellation.abort('canceled');
	expect(new Set(await Promise.all(works))).toEqual(new Set(['canceled']));
	expect(await withTimeLimit(HOUR, cancellation.signal, untilAborted)).toBe('canceled');
});

it('nothing is kept of work that has ended, while the signal that could end it goes on', async () => {
	const { signal: canceled } = new AbortController();
	const kept: Array<WeakRef<AbortSignal>> = [];
	const end = (signal: AbortSignal) => Promise.resolve(kept.push(new WeakRef(signal)));
	for (let count = 0; count < 100; count++) await withTimeLimit(HOUR, canceled, end);
	await flushEventLoop();
	collectGarbage();
	// The last one may still be on the stack.
	expect(kept.filter((each) => each.deref()).length).toBeLessThanOrEqual(1);
});
