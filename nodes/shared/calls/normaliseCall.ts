import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../client/json';

/** Fields that have other names in a webhook than in the list of calls (assumed: webhook payload). */
const RECORD_NAMES = new Map([
	['assistant_phone', 'assistant_phone_number'],
	['customer_phone', 'client_phone_number'],
	['extracted_variables', 'variables'],
]);

/** The record's name of a field. Where the body has both names, each field keeps its own. */
function nameIn(body: IDataObject, name: string): string {
	const recordName = RECORD_NAMES.get(name);
	return recordName === undefined || Object.hasOwn(body, recordName) ? name : recordName;
}

/** An empty map may come as an empty list. */
const asMap = (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : value);

/**
 * Brings a delivered call into the shape of a call record, so that a workflow works the same whether a
 * call came by webhook or from the list of calls. Unknown fields pass through unchanged, except those
 * with the names of the two fields that are added, `event` and `assistant_id`.
 *
 * @param body what was delivered
 * @param event what happened, such as `callCompleted`
 * @param assistantId the assistant that the trigger is registered at. The delivery does not name it
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
