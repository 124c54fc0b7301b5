import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { ProcessMemory } from '../shared/processMemory';
import { triggerKey, webhookUrl } from '../shared/webhook/triggerContext';

/** Within this time, n8n calls the hooks that end a test. */
const AT_ONCE_MS = 1_000;

/** What the last hook of a trigger did. */
interface LastHook {
	doing: 'register' | 'unregister';
	/** The static data of its node: those of its publish or unpublish. */
	publish: IDataObject;
	result: Promise<boolean>;
	unregisteredAt?: number;
}

/** By trigger and mode. */
const lastHooks = new ProcessMemory<LastHook>('lastHooks');

/**
 * Runs a hook, unless the hook of another method has done the same in this publish or unpublish: then its
 * result counts. n8n calls the hooks of a trigger once for each method of its webhook. 2.41 calls `delete`
 * for all of them at the same time.
 *
 * All hooks of one publish or unpublish get the same workflow object, and thus the same static data. Those
 * of another one get another (n8n.md#hooks-for-each-method), so an edited trigger never counts as registered. Only the
 * hooks that end a test get copies. They come one right after the other.
 *
 * @param hook gives whether the trigger is registered, or whether it was unregistered
 * @returns what the hook gives
 * @throws what the hook throws
 */
export async function oncePerPublish(
	context: IHookFunctions,
	doing: LastHook['doing'],
	hook: (context: IHookFunctions) => Promise<boolean>,
): Promise<boolean> {
	const key = `${triggerKey(context)} ${webhookUrl(context)}`;
	const publish = context.getWorkflowStaticData('node');
	const earlier = lastHooks.get(key);
	if (earlier?.doing === doing) {
		const { unregisteredAt = -Infinity } = earlier;
		const isAtOnce = Date.now() - unregisteredAt < AT_ONCE_MS;
		if (earlier.publish === publish || isAtOnce) return await earlier.result;
	}
	const own: LastHook = { doing, publish, result: hook(context) };
	lastHooks.set(key, own);
	const isDone = await own.result.catch(() => false);
	if (isDone && doing === 'unregister') own.unregisteredAt = Date.now();
	// After `checkExists` comes `create`, and n8n 2.41 tries five times to publish.
	if (!isDone && doing === 'register') lastHooks.delete(key);
	return await own.result;
}
