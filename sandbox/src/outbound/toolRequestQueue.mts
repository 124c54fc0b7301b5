import { stopwatch } from '../base/realTime.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { ToolRequest } from '../store/records.mts';
import type { Context, Engine } from '../domain/context.mts';
import { addEvent, asClause, callSubjects } from '../domain/events.mts';
import { RequestQueue } from './requestQueue.mts';
import { MAX_BODY_LENGTH, send, type SendResult } from './send.mts';

/** Every call waits for its own tool, so more of them than of the webhooks are open at once. */
const MAX_IN_FLIGHT = 100;

/**
 * Sends the requests of assistants to their mid call tools.
 *
 * @param continueCall lets the call go on, in the transaction that stores the answer
 */
export const toolRequestQueue = (
	engine: Engine,
	continueCall: (context: Context, callId: number, waitingSince: number) => void,
): RequestQueue<ToolRequest> =>
	new RequestQueue({
		what: 'tool request',
		maxInFlight: MAX_IN_FLIGHT,
		pending: (limit) =>
			engine.state.toolRequests.select([['state', 'is', 'pending']], { by: 'at', limit }),
		due: ({ at }) => at,
		send: async (request, aborted) => {
			const elapsed = stopwatch();
			const result = await sendToTool(engine, request, aborted);
			const latency = elapsed();
			return () =>
				engine.commit((context) => {
					const updated = withResult(request, result, latency);
					context.state.toolRequests.update(updated);
					tell(context, updated);
					continueCall(context, request.call_id, request.at);
				});
		},
	});

function tell(context: Context, request: ToolRequest): void {
	const { id, tool_name, call_id, assistant_id, status, latency_ms, error } = request;
	const call = context.state.calls.get(call_id);
	addEvent(context, {
		kind: 'tool-answered',
		text:
			error === null
				? `The tool “${tool_name}” answered call ${call_id} with status ${status} after ${latency_ms} ms.`
				: `The request to the tool “${tool_name}” in call ${call_id} failed: ${asClause(error)}`,
		level: error === null ? 'info' : 'error',
		...(call && callSubjects(call)),
		assistant_id,
		call_id,
		tool_request_id: id,
	});
}

async function sendToTool(
	{ assumptions }: Engine,
	{ method, url, headers: toolHeaders, timeout, arguments: values }: ToolRequest,
	aborted: AbortSignal,
): Promise<SendResult> {
	const impossible = toolHeaders.find((header) => !isPossible(header));
	if (impossible) {
		// The message of Node would contain the value.
		const error = `The request was not sent: HTTP does not allow the header "${impossible.name}" or its value.`;
		return { status: null, body: '', isWhole: false, error };
	}
	const headers = new Headers(toolHeaders.map(({ name, value }) => [name, value]));
	const hasBody = assumptions['tool-parameters-delivery'][method] === 'body';
	if (hasBody && !headers.has('content-type')) headers.set('content-type', 'application/json');
	if (!headers.has('user-agent')) headers.set('user-agent', 'sandbox-assistants');
	const body = hasBody ? JSON.stringify(values) : undefined;
	return send({ method, url, headers, body, receiver: 'tool', limit: timeout * 1000, aborted });
}

function isPossible({ name, value }: Schemas['ToolHeader']): boolean {
	try {
		new Headers([[name, value]]);
		return true;
	} catch {
		return false;
	}
}

/** A request with what came of it. Only a whole response is an answer. */
function withResult(
	request: ToolRequest,
	{ status, body, isWhole, error }: SendResult,
	latency: number,
): ToolRequest {
	const isTooLong = status !== null && !isWhole;
	return {
		...request,
		state: isWhole ? 'answered' : 'failed',
		status,
		answer: body,
		latency_ms: latency,
		error: isTooLong ? `The tool's answer is longer than ${MAX_BODY_LENGTH} characters.` : error,
	};
}
