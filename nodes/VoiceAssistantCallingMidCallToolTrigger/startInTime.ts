import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { isOn } from '../shared/fields/booleans';
import { ANSWER_UNTIL } from '../shared/midCallTools/toolCall';
import { asText } from '../shared/values/json';
import { startsLate } from './messages';

/**
 * Gives the item of the tool call to the workflow, unless its turn comes after the assistant has got the
 * fallback: at n8n's limit of concurrent executions, or in a long queue. n8n 2.0 and 2.41 call it when the run
 * of a tool call begins, in the process that runs it. A run of the editor and *Retry* are wanted as they are.
 *
 * @throws {NodeOperationError} when the run begins late
 */
export function startInTime(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const until = asText(items[0]?.json[ANSWER_UNTIL]);
	const isLate = this.getMode() === 'webhook' && Date.parse(until) < Date.now();
	if (isLate && !isOn(this.getNodeParameter('options.startWhenLate', 0, false))) {
		const { message, description } = startsLate(until);
		throw new NodeOperationError(this.getNode(), message, { description });
	}
	return Promise.resolve([items]);
}
