import type { IDataObject } from 'n8n-workflow';

import { InvalidInput, ServiceError } from '../shared/client/errors';
import { MAX_RECORDS } from '../shared/client/pages';
import { asText } from '../shared/values/json';
import { serviceText } from '../shared/values/serviceText';

/** Why the first one of the records was skipped; undefined when there is none. */
export function skippedReason([first]: IDataObject[]): string | undefined {
	if (!first) return undefined;
	const id = serviceText(asText(first.id));
	return `The first one has no ${id ? `created_at that can be read (ID ${id})` : 'id'}`;
}

/** What n8n's log says when the service adds calls that are older than those that are watched. */
export const addedTooOld = (count: number) =>
	`Calls that did not start the workflow, because they were dated a day or more before others when they came: ${count}. The clock of the service may have gone back, so ask your provider. Get the calls with 'Call → Get Many' and the dates.`;

/** What n8n's log says when the time of a poll is over before it has read all calls. */
export const GOES_ON =
	'The poll ended before it had read all calls, because the service is slow or asked for a pause. No call is lost: the next poll reads the rest.';

/** What n8n's log says when the credential has another token, and the list no call that is known. */
export const OTHER_ACCOUNT =
	"The credential has another API token, and the list has none of the calls that this trigger knows. So it is another account, and the trigger begins anew: only calls that finish from now on start the workflow. Get earlier ones with 'Call → Get Many' and the dates.";

/** A trigger would be published that never starts its workflow. @param why of the first record */
export const noReadableCalls = (why: string) =>
	new ServiceError({
		message: `No call in the list can be read. ${why}`,
		nextStep:
			'Ask your provider in which fields of a call its ID and the time of its creation are.',
	});

/** The list of a query is too long for a poll, see `paginate`. */
export const tooManyCalls = () =>
	new InvalidInput({
		message: `The list has more than ${MAX_RECORDS.toLocaleString('en')} calls, too many for a poll`,
		nextStep:
			"Choose assistants or campaigns, so that each list is shorter, and publish again. Get the calls until then with 'Call → Get Many' and the dates.",
	});
