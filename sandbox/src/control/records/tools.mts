import { hideInUrl, HIDDEN } from '../../base/secrets.mts';
import type { Tool } from '../../store/records.mts';
import { iso, type RecordKind } from './recordKind.mts';

const brief = (tool: Tool) => ({
	id: tool.id,
	user_id: tool.user_id,
	created_at: iso(tool.created_at),
	updated_at: iso(tool.updated_at),
	name: tool.name,
	description: tool.description,
	method: tool.method,
	endpoint: hideInUrl(tool.endpoint),
	timeout: tool.timeout,
});

/** Mid call tools, with the assistants that use them. The values of headers can be secrets. */
export const tools: RecordKind<Tool> = {
	name: 'tool',
	table: (state) => state.tools,
	filters: {},
	searched: ['name', 'endpoint'],
	brief,
	whole: (tool, { state }, withSecrets) => ({
		...brief(tool),
		...(withSecrets && { endpoint: tool.endpoint }),
		headers: tool.headers.map(({ name, value }) => ({ name, value: withSecrets ? value : HIDDEN })),
		schema: tool.schema,
		assistants: state.assistants
			.select([['user_id', 'is', tool.user_id]])
			.filter(({ settings }) => settings.tool_ids.includes(tool.id))
			.map(({ id, settings }) => ({ id, name: settings.assistant_name })),
	}),
};
