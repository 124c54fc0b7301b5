import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { hasUnknownOutcome } from '../../shared/client/errors';
import type { KnownOutcome, Outcome } from './runItems';

/** How items ended in an earlier try, by their index. */
export type RunMemory = Map<number, { account: string; outcome: KnownOutcome }>;

/** n8n's *Retry On Fail* runs all items again with the same execute data (n8n 2.0, 2.41). */
const memories = new WeakMap<object, RunMemory>();

/**
 * The items that must not be sent again when n8n repeats the run: items that succeeded, and writes whose
 * outcome is unknown.
 *
 * @returns how these items ended in an earlier try of this run, by their index
 */
export function getRunMemory(context: IExecuteFunctions): RunMemory {
	const key = context.getExecuteData();
	// An agent gives its own execute data to the tools that it calls. Its calls are not one run.
	if (key.node.name !== context.getNode().name) return new Map();
	const memory = memories.get(key) ?? (new Map() as RunMemory);
	memories.set(key, memory);
	return memory;
}

/** Ends an item as it ended in an earlier try. */
export async function replay(outcome: KnownOutcome): Promise<INodeExecutionData[]> {
	if ('error' in outcome) throw outcome.error;
	return await Promise.resolve(outcome.items);
}

/**
 * Remembers the items that a later try must not send again.
 *
 * @param accountKeys of the items' accounts: a later try may use another account for an item
 */
export function remember(memory: RunMemory, outcomes: Outcome[], accountKeys: string[]): void {
	outcomes.forEach((outcome, item) => {
		if (!outcome) return;
		const isFinal = 'items' in outcome || hasUnknownOutcome(outcome.error);
		if (isFinal) memory.set(item, { account: accountKeys[item] ?? '', outcome });
	});
}
