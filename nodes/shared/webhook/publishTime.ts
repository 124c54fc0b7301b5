import type { IHookFunctions, IPollFunctions } from 'n8n-workflow';

import { FIRST_REQUEST_LIMIT_MS, type TimeLimits } from '../client/deadline';
import { ProcessMemory } from '../processMemory';
import { triggerKey } from './triggerContext';

/** For all attempts to publish, with what n8n does before and between them (docs/decisions/0016). */
const PUBLISH_MS = 55_000;

/** The same where unpublishing the edited version has taken almost all of it. */
const LEAST_PUBLISH_MS = 15_000;

/** After them, for `delete` to put back what the last attempt changed. */
const RESTORE_MS = 13_000;

/** A change that takes longer is given up, and looked up in the list. */
const CHANGE_LIMIT_MS = 20_000;

/**
 * The longest time of `delete`. It is longer than a pause of a minute, because nobody repeats `delete`.
 */
const UNPUBLISH_MS = 65_000;

/** A publish that has not succeeded: its attempts, and unpublishing the edited version before. */
interface Publish {
	/** When its first hook began, by n8n's clock. */
	startedAt: number;
	/** When the last request of its attempts ends; undefined before the first attempt. */
	endsAt?: number;
	/** When its last attempt failed before it could change anything; undefined when it may have. */
	unchangedAt?: number;
}

/** By trigger. */
const publishes = new ProcessMemory<Publish>('publish');

/** Then n8n 2.41 has given up the publish (docs/decisions/0016). */
const GIVEN_UP_MS = 84_000;

/** Within this time, n8n calls the hooks that come at once (n8n.md#failed-publish), such as `delete` after a failed attempt. */
export const AT_ONCE_MS = 1_000;

/** The publish that goes on, or a new one. */
function getPublish(context: IHookFunctions | IPollFunctions): Publish {
	const now = Date.now();
	const publish = publishes.get(triggerKey(context));
	return publish && now - publish.startedAt < GIVEN_UP_MS ? publish : { startedAt: now };
}

/** n8n's clock may have gone back since the publish began, so no time is longer than the longest. */
const withLimits = (totalMs: number): TimeLimits => ({
	totalMs: Math.min(Math.max(0, totalMs), UNPUBLISH_MS),
	requestMs: CHANGE_LIMIT_MS,
	firstRequestMs: FIRST_REQUEST_LIMIT_MS,
});

/**
 * Runs `checkExists`, `create` or the poll of a publish in the time that is left of the publish. n8n 2.41 gives
 * a publish 84 seconds, and makes five attempts. All of them share the time of the requests, so that the
 * last one ends before that and the user gets our message.
 *
 * @param attempt gets the limits of its requests
 * @param isDone whether the publish has succeeded with what the attempt gives
 * @throws what the attempt throws
 */
export async function withPublishTime<Result>(
	context: IHookFunctions | IPollFunctions,
	attempt: (limits: TimeLimits) => Promise<Result>,
	isDone: (result: Result) => boolean = () => true,
): Promise<Result> {
	const key = triggerKey(context);
	const { startedAt, endsAt: known } = getPublish(context);
	const now = Date.now();
	const endsAt = known ?? Math.max(startedAt + PUBLISH_MS, now + LEAST_PUBLISH_MS);
	let hasSucceeded = false;
	try {
		const result = await attempt(withLimits(endsAt - now));
		hasSucceeded = isDone(result);
		return result;
	} finally {
		if (hasSucceeded) publishes.delete(key);
		else publishes.set(key, { startedAt, endsAt });
	}
}

/** Notes that an attempt failed before it could change anything: the `delete` that follows has nothing to remove. */
export const noteUnchanged = (context: IHookFunctions): void =>
	publishes.set(triggerKey(context), { ...getPublish(context), unchangedAt: Date.now() });

/**
 * Runs `delete`, as an unpublish, before an edited version is published, or after an attempt that failed.
 *
 * @param hook gets the limits of its requests
 * @returns false, without the hook, after an attempt that changed nothing: it would ask the same service again
 * @throws what the hook throws
 */
export async function withUnpublishTime(
	context: IHookFunctions,
	hook: (limits: TimeLimits) => Promise<boolean>,
): Promise<boolean> {
	const { startedAt, endsAt, unchangedAt = -Infinity } = getPublish(context);
	const now = Date.now();
	try {
		if (now - unchangedAt < AT_ONCE_MS) return false;
		return await hook(withLimits(endsAt === undefined ? UNPUBLISH_MS : endsAt + RESTORE_MS - now));
	} finally {
		// The next `delete` is an unpublish.
		publishes.set(triggerKey(context), { startedAt, endsAt });
	}
}
