import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { ProcessMemory } from '../shared/processMemory';
import { triggerKey, webhookUrl } from '../shared/webhook/triggerContext';

type Doing = 'register' | 'unregister';

/** What the last hook of a publish or unpublish did, by the static data of its node. */
const last = new WeakMap<IDataObject, { doing: Doing; result: Promise<boolean> }>();

/** The triggers that were just unregistered, and not registered since, by trigger and mode. */
const unregistered = new ProcessMemory<true>('unregistered');

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
	hook: (context: IHookFunctions) => Promise<boolean>,
): Promise<boolean> {
	const publish = context.getWorkflowStaticData('node');
	const earlier = last.get(publish);
	if (earlier?.doing === doing) return await earlier.result;

	const key = `${triggerKey(context)} ${webhookUrl(context)}`;
	if (doing === 'unregister' && unregistered.get(key)) return true;
	unregistered.delete(key);

	const result = hook(context);
	last.set(publish, { doing, result });
	const isDone = await result.catch(() => false);
	if (isDone && doing === 'unregister') unregistered.set(key, true);
	// After `checkExists` comes `create`, and n8n 2.41 tries five times to publish.
	if (!isDone && doing === 'register') last.delete(publish);
	return await result;
}
