import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ServiceError } from '../shared/client/errors';
import { toNodeError } from '../shared/client/nodeError';
import { readFinishedCalls } from './finishedCalls';
import { readNewestCall } from './newestCall';
import { readSelection } from './selection';

/** The contexts that have polled. n8n makes one context for each activation (n8n 2.0, 2.41). */
const hasPolled = new WeakSet<IPollFunctions>();

/** Whether n8n starts, or becomes the leader, with this poll. */
function isStartPoll(context: IPollFunctions): boolean {
	const isFirst = !hasPolled.has(context);
	hasPolled.add(context);
	return isFirst && ['init', 'leadershipChange'].includes(context.getActivationMode());
}

/**
 * Starts the workflow with the calls that have finished since the last poll, one item for each. A manual run
 * gives the newest finished call, and leaves the static data as they are.
 *
 * @returns null when there is nothing new
 * @throws {NodeOperationError} when a field is wrong, the service does not answer or refuses, or a manual
 * run finds no call
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isManual = this.getMode() === 'manual';
	const isStart = !isManual && isStartPoll(this);
	try {
		const selection = readSelection(this);
		if (isManual) return [[await readNewestCall(this, selection)]];
		const items = await readFinishedCalls(this, selection);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		// n8n would leave the workflow inactive. The next poll reads the same calls.
		if (isStart && error instanceof ServiceError) {
			this.logger.warn(`The calls could not be read at the start of n8n: ${error.text}`);
			return null;
		}
		throw toNodeError(this.getNode(), error);
	}
}
