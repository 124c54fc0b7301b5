import type { JsonObject } from './contract.mts';
import type { ServiceClient } from './client.mts';
import { newestCall } from './calls.mts';

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
