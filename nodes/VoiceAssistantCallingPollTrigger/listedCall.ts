import type { IDataObject } from 'n8n-workflow';

import type { AssistantNames } from '../shared/calls/assistantNames';
import { isOver } from '../shared/calls/callEnd';
import { callParents } from '../shared/calls/callParents';
import { fitsQuery } from '../shared/calls/fitsQuery';
import { normaliseCall } from '../shared/calls/normaliseCall';
import { asText } from '../shared/values/json';
import { serviceText } from '../shared/values/serviceText';
import type { CallQuery } from './selection';

const MAX_STATUS_LENGTH = 100;

/** A call of the list, with what the cursor compares. */
export interface ListedCall {
	id: string;
	/** By the service's clock, in milliseconds since 1970. */
	createdAt: number;
	/** Whether it is over; undefined when nothing tells it. */
	isOver: boolean | undefined;
	/** As the service writes it. */
	status: string;
	/** The call in the shape that the webhook trigger gives. */
	json: IDataObject;
	/** The name of its assistant, where the record does not have the ID; empty when it has neither. */
	assistantName?: string;
}

/**
 * Converts a record of the list of calls.
 *
 * @param query that found it. A record of the contract names neither its assistant nor its campaign by ID
 * @returns undefined when the record has no id or no time of creation, because the cursor compares them
 */
export function toListedCall(
	record: IDataObject,
	{ assistantId, campaignId }: CallQuery,
): ListedCall | undefined {
	const json = normaliseCall(record, 'callCompleted', assistantId);
	if (campaignId !== undefined) json.campaign_id ??= campaignId;
	const id = asText(json.id);
	const createdAt = Date.parse(asText(json.created_at));
	if (id === '' || Number.isNaN(createdAt)) return undefined;
	// The cursor keeps it, so it must not be long.
	const status = asText(json.status).slice(0, MAX_STATUS_LENGTH);
	const { assistant_id, assistant_name } = callParents(record);
	const assistantName = asText(assistant_id) === '' ? asText(assistant_name) : undefined;
	return { id, createdAt, isOver: isOver(json), status, json, assistantName };
}

/**
 * The call, if it is one that a query asked for: a service may ignore a filter (assumed: call-filters).
 *
 * @param names of the assistants; undefined when they are not known
 * @returns undefined for a call of another assistant or campaign. Without `assistant_id` when nobody knows whether
 * it is one of the assistant: no assistant has the name, or several have it
 */
export function callOf(
	{ assistantId, campaignId }: CallQuery,
	{ json, assistantName }: ListedCall,
	names: AssistantNames | undefined,
): IDataObject | undefined {
	if (!fitsQuery(json, { assistant_id: assistantId, campaign_id: campaignId })) return undefined;
	if (assistantId === undefined || !assistantName || !names) return json;
	const isOfIt = names.isOf(assistantName, String(assistantId));
	if (isOfIt) return json;
	if (isOfIt === false) return undefined;
	const call = { ...json };
	delete call.assistant_id;
	return call;
}

/** The records that a poll skips, because a cursor cannot compare them. */
export class SkippedRecords {
	private count = 0;

	private first?: IDataObject;

	add(record: IDataObject): void {
		this.count++;
		this.first ??= record;
	}

	/** Why the first one was skipped; undefined when no record was. */
	get reason(): string | undefined {
		if (!this.first) return undefined;
		const id = serviceText(asText(this.first.id));
		const what = id === '' ? 'id' : `created_at that can be read (ID ${id})`;
		return `The first one has no ${what}`;
	}

	/** What to tell the user; undefined when no record was skipped. */
	get warning(): string | undefined {
		const { count, reason } = this;
		return (
			reason &&
			`Records that were skipped in the list of calls: ${count}. ${reason}. Ask your provider.`
		);
	}
}
