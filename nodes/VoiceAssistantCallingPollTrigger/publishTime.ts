import type { IPollFunctions } from 'n8n-workflow';

import type { TimeLimits } from '../shared/client/deadline';
import { ProcessMemory } from '../shared/processMemory';
import { triggerKey } from '../shared/webhook/triggerContext';

/** n8n 2.41 aborts a publish after 84 seconds. Between its five attempts it waits for 15 seconds in all. */
const PUBLISH_MS = 60_000;

/** An attempt that fails when the others have used the time ends at once, so that the user sees the reason. */
const LEAST_MS = 500;

/** How long the failed attempts of a publish took, in milliseconds. */
const spentTimes = new ProcessMemory<number>('publishTime');

/**
 * The time limits of an attempt to publish. The first request finds out whether the service is there: all five
 * attempts end in time while it does not answer. All later requests share what the attempts before have left.
 */
export const publishLimits = (context: IPollFunctions): TimeLimits => ({
	firstRequestMs: 6_000,
	requestMs: 15_000,
	totalMs: Math.max(PUBLISH_MS - (spentTimes.get(triggerKey(context)) ?? 0), LEAST_MS),
});

/** Takes the time of an attempt that has failed. @param ms in milliseconds */
export function spendPublishTime(context: IPollFunctions, ms: number): void {
	const key = triggerKey(context);
	spentTimes.set(key, (spentTimes.get(key) ?? 0) + ms);
}

/** The publish has succeeded. */
export function endPublishTime(context: IPollFunctions): void {
	spentTimes.delete(triggerKey(context));
}
