import { shownUrl } from '../base/secrets.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { Assistant, Call, Variables } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import {
	addEvent,
	describeAssistant,
	describeCall,
	describeTool,
	callSubjects,
} from '../domain/events.mts';
import { attachedTools } from '../domain/midCallTool/operations.mts';
import { textForKind } from './collectedValues.mts';
import { findKind } from './phrases.mts';
import { asParameterText, filledTool } from './toolPlaceholders.mts';

/**
 * Has the assistant call one of its tools: the one that is chosen for the call, or the one with the fewest parameters.
 * An assistant asks what is free before it books.
 *
 * @returns whether it has that tool; the call then waits for the answer
 */
export function callTool(context: Context, call: Call, assistant: Assistant): boolean {
	const { state, now, assumptions } = context;
	const name = call.tool?.name;
	const [tool] = attachedTools(state, assistant)
		.filter((one) => name === undefined || one.name === name)
		.toSorted((one, other) => one.schema.length - other.schema.length);
	if (!tool) {
		tellMissing(context, call, assistant);
		return false;
	}
	const values = call.tool?.arguments ?? toolArguments(context, tool.schema, call);
	const inQuery = assumptions['tool-parameters-delivery'][tool.method] === 'query';
	const { endpoint, headers } = filledTool(context, tool, call, assistant, values);
	const request = state.toolRequests.insert({
		at: now,
		call_id: call.id,
		assistant_id: assistant.id,
		tool_id: tool.id,
		tool_name: tool.name,
		method: tool.method,
		url: inQuery ? withQuery(endpoint, values) : endpoint,
		headers,
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
		text: `${describeCall(call)}: the assistant calls ${describeTool(tool)} with ${tool.method} ${shownUrl(tool.endpoint)}.`,
		...callSubjects(call),
		tool_request_id: request.id,
	});
	return true;
}

function tellMissing(context: Context, call: Call, assistant: Assistant): void {
	const missing = call.tool === null ? 'has no tool' : `has no tool “${call.tool.name}”`;
	addEvent(context, {
		kind: 'tool-missing',
		level: 'warning',
		text: `${describeCall(call)}: ${describeAssistant(assistant)} ${missing}. Publish a workflow with a Mid Call Tool Trigger for this assistant.`,
		...callSubjects(call),
	});
}

type Parameter = Schemas['ToolParameter'];

/** What the customer answers when the assistant asks for the parameters of a tool. */
function toolArguments({ now, random }: Context, schema: Parameter[], call: Call): Variables {
	const value: { [type: string]: (parameter: Parameter) => unknown } = {
		// A text that suits the words in name and description, so that a workflow can work with it.
		string: ({ name, description }: Parameter) =>
			textForKind(findKind('string', `${name} ${description}`), { call, now, random }) ??
			`Example: ${description}`,
		number: () => random.integer(1, 10),
		float: () => random.integer(10, 99) / 10,
		boolean: () => random.next() < 0.5,
	};
	return Object.fromEntries(
		schema.map((parameter) => [parameter.name, value[parameter.type]?.(parameter)]),
	);
}

function withQuery(endpoint: string, values: Variables): string {
	const url = new URL(endpoint);
	for (const [name, value] of Object.entries(values)) {
		url.searchParams.set(name, asParameterText(value));
	}
	return url.href;
}
