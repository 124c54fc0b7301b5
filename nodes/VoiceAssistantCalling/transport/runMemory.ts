import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { hasUnknownOutcome } from '../../shared/client/errors';
import type { WrittenItem } from './earlierExecution';
import type { KnownOutcome, Outcome } from './runItems';

/** What a try of a run leaves to the next one, by the index of the item. */
export interface RunMemory {
	/** How items ended. */
	ended: Map<number, KnownOutcome>;
	/** What the node has written, or may have. */
	written: Map<number, WrittenItem>;
}

/** n8n's *Retry On Fail* runs all items again with the same execute data (n8n 2.0, 2.41). */
const memories = new WeakMap<object, RunMemory>();

const nothing = (): RunMemory => ({ ended: new Map(), written: new Map() });

/**
 * The items that must not be sent again when n8n repeats the run: items that succeeded, and writes whose
 * outcome is unknown.
 */
export function getRunMemory(context: IExecuteFunctions): RunMemory {
	const key = context.getExecuteData();
	// An agent gives its own execute data to the tools that it calls. Its calls are not one run.
	if (key.node.name !== context.getNode().name) return nothing();
	const memory = memories.get(key) ?? nothing();
	memories.set(key, memory);
	return memory;
}

/** Ends an item as it ended in an earlier try. */
export async function replay(outcome: KnownOutcome): Promise<INodeExecutionData[]> {
	if ('error' in outcome) throw outcome.error;
	return await Promise.resolve(outcome.items);
}

/** Remembers the items that a later try must not send again. */
export function remember({ ended }: RunMemory, outcomes: Outcome[]): void {
	outcomes.forEach((outcome, item) => {
		if (!outcome) return;
		const isFinal = 'items' in outcome || hasUnknownOutcome(outcome.error);
		if (isFinal) ended.set(item, outcome);
	});
}
