import { InvalidInput, ServiceError } from '../shared/client/errors';
import { MAX_RECORDS } from '../shared/client/pages';

/** What n8n's log says when the service adds calls that are older than those that are watched. */
export const addedTooOld = (count: number) =>
	`Calls that did not start the workflow, because they were dated a day or more before others when they came: ${count}. The clock of the service may have gone back, so ask your provider. Get the calls with 'Call → Get Many' and the dates.`;

/** What n8n's log says when the time of a poll is over before it has read all calls. */
export const GOES_ON =
	'The poll ended before it had read all calls, because the service is slow or asked for a pause. No call is lost: the next poll reads the rest.';

export const NO_ID =
	'Some calls have no assistant_id: the service tells the assistant of a call by its name only, and none of your assistants has this name now, or several have it. Give each assistant a name of its own.';

/** The service has ignored the filter for an assistant or a campaign. */
export const callsOfOthers = (count: number): string =>
	`Finished calls of other assistants or campaigns than those that were asked for: ${count}. They did not start the workflow. Ask your provider why the filter does not hold.`;

/** A trigger would be published that never starts its workflow. @param why of the first record */
export const noReadableCalls = (why: string) =>
	new ServiceError({
		message: `No call in the list can be read. ${why}`,
		nextStep:
			'Ask your provider in which fields of a call its ID and the time of its creation are.',
	});

/** The list of a query is too long for a poll, see `pages`. */
export const tooManyCalls = () =>
	new InvalidInput({
		message: `The list has more than ${MAX_RECORDS.toLocaleString('en')} calls, too many for a poll`,
		nextStep:
			"Choose assistants or campaigns, so that each list is shorter, and publish again. Get the calls until then with 'Call → Get Many' and the dates.",
	});
