import type { IHookFunctions } from 'n8n-workflow';

import { ProcessMemory } from '../processMemory';

const names = new ProcessMemory<string>('workflowNames');

/** Remembers the name of a workflow whose hook runs: no hook can read that of another one. */
export function noteWorkflowName(context: IHookFunctions): void {
	const { id, name } = context.getWorkflow();
	if (id && name) names.set(id, name);
}

/** The name of a workflow as its last hook had it; undefined where none has run in this process. */
export const workflowName = (id: string): string | undefined => names.get(id);
