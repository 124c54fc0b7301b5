import { ACTION, MID_CALL_TOOL_TRIGGER } from '../../host/n8n/names.mts';
import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { getObjects, type JsonObject } from '../../sandbox/test/support/contract.mts';
import { node } from './workflows.mts';

type Node = Workflow['nodes'][number];
type Parameters = Record<string, unknown>;

/** Name of the trigger in these workflows. */
export const TOOL_CALL = 'When an assistant calls the tool';

/** The header with the secret of a tool. */
export const SECRET_HEADER = 'X-Tool-Token';

/** Rows of the field *Parameters*. */
export const toolParameters = (types: Record<string, string>): object => ({
	parameter: Object.entries(types).map(([name, type]) => ({
		name,
		type,
		description: `The ${name} that the person wants`,
	})),
});

/** The value of the field *Assistants*, chosen by their IDs. */
export const chosenAssistants = (ids: number[]): object => ({
	values: ids.map((id) => ({ assistantId: { __rl: true, mode: 'id', value: String(id) } })),
});

/**
 * The Mid Call Tool Trigger, which creates its tool.
 *
 * @param assistants IDs
 * @param parameters further ones, or other values
 */
export const midCallToolTrigger = (
	assistants: number[],
	credential: CredentialRef,
	parameters: Parameters = {},
): Node => ({
	...node(TOOL_CALL, MID_CALL_TOOL_TRIGGER, 2, {
		tool: 'create',
		name: 'look_up',
		description: 'Look something up.',
		assistants: chosenAssistants(assistants),
		fallbackAnswer: 'I cannot look that up at the moment.',
		...parameters,
	}),
	credentials: { [credential.type]: { id: credential.id, name: credential.name } },
});

/** *Call → Respond*. It sends no request to the service, and has no credential. */
export const respond = (name: string, answer: string): Node =>
	node(name, ACTION, 1, { resource: 'call', operation: 'respond', answer });

/** The headers of a tool's requests, with the secret. @param tool its record */
export const getHeaders = (tool: JsonObject = {}): Record<string, string> =>
	Object.fromEntries(
		getObjects(tool.headers).map(({ name, value }) => [String(name), String(value)]),
	);
