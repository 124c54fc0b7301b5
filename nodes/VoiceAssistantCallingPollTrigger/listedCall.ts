import type { IDataObject } from 'n8n-workflow';

import { isOver } from '../shared/calls/callEnd';
import { normaliseCall } from '../shared/calls/normaliseCall';
import { asText } from '../shared/client/json';
import { serviceText } from '../shared/client/serviceText';
import type { CallQuery } from './selection';

/** No call lasts longer: the longest one has 20 minutes (contract: max_call_duration). */
const LONGEST_CALL_MS = 3_600_000;

/** A call of the list, with what the cursor compares. */
export interface ListedCall {
	id: string;
	/** By the service's clock, in milliseconds since 1970. */
	createdAt: number;
	/** Whether it is over. */
	isFinal: boolean;
	/** The call in the shape that the webhook trigger gives. */
	json: IDataObject;
}

/**
 * Converts a record of the list of calls.
 *
 * @param query that found it. A record names neither its assistant nor its campaign by ID
 * @param now by n8n's clock
 * @returns undefined when the record has no id or no time of creation, because the cursor compares them
 */
export function toListedCall(
	record: IDataObject,
	{ assistantId, campaignId }: CallQuery,
	now: number,
): ListedCall | undefined {
	const campaign = campaignId === undefined ? {} : { campaign_id: campaignId };
	const json = normaliseCall({ ...campaign, ...record }, 'callCompleted', assistantId);
	const id = asText(json.id);
	const createdAt = Date.parse(asText(json.created_at));
	if (id === '' || Number.isNaN(createdAt)) return undefined;
	const isFinal = isOver(json) ?? now - createdAt > LONGEST_CALL_MS;
	return { id, createdAt, isFinal, json };
}

/** The records that a poll skips, because a cursor cannot compare them. */
export class SkippedRecords {
	private count = 0;

	private first?: IDataObject;

	add(record: IDataObject): void {
		this.count++;
		this.first ??= record;
	}

	/** What to tell the user; undefined when no record was skipped. */
	get warning(): string | undefined {
		if (!this.first) return undefined;
		const id = serviceText(asText(this.first.id));
		const what = id === '' ? 'id' : `created_at that can be read (ID ${id})`;
		return `Records that were skipped in the list of calls: ${this.count}. The first one has no ${what}. Ask your provider.`;
	}
}
