import { rowsOf, type ServiceClient } from './client.mts';
import { asObject, type JsonObject } from './contract.mts';
import type { Receiver } from './receiver.mts';
import type { Service } from './service.mts';

/** Longer than any call of the sandbox takes. */
export const A_CALL = 'PT30M';

/** Switches on the post-call webhook of an assistant, and sets further fields. */
export async function enableWebhook(
	client: ServiceClient,
	assistantId: number,
	webhook_url: string,
	fields: JsonObject = {},
): Promise<void> {
	const response = await client.put(`/user/assistant/${assistantId}`, {
		is_webhook_active: true,
		webhook_url,
		...fields,
	});
	if (response.status !== 200) throw new Error(response.text);
}

/** Lets Alice's assistant 1 call a lead. @returns the notification about the finished call */
export async function notificationAbout(
	service: Service,
	receiver: Receiver,
	leadId: number,
): Promise<JsonObject> {
	await enableWebhook(service.alice, 1, receiver.url);
	const before = receiver.arrivals.length;
	await service.control.outbound({ assistant_id: 1, to: '+4915112345611', lead_id: leadId });
	await service.control.advance(A_CALL);
	return asObject(receiver.arrivals[before]?.body, 'notification');
}

/** Every call of a user, newest first. */
export async function callsOf(client: ServiceClient, query = {}): Promise<JsonObject[]> {
	return rowsOf(await client.get('/user/calls', { per_page: 100, ...query }));
}

/** The assistant as the list operation shows it. */
export async function assistantRecord(client: ServiceClient, id: number): Promise<JsonObject> {
	const records = rowsOf(await client.get('/user/assistants/get', { per_page: 100 }));
	const found = records.find((record) => record.id === id);
	if (!found) throw new Error(`assistant ${id} is not listed`);
	return found;
}
