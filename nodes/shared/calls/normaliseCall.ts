import type { IDataObject } from 'n8n-workflow';

import { toContractRecord } from '../records/contractRecord';
import { toIsoTime } from '../records/timestamps';
import { isUuid } from '../values/ids';
import { isRecord } from '../values/json';
import { inOrder } from './callOrder';
import { callShape } from './callShape';
import { getOutcome } from './outcome';

/** Times have a zone in the shape of the triggers, so that nobody takes them for local ones. */
const TIMES = Object.keys(callShape).filter((name) => callShape[name]?.type === 'timestamp');

/** Names of fields in a webhook, with their names in the list of calls (public-service: Post-call webhook). */
const RECORD_NAMES = new Map([
	['assistant_phone', 'assistant_phone_number'],
	['customer_phone', 'client_phone_number'],
	['extracted_variables', 'variables'],
]);

/** The campaign of a delivery is beside its lead, or in it (public-service: Post-call webhook; S1, S2, S12a). */
function campaignOf({ campaign, lead }: IDataObject): IDataObject {
	const found = [campaign, isRecord(lead) && lead.campaign].find(isRecord);
	const { id, name } = found ?? {};
	return {
		...(id !== undefined && { campaign_id: id }),
		...(name !== undefined && { campaign_name: name }),
	};
}

/** The guides write a status in another way (public-service: call-status-names; S2, S12a). */
const toStatus = (status: IDataObject[string]) => (status === 'unanswered' ? 'no-answer' : status);

/**
 * The fields of a call under the names that the list of calls gives them, with their types. Unknown
 * fields pass through unchanged.
 *
 * @param body of a delivery, or a record of the list of calls
 */
export function callFields(body: IDataObject): IDataObject {
	const call = { ...campaignOf(body), ...body };
	if ('status' in call) call.status = toStatus(call.status);
	for (const [name, recordName] of RECORD_NAMES) {
		// When the body has both names, each field keeps its own.
		if (!Object.hasOwn(body, name) || Object.hasOwn(body, recordName)) continue;
		call[recordName] = call[name];
		delete call[name];
	}
	const typed = toContractRecord(call, callShape);
	for (const name of TIMES) if (Object.hasOwn(typed, name)) typed[name] = toIsoTime(typed[name]);
	return typed;
}

/**
 * Converts a call to one shape, so that a workflow can use calls from the webhook and from the list of
 * calls in the same way. Unknown fields pass through unchanged. `event` and `outcome` are added to every
 * call, and replace fields of these names.
 *
 * @param body of a delivery, or a record of the list of calls
 * @param event what happened, such as `callCompleted`
 * @param assistantId that the call was received for; undefined when it is unknown. It replaces the field
 * `assistant_id`; a UUID goes to `assistant_uuid` (public-service: id-form; S9)
 */
export function normaliseCall(body: IDataObject, event: string, assistantId?: number): IDataObject {
	const call = callFields(body);
	if (assistantId !== undefined) {
		if (isUuid(call.assistant_id)) call.assistant_uuid ??= call.assistant_id;
		call.assistant_id = assistantId;
	}
	return inOrder({ ...call, event, outcome: getOutcome(call) });
}
