import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { credentialWithoutItem } from '../shared/client/credential';
import { Deadline, type TimeLimits } from '../shared/client/deadline';
import { ServiceError, toNodeError } from '../shared/client/errors';
import { ListTooLong } from '../shared/client/pages';
import { log, logHourly } from '../shared/log';
import { ProcessMemory } from '../shared/processMemory';
import { UnexpectedFields } from '../shared/records/unexpectedFields';
import { toPublishError } from '../shared/webhook/publishError';
import { withPublishTime } from '../shared/webhook/publishTime';
import { isStarting, triggerKey } from '../shared/webhook/triggerContext';
import { toFailure } from './failure';
import type { PollRun } from './listCalls';
import { skippedReason, tooManyCalls } from './pollMessages';
import { readNewestCall } from './newestCall';
import { endOutage, isPaused, outageError } from './outage';
import { readFinishedCalls } from './readFinishedCalls';
import { readSelection } from './selection';

/**
 * Enough for the longest list that is read, 1,000 pages of 0.3 seconds. n8n polls once a minute at most. It is
 * also what n8n 2.41 tells where it does not limit a poll.
 */
const POLL_MS = 300_000;

/** For what a poll does after its last request. */
const MARGIN = 0.1;

/** How long n8n waits for a poll. n8n 2.0 does not limit it. */
const budgetOf = (context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number =>
	context.getPollBudgetMs?.() ?? POLL_MS;

/** The contexts that have polled. */
const hasPolled = new WeakSet<IPollFunctions>();

/**
 * Whether this poll is a part of an activation, which waits for it. All others are scheduled.
 *
 * n8n makes one context for each activation, and the first poll of it is that of the activation
 * (n8n.md#contexts-of-polls). With `N8N_SCHEDULER_POLL_TRIGGERS_ENABLED`, n8n 2.41 makes another context for each scheduled poll,
 * with the activation mode of an edited workflow. Only these are limited: to 36 seconds, when
 * `N8N_SCHEDULER_POLL_TIMEOUT` is 45. With 375 they would look like a publish.
 */
function isActivationPoll(context: IPollFunctions): boolean {
	const isFirst = !hasPolled.has(context);
	hasPolled.add(context);
	return isFirst && budgetOf(context) === POLL_MS;
}

/** Names the newest activation of each trigger. */
const activations = new ProcessMemory<symbol>('polls');

/** Begins a poll. @returns a function that tells whether an activation has begun since */
function beginPoll(context: IPollFunctions, isActivation: boolean): () => boolean {
	const key = triggerKey(context);
	if (isActivation) activations.set(key, Symbol('activation'));
	const newest = activations.get(key);
	return () => activations.get(key) !== newest;
}

/** The time limits of a poll that is not a part of an activation. */
function pollLimits(context: IPollFunctions): TimeLimits {
	const budget = budgetOf(context);
	const ms = budget < POLL_MS ? budget * (1 - MARGIN) : POLL_MS;
	return { totalMs: ms, requestMs: ms };
}

/**
 * Starts the workflow with the calls that have finished since the last poll, one item for each. A manual
 * run gives the newest finished call, and leaves the static data as they are.
 *
 * @returns null when there is nothing new, and in an outage that was told within the last hour
 * @throws {NodeOperationError} when a field is wrong, the service does not answer or refuses, or a manual
 * run finds no call
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isManual = context.getMode() === 'manual';
	const isActivation = !isManual && isActivationPoll(context);
	const isScheduled = !isManual && !isActivation;
	const isSuperseded = beginPoll(context, isActivation);
	if (isScheduled && isPaused(context)) return null;
	const skipped: IDataObject[] = [];
	const unexpected = new UnexpectedFields();
	const read = async (limits: TimeLimits): Promise<INodeExecutionData[]> => {
		const deadline = new Deadline(limits);
		const selection = readSelection(context);
		const credential = await credentialWithoutItem(context);
		const run: PollRun = { context, credential, deadline, isSuperseded, skipped, unexpected };
		if (isManual) return [await readNewestCall(run, selection)];
		return await readFinishedCalls(run, selection, isActivation);
	};
	try {
		const items = await (isActivation ? withPublishTime(context, read) : read(pollLimits(context)));
		endOutage(context);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const isStart = isActivation && isStarting(context);
		// n8n would leave the workflow inactive. The next poll reads the same calls.
		if (isStart && error instanceof ServiceError) {
			log(context, 'warn', `The calls could not be read at the start of n8n: ${error.text}`);
			return null;
		}
		const toError = isActivation && !isStart ? toPublishError : toNodeError;
		const told = isScheduled ? outageError(context, error) : error;
		if (told === undefined) return null;
		const shown = told instanceof ListTooLong ? tooManyCalls() : told;
		const nodeError = toError(context.getNode(), shown);
		// n8n writes none, and stores an execution for each (n8n.md#failed-polls).
		if (isScheduled) {
			const line = `A poll failed: ${nodeError.message.replace(/\.$/, '')}. The next one reads the same calls.`;
			logHourly(context, 'warn', line, 'poll');
		}
		throw Object.assign(nodeError, { failure: toFailure(error) });
	} finally {
		const why = skippedReason(skipped);
		const what = `Records that were skipped in the list of calls: ${skipped.length}`;
		if (why) logHourly(context, 'warn', `${what}. ${why}. Ask your provider.`, 'skipped records');
		if (unexpected.warning) logHourly(context, 'warn', unexpected.warning);
	}
}
