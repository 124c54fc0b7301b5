import type { ToolRequest } from '../../client.mts';
import { A_CALL, getCalls, newestCall } from './calls.mts';
import type { ServiceClient } from './client.mts';
import type { JsonObject } from './contract.mts';
import type { Service } from './service.mts';

/** Whom {@link callTool} calls. */
export const CALLED_NUMBER = '+4915112345690';

/** A call in which the assistant used its tool. */
export interface ToolCall {
	request: ToolRequest;
	/** lines */
	transcript: string[];
}

/**
 * An assistant calls somebody, and uses a tool in the call.
 *
 * @param client of the assistant's owner
 * @param name of the tool
 * @param values the arguments
 * @returns the call, after its end
 */
export async function callTool(
	{ control }: Service,
	client: ServiceClient,
	assistantId: number,
	name: string,
	values: JsonObject = {},
): Promise<ToolCall> {
	const { id } = await control.outbound({
		assistant_id: assistantId,
		to: CALLED_NUMBER,
		tool: { name, arguments: values },
	});
	await control.advance(A_CALL);
	const request = (await control.toolRequests()).find(({ call_id: callId }) => callId === id);
	if (request === undefined) throw new Error(`The assistant used no tool in call ${id}.`);
	const record = (await getCalls(client)).find((call) => call.id === id);
	return { request, transcript: String(record?.transcript).split('\n') };
}

/** Changes a mid call tool. */
export async function updateTool(
	client: ServiceClient,
	id: number,
	fields: JsonObject,
): Promise<void> {
	const response = await client.put(`/user/tools/${id}`, fields);
	if (response.status !== 200) throw new Error(response.text);
}

/** The lines of the newest call's transcript. */
export async function newestTranscript(client: ServiceClient): Promise<string[]> {
	return String((await newestCall(client)).transcript).split('\n');
}
