import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/json';
import type { TriggerOn } from './events';

/** Names in a webhook for what the list of calls names otherwise (assumed: webhook payload). */
const RECORD_NAMES: Record<string, string> = {
	assistant_phone: 'assistant_phone_number',
	customer_phone: 'client_phone_number',
	extracted_variables: 'variables',
};

/** An empty map may come as an empty list. */
const asMap = (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : value);

/**
 * Brings a delivered call into the shape of a call record, so that a workflow works the same whether a
 * call came by webhook or from the list of calls. What is unknown passes through as it came.
 *
 * @param body what was delivered
 * @param event value of *Trigger On*
 * @param assistantId the assistant that the trigger is registered at; the delivery does not name it
 */
export function normaliseCall(body: unknown, event: TriggerOn, assistantId: number): IDataObject {
	const origin = { event, assistant_id: assistantId };
	if (!isRecord(body)) return { ...origin, body: body as IDataObject[string] };

	const call: IDataObject = {};
	for (const [name, value] of Object.entries(body)) call[RECORD_NAMES[name] ?? name] = value;
	for (const name of ['variables', 'input_variables']) {
		if (name in call) call[name] = asMap(call[name]) as IDataObject;
	}
	if (isRecord(body.campaign)) {
		call.campaign_id ??= body.campaign.id;
		call.campaign_name ??= body.campaign.name;
	}
	return { ...call, ...origin };
}
