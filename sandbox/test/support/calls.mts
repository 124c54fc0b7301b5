import { getRows, type ServiceClient } from './client.mts';
import { asObject, type JsonObject } from './contract.mts';
import type { Service } from './service.mts';

/** Longer than any call of the sandbox takes. */
export const A_CALL = 'PT30M';
/** The number of Alice's lead 1. */
export const LEAD_PHONE_NUMBER = '+4915112345611';
/** The number of somebody who calls. */
export const CALLER_PHONE_NUMBER = '+4915112345677';

/** Switches on the post-call webhook of an assistant, for every call, and sets further fields. */
export async function enableWebhook(
	client: ServiceClient,
	assistantId: number,
	webhook_url: string,
	fields: JsonObject = {},
): Promise<void> {
	const response = await client.put(`/user/assistant/${assistantId}`, {
		is_webhook_active: true,
		webhook_url,
		send_webhook_only_on_completed: false,
		...fields,
	});
	if (response.status !== 200) throw new Error(response.text);
}

/** Lets Alice's assistant 1 call somebody, her lead 1 unless the fields say otherwise. */
export const startCall = ({ control }: Service, fields: JsonObject = {}) =>
	control.outbound({ assistant_id: 1, to: LEAD_PHONE_NUMBER, ...fields });

/** The same, and time passes. @returns the newest call of Alice, after its end */
export async function completeCall(service: Service, fields: JsonObject = {}): Promise<JsonObject> {
	await startCall(service, fields);
	await service.control.advance(A_CALL);
	return newestCall(service.alice);
}

/** Starts or stops a campaign of Alice. */
export const setCampaign = ({ alice }: Service, action: string, campaign_id: unknown = 1) =>
	alice.post('/user/campaigns/update-status', { campaign_id, action });

/** Every call of a user, newest first. */
export async function getCalls(client: ServiceClient, query = {}): Promise<JsonObject[]> {
	return getRows(await client.get('/user/calls', { per_page: 100, ...query }));
}

export const newestCall = async (client: ServiceClient): Promise<JsonObject> =>
	asObject((await getCalls(client))[0], 'newest call');

/** The assistant as the list operation shows it. */
export async function assistantRecord(client: ServiceClient, id: number): Promise<JsonObject> {
	const records = getRows(await client.get('/user/assistants/get', { per_page: 100 }));
	const found = records.find((record) => record.id === id);
	if (!found) throw new Error(`assistant ${id} is not listed`);
	return found;
}
