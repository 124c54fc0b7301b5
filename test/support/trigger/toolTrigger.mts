import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MID_CALL_TOOL_TRIGGER } from '../../../host/n8n/names.mts';
import { byId } from '../n8n/operations.mts';
import { asObject, type JsonObject } from '../sandbox/contract.mts';
import type { TriggerEnvironment } from './testEnvironment.mts';
import { TriggerNode, type Instance, type TriggerSettings } from './triggerNode.mts';

/** The header with the trigger's secret. */
export const SECRET = 'X-Tool-Token';

/** The parameters of a Mid Call Tool Trigger. */
export const toolParameters = (
	assistantIds: Array<number | string>,
	parameters: IDataObject = {},
): INodeParameters => ({
	tool: 'create',
	name: 'get_free_slots',
	description: 'Look up free slots when the person asks for one',
	parameters: {
		parameter: [{ name: 'day', type: 'string', description: 'The day of the appointment' }],
	},
	assistants: { values: assistantIds.map((id) => ({ assistantId: byId(id) })) },
	fallbackAnswer: 'I cannot look that up at the moment.',
	timeout: 10,
	method: 'POST',
	options: {},
	...parameters,
});

/** A Mid Call Tool Trigger in a workflow. */
export const toolTrigger = (
	instance: Instance,
	{ parameters = toolParameters([1]), ...settings }: Partial<TriggerSettings> = {},
): TriggerNode =>
	new TriggerNode(instance, {
		type: MID_CALL_TOOL_TRIGGER,
		nodeName: 'Mid Call Tool',
		parameters,
		...settings,
	});

const tools = (assistant: JsonObject): JsonObject[] =>
	(assistant.tools as unknown[]).map((tool) => asObject(tool, 'tool'));

/** The tools of an assistant, as the service lists them. */
export const toolsOf = async (
	environment: TriggerEnvironment,
	assistantId = 1,
): Promise<JsonObject[]> => tools(await environment.assistant(assistantId));

/** The IDs of an assistant's tools. */
export const toolIdsOf = async (
	environment: TriggerEnvironment,
	assistantId = 1,
): Promise<unknown[]> => (await toolsOf(environment, assistantId)).map(({ id }) => id);
