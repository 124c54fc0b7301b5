import type { IHookFunctions } from 'n8n-workflow';

import { triggerKey, type Purpose } from '../shared/webhook/identity';
import type { Registration, Settings } from './events';

/** What the assistant had before the trigger was registered, as far as the trigger changed it. */
export interface Former {
	/** The replaced webhook of another system. */
	registration?: Registration;
	settings: Settings;
}

/** What is stored about one trigger. */
interface Stored {
	/** A copy of the workflow can contain the data of its original (n8n 2.0, 2.41: export:workflow). */
	trigger: string;
	purpose: string;
	former: Former;
}

/**
 * By trigger. n8n 2.0 forgets the static data of a failed publish, but calls `delete` after it, in the
 * same process.
 */
const inThisProcess = new Map<string, Stored>();

/** The workflow's data stay when the node is renamed (n8n 2.0, 2.41). */
const keyOf = (context: IHookFunctions) => `former ${context.getNode().id}`;

/** Reads what the trigger changed for this purpose; nothing when it changed nothing. */
export function formerOf(context: IHookFunctions, purpose: Purpose): Former {
	const trigger = triggerKey(context);
	const text = context.getWorkflowStaticData('global')[keyOf(context)];
	const inData = typeof text === 'string' ? (JSON.parse(text) as Stored) : undefined;
	const stored = inData?.trigger === trigger ? inData : inThisProcess.get(trigger);
	return stored?.purpose === JSON.stringify(purpose) ? stored.former : { settings: {} };
}

/** Stores what the trigger is about to change. */
export function storeFormer(context: IHookFunctions, purpose: Purpose, former: Former): void {
	const trigger = triggerKey(context);
	const stored = { trigger, purpose: JSON.stringify(purpose), former };
	inThisProcess.set(trigger, stored);
	context.getWorkflowStaticData('global')[keyOf(context)] = JSON.stringify(stored);
}

/** Forgets what the trigger had changed. */
export function removeFormer(context: IHookFunctions): void {
	inThisProcess.delete(triggerKey(context));
	delete context.getWorkflowStaticData('global')[keyOf(context)];
}
