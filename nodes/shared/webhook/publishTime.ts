import type { IDataObject, IHookFunctions, IPollFunctions } from 'n8n-workflow';

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

/**
 * When the requests of a publish end, by its workflow object and by node. All attempts of a publish have the
 * same workflow object, and those of the next one have another (n8n.md#hooks-for-each-method). It is known by
 * the static data of the workflow: those of a node are different in each poll (n8n.md#contexts-of-polls).
 */
const ends = new WeakMap<IDataObject, Map<string, number>>();

/** When an unpublish began, by trigger. That of an edited version comes right before its publish. */
const unpublishes = new ProcessMemory<number>('unpublish');

/** The triggers whose last attempt has failed before it could change anything. */
const unchanged = new ProcessMemory<true>('unchanged');

/** The ends of the publish that goes on, by node. */
function endsOf(context: IHookFunctions | IPollFunctions): Map<string, number> {
	const workflow = context.getWorkflowStaticData('global');
	const known = ends.get(workflow) ?? new Map<string, number>();
	ends.set(workflow, known);
	return known;
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
 * @throws what the attempt throws
 */
export async function withPublishTime<Result>(
	context: IHookFunctions | IPollFunctions,
	attempt: (limits: TimeLimits) => Promise<Result>,
): Promise<Result> {
	const [publish, nodeId, now] = [endsOf(context), context.getNode().id, Date.now()];
	const startedAt = unpublishes.get(triggerKey(context)) ?? now;
	const endsAt = publish.get(nodeId) ?? Math.max(startedAt + PUBLISH_MS, now + LEAST_PUBLISH_MS);
	publish.set(nodeId, endsAt);
	return await attempt(withLimits(endsAt - now));
}

/** Notes that an attempt failed before it could change anything: the `delete` that follows has nothing to remove. */
export const noteUnchanged = (context: IHookFunctions): void =>
	unchanged.set(triggerKey(context), true);

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
	const [key, now] = [triggerKey(context), Date.now()];
	const isUnchanged = unchanged.get(key);
	// The next `delete` is an unpublish.
	unchanged.delete(key);
	if (isUnchanged) return false;
	const endsAt = endsOf(context).get(context.getNode().id);
	if (endsAt !== undefined) return await hook(withLimits(endsAt + RESTORE_MS - now));
	return await hook(withLimits(UNPUBLISH_MS)).finally(() => unpublishes.set(key, now));
}
