import type { ICredentialDataDecryptedObject, IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Deadline } from '../shared/client/deadline';
import { pageReader } from '../shared/client/pageReader';
import type { ReadEnvelope } from '../shared/client/pages';
import type { UnexpectedFields } from '../shared/records/unexpectedFields';
import { recordShapes } from '../shared/records/recordShapes';
import type { CallQuery } from './selection';

/** What the queries of one poll share. */
export interface PollRun {
	context: IPollFunctions;
	/** Read once, because n8n 2.41 needs an isolate each time. */
	credential: ICredentialDataDecryptedObject;
	/** Of all requests of the poll. */
	deadline: Deadline;
	/** Whether an activation of the trigger has begun since the poll began. */
	isSuperseded: () => boolean;
	/** The records that a cursor cannot compare. */
	skipped: IDataObject[];
	unexpected: UnexpectedFields;
}

/**
 * Makes a function that reads a page of the calls of a query (contract: List calls).
 *
 * @param since only calls of this day and later, `YYYY-MM-DD`; undefined for all calls
 */
export function listCalls(
	{ context, credential, deadline }: PollRun,
	{ assistantId, campaignId }: CallQuery,
	since?: string,
): ReadEnvelope {
	const filters: IDataObject = {};
	if (assistantId !== undefined) filters.assistant_id = assistantId;
	if (campaignId !== undefined) filters.campaign_id = campaignId;
	if (since !== undefined) filters.date_from = since;
	const list = { path: '/user/calls', filters, record: recordShapes.call, deadline, credential };
	return pageReader(context, list);
}

const QUERIES_AT_ONCE = 5;

/**
 * Calls a function with each query, a few at a time.
 *
 * @returns the results, in the order of the queries
 * @throws what the function throws for the first query that fails, when all that have begun are done
 */
export async function forEachQuery<Result>(
	queries: CallQuery[],
	read: (query: CallQuery) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	for (let first = 0; first < queries.length; first += QUERIES_AT_ONCE) {
		const reading = queries.slice(first, first + QUERIES_AT_ONCE).map(read);
		// After a failure, no request may still be on its way when the next poll begins.
		await Promise.allSettled(reading);
		results.push(...(await Promise.all(reading)));
	}
	return results;
}
