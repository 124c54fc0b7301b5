import type { Schemas, Tool, ToolSettings, User } from '../../store/records.mts';
import { notFound, Refusal } from '../../base/response.mts';
import type { Context, Handler } from '../context.mts';
import { owned } from '../ownership.mts';
import { preciseTime } from '../times.mts';

/** POST /user/tools. The contract's defaults are filled in before. */
export const createTool: Handler<ToolSettings> = (context, user, { body }) => {
	refuseOverQuota(context, user);
	const tool = addTool(context, user, body);
	return { status: 201, body: { message: 'Tool created successfully', data: toolRecord(tool) } };
};

/** Stores a tool, under the next id unless it is given one. */
export function addTool(
	{ state, now }: Context,
	user: User,
	body: ToolSettings,
	id?: number,
): Tool {
	return state.tools.insert({
		...fieldsOf(body),
		id,
		user_id: user.id,
		created_at: now,
		updated_at: now,
	});
}

/** PUT /user/tools/{id}. A given headers or schema array replaces the one before. */
export const updateTool: Handler<Schemas['ToolUpdate']> = ({ state, now }, user, { id, body }) => {
	const tool = owned(state.tools, id, user);
	if (!tool) throw notFound('Tool');
	const updated = { ...tool, ...fieldsOf({ ...tool, ...body }), updated_at: now };
	state.tools.update(updated);
	return { status: 200, body: { message: 'Tool updated successfully', data: toolRecord(updated) } };
};

/** The fields of a tool and nothing else that a body may hold. */
const fieldsOf = ({
	name,
	description,
	endpoint,
	method,
	timeout,
	headers,
	schema,
}: ToolSettings) => ({
	name,
	description,
	endpoint,
	method,
	timeout,
	headers: headers.map((header) => ({ name: header.name, value: header.value })),
	schema: schema.map((parameter) => ({
		name: parameter.name,
		type: parameter.type,
		description: parameter.description,
	})),
});

function refuseOverQuota({ state, assumptions }: Context, user: User): void {
	if (state.tools.count([['user_id', 'is', user.id]]) < user.tool_quota) return;
	const quota = String(user.tool_quota);
	throw new Refusal(422, assumptions.toolQuotaMessage.replace('{quota}', quota));
}

/** A tool as the service shows it (contract: Mid call tool). */
export const toolRecord = (tool: Tool): Schemas['Tool'] => ({
	id: tool.id,
	...fieldsOf(tool),
	created_at: preciseTime(tool.created_at),
	updated_at: preciseTime(tool.updated_at),
});
