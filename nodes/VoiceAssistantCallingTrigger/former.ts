import type { IHookFunctions } from 'n8n-workflow';

import { triggerKey, type Purpose } from '../shared/webhook/identity';
import type { Registration, Settings } from './events';

/** What the assistant had before the trigger was registered, as far as the trigger changed it. */
export interface Former {
	/** The replaced webhook of another system. */
	registration?: Registration;
	settings: Settings;
}

/** What is stored about one trigger and purpose. */
interface Stored {
	/** A copy of the workflow can contain the data of its original (n8n 2.0, 2.41: export:workflow). */
	trigger: string;
	former: Former;
}

/**
 * By trigger and purpose. n8n 2.0 forgets the static data of a failed publish, but calls `delete` after it, in the
 * same process.
 */
const inThisProcess = new Map<string, Former>();

/**
 * Each purpose has its own place, because a trigger can move to another assistant while the service does
 * not answer. Then the first assistant still has the trigger's URL. The workflow's data stay when the node
 * is renamed (n8n 2.0, 2.41).
 */
const keyOf = (context: IHookFunctions, purpose: Purpose) =>
	`former ${context.getNode().id} ${JSON.stringify(purpose)}`;

const processKeyOf = (context: IHookFunctions, purpose: Purpose) =>
	`${triggerKey(context)} ${JSON.stringify(purpose)}`;

/** Reads what the trigger changed for this purpose; nothing when it changed nothing. */
export function formerOf(context: IHookFunctions, purpose: Purpose): Former {
	const text = context.getWorkflowStaticData('global')[keyOf(context, purpose)];
	const inData = typeof text === 'string' ? (JSON.parse(text) as Stored) : undefined;
	if (inData?.trigger === triggerKey(context)) return inData.former;
	return inThisProcess.get(processKeyOf(context, purpose)) ?? { settings: {} };
}

/** Stores what the trigger is about to change. */
export function storeFormer(context: IHookFunctions, purpose: Purpose, former: Former): void {
	const stored: Stored = { trigger: triggerKey(context), former };
	inThisProcess.set(processKeyOf(context, purpose), former);
	context.getWorkflowStaticData('global')[keyOf(context, purpose)] = JSON.stringify(stored);
}

/** Forgets what the trigger had changed for this purpose. */
export function removeFormer(context: IHookFunctions, purpose: Purpose): void {
	inThisProcess.delete(processKeyOf(context, purpose));
	delete context.getWorkflowStaticData('global')[keyOf(context, purpose)];
}
