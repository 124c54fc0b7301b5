import type { IExecuteFunctions } from 'n8n-workflow';

import type { HeldBack } from '../heldBack';
import type { WrittenItem } from './earlierExecution';

/** What a try of a run leaves to the next one, by the index of the item. */
export interface RunMemory {
	/** How items ended, also those that a step held back. */
	ended: Map<number, HeldBack>;
	/** What the node has written, or may have. */
	written: Map<number, WrittenItem>;
}

/** n8n's *Retry On Fail* runs all items again with the same execute data (n8n.md#retry-on-fail). */
const memories = new WeakMap<object, RunMemory>();

const nothing = (): RunMemory => ({ ended: new Map(), written: new Map() });

/** The memory of a run, which all its tries share. */
export function getRunMemory(context: IExecuteFunctions): RunMemory {
	const key = context.getExecuteData();
	// An agent gives its own execute data to the tools that it calls. Its calls are not one run.
	if (key.node.name !== context.getNode().name) return nothing();
	const memory = memories.get(key) ?? nothing();
	memories.set(key, memory);
	return memory;
}
