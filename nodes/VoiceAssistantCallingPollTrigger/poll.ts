import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { UnknownWords } from '../shared/calls/filterWords';
import { credentialWithoutItem } from '../shared/client/credential';
import { Deadline, FIRST_REQUEST_LIMIT_MS, type TimeLimits } from '../shared/client/deadline';
import { ServiceError, toNodeError } from '../shared/client/errors';
import { ListTooLong } from '../shared/client/pages';
import { MissingFields } from '../shared/records/missingFields';
import { toPublishError } from '../shared/webhook/publishError';
import { isStarting } from '../shared/webhook/triggerContext';
import type { PollRun } from './listCalls';
import { SkippedRecords } from './listedCall';
import { tooManyCalls } from './messages';
import { readNewestCall } from './newestCall';
import { readFinishedCalls } from './readFinishedCalls';
import { readSelection } from './selection';

/**
 * n8n 2.41 aborts a publish after 84 seconds. A service that does not answer fails sooner, so that all five
 * attempts to publish end before that, and the user sees the reason.
 */
const ACTIVATION_LIMITS: TimeLimits = { totalMs: 60_000, requestMs: FIRST_REQUEST_LIMIT_MS };

/** Enough for the longest list that is read, 1,000 pages of 0.3 seconds. n8n polls once a minute at most. */
const POLL_LIMITS: TimeLimits = { totalMs: 300_000, requestMs: 300_000 };

/** The contexts that have polled. n8n makes one context for each activation (n8n 2.0, 2.41). */
const hasPolled = new WeakSet<IPollFunctions>();

/** Whether this poll is a part of an activation, which waits for it. All others are scheduled. */
function isActivationPoll(context: IPollFunctions): boolean {
	const isFirst = !hasPolled.has(context);
	hasPolled.add(context);
	return isFirst;
}

/**
 * Starts the workflow with the calls that have finished since the last poll, one item for each. A manual
 * run gives the newest finished call, and leaves the static data as they are.
 *
 * @returns null when there is nothing new
 * @throws {NodeOperationError} when a field is wrong, the service does not answer or refuses, or a manual
 * run finds no call
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isManual = context.getMode() === 'manual';
	const isActivation = !isManual && isActivationPoll(context);
	const deadline = new Deadline(isActivation ? ACTIVATION_LIMITS : POLL_LIMITS);
	const skipped = new SkippedRecords();
	const missing = new MissingFields();
	const unknownWords = new UnknownWords();
	try {
		const selection = readSelection(context, unknownWords);
		const credential = await credentialWithoutItem(context);
		const run: PollRun = { context, credential, deadline, skipped, missing };
		if (isManual) return [[await readNewestCall(run, selection)]];
		const items = await readFinishedCalls(run, selection);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const isStart = isActivation && isStarting(context);
		// n8n would leave the workflow inactive. The next poll reads the same calls.
		if (isStart && error instanceof ServiceError) {
			context.logger.warn(`The calls could not be read at the start of n8n: ${error.text}`);
			return null;
		}
		const toError = isActivation && !isStart ? toPublishError : toNodeError;
		throw toError(context.getNode(), error instanceof ListTooLong ? tooManyCalls() : error);
	} finally {
		for (const { warning } of [skipped, missing, unknownWords]) {
			if (warning) context.logger.warn(warning);
		}
	}
}
