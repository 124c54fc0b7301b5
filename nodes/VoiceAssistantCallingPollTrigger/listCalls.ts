import type { ICredentialDataDecryptedObject, IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Deadline } from '../shared/client/deadline';
import { MAX_PER_PAGE } from '../shared/client/pages';
import { serviceRequest } from '../shared/client/request';
import type { CallQuery } from './selection';
import type { SkippedRecords } from './skippedRecords';

const DAY_MS = 86_400_000;

/** What the queries of one poll share. */
export interface PollRun {
	context: IPollFunctions;
	/** Read once, because n8n 2.41 needs an isolate each time. */
	credential: ICredentialDataDecryptedObject;
	/** For each request, see {@link serviceRequest}. */
	newDeadline?: () => Deadline;
	skipped: SkippedRecords;
}

/** The day before a time, `YYYY-MM-DD`. The days of the service may begin up to a day earlier than in UTC. */
const dayBefore = (time: number) => new Date(time - DAY_MS).toISOString().slice(0, 10);

/**
 * Makes a function that reads a page of the calls of a query (contract: List calls).
 *
 * @param from milliseconds since 1970. All calls since then are in the list, and about a day of others.
 * Undefined reads all calls
 */
export const listCalls =
	(
		{ context, credential, newDeadline }: PollRun,
		{ assistantId, campaignId }: CallQuery,
		from?: number,
	) =>
	async (page: number): Promise<IDataObject> => {
		const qs: IDataObject = { page, per_page: MAX_PER_PAGE };
		if (assistantId !== undefined) qs.assistant_id = assistantId;
		if (campaignId !== undefined) qs.campaign_id = campaignId;
		if (from !== undefined) qs.date_from = dayBefore(from);
		const deadline = newDeadline?.();
		const request = { method: 'GET', path: '/user/calls', qs, deadline, credential } as const;
		return await serviceRequest.call(context, request);
	};
