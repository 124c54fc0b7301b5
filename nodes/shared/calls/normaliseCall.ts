import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../client/json';

/** Names of fields in a webhook, with their names in the list of calls (assumed: webhook-payload). */
const RECORD_NAMES = new Map([
	['assistant_phone', 'assistant_phone_number'],
	['customer_phone', 'client_phone_number'],
	['extracted_variables', 'variables'],
]);

/** The name of a field in the list of calls. When the body has both names, each field keeps its own. */
function nameIn(body: IDataObject, name: string): string {
	const recordName = RECORD_NAMES.get(name);
	return recordName === undefined || Object.hasOwn(body, recordName) ? name : recordName;
}

/** Some services send an empty object as an empty list. */
const asMap = (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : value);

/**
 * Converts a delivered call to the shape of a call record, so that a workflow can use calls from the
 * webhook and from the list of calls in the same way. Unknown fields pass through unchanged.
 * `event` is added to every call, and replaces a field of that name.
 *
 * @param body of the delivery
 * @param event what happened, such as `callCompleted`
 * @param assistantId of the trigger: a delivery need not name its assistant
 */
export function normaliseCall(body: unknown, event: string, assistantId: number): IDataObject {
	const origin = { event, assistant_id: assistantId };
	if (!isRecord(body)) return { ...origin, body: body as IDataObject[string] };

	const fields = Object.entries(body).map(([name, value]) => [nameIn(body, name), value]);
	const call = Object.fromEntries(fields) as IDataObject;
	for (const name of ['variables', 'input_variables']) {
		if (Object.hasOwn(call, name)) call[name] = asMap(call[name]) as IDataObject;
	}
	const { id, name } = isRecord(body.campaign) ? body.campaign : {};
	if (id !== undefined) call.campaign_id ??= id;
	if (name !== undefined) call.campaign_name ??= name;
	return { ...call, event, assistant_id: call.assistant_id ?? assistantId };
}
