import { ApiError } from '../../base/apiError.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Assistant, Tool, ToolSettings, User } from '../../store/records.mts';
import type { Context, Handler } from '../context.mts';
import { addEvent, describeTool, listFields } from '../events.mts';
import { requireOwned } from '../ownership.mts';
import { preciseTime } from '../times.mts';

/** POST /user/tools. The contract's defaults are filled in before. */
const createTool: Handler<ToolSettings> = (context, user, { body }) => {
	requireQuota(context, user);
	const tool = addTool(context, user, body);
	tell(context, tool, 'was created');
	return { status: 201, body: { message: 'Tool created successfully', data: toolRecord(tool) } };
};

/** GET /user/tools: a bare list (public-service.md: Mid call tools, S1, S2, S12a). */
const listTools: Handler = ({ state }, user) => ({
	status: 200,
	body: state.tools.select([['user_id', 'is', user.id]]).map(toolRecord),
});

/** GET /user/tools/{id}: a bare record (public-service.md: Mid call tools, S1, S2, S12a). */
const getTool: Handler = ({ state }, user, { id }) => ({
	status: 200,
	body: toolRecord(requireOwned('Tool', state.tools, id, user)),
});

/** DELETE /user/tools/{id}: detaches it from all assistants (public-service.md: Mid call tools, S1, S2, S12a). */
const deleteTool: Handler = (context, user, { id }) => {
	const { state } = context;
	const tool = requireOwned('Tool', state.tools, id, user);
	for (const assistant of state.assistants.select([['user_id', 'is', user.id]])) {
		const { settings } = assistant;
		if (!settings.tool_ids.includes(id)) continue;
		const tool_ids = settings.tool_ids.filter((each) => each !== id);
		state.assistants.update({ ...assistant, settings: { ...settings, tool_ids } });
	}
	state.tools.delete(id);
	tell(context, tool, 'was deleted');
	return { status: 200, body: { message: 'Tool deleted successfully' } };
};

/** Stores a tool, under the next id unless it is given one. */
export const addTool = ({ state, now }: Context, user: User, body: ToolSettings, id?: number) =>
	state.tools.insert({ ...body, id, user_id: user.id, created_at: now, updated_at: now });

/** PUT /user/tools/{id}. A given headers or schema array replaces the one before. */
const updateTool: Handler<Schemas['ToolUpdate']> = (context, user, { id, body }) => {
	const { state, now } = context;
	const tool = requireOwned('Tool', state.tools, id, user);
	const updated = { ...tool, ...body, updated_at: now };
	state.tools.update(updated);
	tell(context, updated, `was changed: ${listFields(body)}`);
	return { status: 200, body: { message: 'Tool updated successfully', data: toolRecord(updated) } };
};

const tell = (context: Context, tool: Tool, whatHappened: string): void =>
	addEvent(context, {
		kind: 'tool-changed',
		text: `${describeTool(tool)} ${whatHappened}.`,
		user_id: tool.user_id,
	});

/** @throws {ApiError} in the words of public-service.md, "Mid call tools" (S1, S2, S12a; assumption: tool-quota) */
function requireQuota({ state }: Context, { id, tool_quota: quota }: User): void {
	if (state.tools.count([['user_id', 'is', id]]) < quota) return;
	const limit = `You have reached your plan limit of ${quota} mid call tools.`;
	throw new ApiError(422, `${limit} Please upgrade your plan to create more tools.`);
}

/** Where the tools of an assistant are looked up. */
interface ToolsById {
	tools: { get: (id: number) => Tool | undefined };
}

/** The tools of an assistant, in the order of its `tool_ids`. */
export const attachedTools = (state: ToolsById, { settings }: Assistant): Tool[] =>
	settings.tool_ids.map((id) => state.tools.get(id)).filter((tool) => tool !== undefined);

/** A tool as the service shows it (contract: Mid call tool). */
export const toolRecord = (tool: Tool): Schemas['Tool'] => ({
	id: tool.id,
	name: tool.name,
	description: tool.description,
	endpoint: tool.endpoint,
	method: tool.method,
	timeout: tool.timeout,
	headers: tool.headers,
	schema: tool.schema,
	created_at: preciseTime(tool.created_at),
	updated_at: preciseTime(tool.updated_at),
});

export const operations = { createTool, deleteTool, getTool, listTools, updateTool };
