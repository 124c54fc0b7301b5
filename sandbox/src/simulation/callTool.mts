import { shownUrl } from '../base/secrets.mts';
import type { Assistant, Call, Variables } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import { addEvent, nameOfCall, nameOfTool, subjectsOfCall } from '../domain/events.mts';
import { attachedTools } from '../domain/midCallTool/operations.mts';
import { toolArguments } from './toolArguments.mts';

/**
 * Has the assistant call one of its tools: the one that is chosen for the call, or its first one.
 *
 * @returns whether it has that tool; the call then waits for the answer
 */
export function callTool(context: Context, call: Call, assistant: Assistant): boolean {
	const { state, now, assumptions } = context;
	const name = call.tool?.name;
	const tool = attachedTools(state, assistant).find(
		(one) => name === undefined || one.name === name,
	);
	if (!tool) return false;
	const values = call.tool?.arguments ?? toolArguments(context, tool.schema, call);
	const inQuery = assumptions['tool-parameters-delivery'][tool.method] === 'query';
	const request = state.toolRequests.insert({
		at: now,
		call_id: call.id,
		assistant_id: assistant.id,
		tool_id: tool.id,
		tool_name: tool.name,
		method: tool.method,
		url: inQuery ? withQuery(tool.endpoint, values) : tool.endpoint,
		headers: tool.headers,
		timeout: tool.timeout,
		arguments: values,
		state: 'pending',
		status: null,
		answer: '',
		latency_ms: null,
		error: null,
	});
	addEvent(context, {
		kind: 'tool-called',
		text: `${nameOfCall(call)}: the assistant calls ${nameOfTool(tool)} with ${tool.method} ${shownUrl(tool.endpoint)}.`,
		...subjectsOfCall(call),
		tool_request_id: request.id,
	});
	return true;
}

function withQuery(endpoint: string, values: Variables): string {
	const url = new URL(endpoint);
	for (const [name, value] of Object.entries(values)) {
		url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
	}
	return url.href;
}
