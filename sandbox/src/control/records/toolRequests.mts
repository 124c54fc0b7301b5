import * as z from 'zod';

import { hideInUrl } from '../../base/secrets.mts';
import type { SandboxEngine } from '../../runtime/engine.mts';
import type { ToolRequest } from '../../store/records.mts';
import { id, iso, names, type RecordKind } from './recordKind.mts';

const brief = (request: ToolRequest, { state }: SandboxEngine) => ({
	id: request.id,
	at: iso(request.at),
	call_id: request.call_id,
	assistant_id: request.assistant_id,
	assistant_name: names(state).assistant(request.assistant_id),
	tool_id: request.tool_id,
	tool_name: request.tool_name,
	method: request.method,
	url: hideInUrl(request.url),
	state: request.state,
	status: request.status,
	latency_ms: request.latency_ms,
	error: request.error,
});

/** Requests to mid call tools, without their headers, which can hold secrets. */
export const toolRequests: RecordKind<ToolRequest> = {
	name: 'tool request',
	table: (state) => state.toolRequests,
	filters: { state: z.enum(['pending', 'answered', 'failed']), call_id: id },
	searched: ['tool_name', 'url'],
	brief,
	whole: (request, engine) => ({
		...brief(request, engine),
		timeout: request.timeout,
		arguments: request.arguments,
		answer: request.answer,
	}),
};
