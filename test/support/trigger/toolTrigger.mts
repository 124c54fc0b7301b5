import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MID_CALL_TOOL_TRIGGER } from '../../../host/n8n/names.mts';
import { getHeaders, SECRET_HEADER } from '../midCallTools.mts';
import { byId } from '../n8n/operations.mts';
import { asObject, type JsonObject } from '../../../sandbox/test/support/contract.mts';
import type { TriggerEnvironment } from './testEnvironment.mts';
import { TriggerNode, type Instance, type TriggerSettings } from './triggerNode.mts';

export { SECRET_HEADER as SECRET };

/** The parameters of a Mid Call Tool Trigger. */
export const triggerParameters = (
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
	options: {},
	...parameters,
});

/** The parameters of a trigger that uses a tool of the account. */
export const existingTool = (toolId: number | string, options: IDataObject = {}): IDataObject => ({
	tool: 'existing',
	toolId: byId(toolId),
	options,
});

/** A Mid Call Tool Trigger in a workflow. */
export const toolTrigger = (
	instance: Instance,
	{ parameters = triggerParameters([1]), ...settings }: Partial<TriggerSettings> = {},
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
export const getTools = async (
	environment: TriggerEnvironment,
	assistantId = 1,
): Promise<JsonObject[]> => tools(await environment.assistant(assistantId));

/** The IDs of an assistant's tools. */
export const getToolIds = async (
	environment: TriggerEnvironment,
	assistantId = 1,
): Promise<unknown[]> => (await getTools(environment, assistantId)).map(({ id }) => id);

/** The IDs of the tools of the first two assistants. */
export const attachedTools = (environment: TriggerEnvironment) =>
	Promise.all([1, 2].map((id) => getToolIds(environment, id)));

/** How the service calls the newest tool of the first assistant. */
export async function newestTool(environment: TriggerEnvironment) {
	const tool = (await getTools(environment)).at(-1);
	return { endpoint: String(tool?.endpoint), secret: getHeaders(tool)[SECRET_HEADER] ?? '' };
}
