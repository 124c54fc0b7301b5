import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { isOn } from '../fields/booleans';
import { asText } from '../values/json';
import { ANSWER_UNTIL } from './answer';

/** Lets a run begin that nobody waits for. */
export const startWhenLate: INodeProperties = {
	displayName: 'Start When Late',
	name: 'startWhenLate',
	type: 'boolean',
	default: true,
	noDataExpression: true,
	description:
		'Whether the workflow starts although the assistant no longer waits for its answer. When n8n is busy, a workflow can start after the assistant has got the fallback. Without this option, such an execution fails, and no other node runs.',
};

const WHY_LATE =
	"So no node of the workflow ran. n8n was busy, or at its limit of concurrent executions (N8N_CONCURRENCY_PRODUCTION_LIMIT). To start the workflow for this request nevertheless, retry this execution. For all requests, switch on the trigger's option 'Start When Late'.";

/**
 * Gives the item of the request to the workflow, unless its turn comes after the assistant has got the
 * fallback: at n8n's limit of concurrent executions, or in a long queue. n8n 2.0 and 2.41 call it when the run
 * of a request begins, in the process that runs it. A run of the editor and *Retry* are wanted as they are.
 *
 * @throws {NodeOperationError} when the run begins late
 */
export function startInTime(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const until = asText(items[0]?.json[ANSWER_UNTIL]);
	const isLate = this.getMode() === 'webhook' && Date.parse(until) < Date.now();
	if (isLate && !isOn(this.getNodeParameter('options.startWhenLate', 0, false))) {
		const message = `The assistant had already got the fallback, at ${until}`;
		throw new NodeOperationError(this.getNode(), message, { description: WHY_LATE });
	}
	return Promise.resolve([items]);
}
