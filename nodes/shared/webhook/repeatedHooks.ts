import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { triggerKey, webhookUrl } from './identity';

type Doing = 'register' | 'unregister';

/** The hooks that end a test come one right after the other (n8n 2.0, 2.41). */
const AT_ONCE_MS = 1_000;

/** What the last hook of a publish or unpublish did, by the static data of its node. */
const last = new WeakMap<IDataObject, { doing: Doing; result: Promise<boolean> }>();

/** When a trigger was unregistered and not registered since, by trigger and mode. */
const unregisteredAt = new Map<string, number>();

/**
 * Runs a hook, unless the hook of another method has done the same in this publish or unpublish: then its
 * result counts. n8n calls the hooks of a trigger once for each method of its webhook. 2.41 calls `delete`
 * for all of them at the same time.
 *
 * All hooks of one publish or unpublish get the same workflow object, and thus the same static data. Those
 * of another one get another (n8n 2.0, 2.41), so an edited trigger never counts as registered. Only the
 * hooks that end a test get copies.
 *
 * @param hook gives whether the trigger is registered, or whether it was unregistered
 * @returns what the hook gives
 * @throws what the hook throws
 */
export async function oncePerPublish(
	context: IHookFunctions,
	doing: Doing,
	hook: (this: IHookFunctions) => Promise<boolean>,
): Promise<boolean> {
	const publish = context.getWorkflowStaticData('node');
	const earlier = last.get(publish);
	if (earlier?.doing === doing) return await earlier.result;

	const key = `${triggerKey(context)} ${webhookUrl(context)}`;
	const sinceEnd = Date.now() - (unregisteredAt.get(key) ?? -Infinity);
	if (doing === 'unregister' && sinceEnd < AT_ONCE_MS) return true;
	unregisteredAt.delete(key);

	const result = hook.call(context);
	last.set(publish, { doing, result });
	const isDone = await result.catch(() => false);
	if (isDone && doing === 'unregister') unregisteredAt.set(key, Date.now());
	// After `checkExists` comes `create`, and n8n 2.41 tries five times to publish.
	if (!isDone && doing === 'register') last.delete(publish);
	return await result;
}
