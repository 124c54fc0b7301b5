import { randomUUID } from 'node:crypto';

import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { isOn } from '../fields/booleans';
import { ProcessMemory } from '../processMemory';
import { asText, isRecord } from '../values/json';
import { ANSWER_UNTIL } from './answer';
import { noteBegin, rememberWaiting } from './isN8nBehind';

/** Tells this process from the others of n8n: a worker's clock can be another one (docs/decisions/0007). */
const PROCESS = randomUUID();

/** Who sends the fallback, and when. Beside the JSON of the item, so no user sees it. */
const FALLBACK_TIMER = 'fallbackTimer';

/** The shortest time from a request to its run, by the clocks of both processes. */
const shortestDelays = new ProcessMemory<number>('shortestDelays');

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

/** Starts the workflow of a request that this process answers after the limit. @param end of the request */
export const waitingItem = (
	json: IDataObject,
	limitMs: number,
	end: Promise<unknown>,
): INodeExecutionData => ({
	json: { ...json, [ANSWER_UNTIL]: new Date(Date.now() + limitMs).toISOString() },
	[FALLBACK_TIMER]: { process: PROCESS, run: rememberWaiting(end), limitMs },
});

/**
 * When the assistant gets the fallback, by the clock of this process. Another process has another clock, so
 * only the difference between two delays is time: a run waited as long as its delay is longer than the shortest
 * one of late.
 *
 * @returns undefined where nobody waits
 */
function fallbackTime({ json, [FALLBACK_TIMER]: timer }: INodeExecutionData): number | undefined {
	const until = Date.parse(asText(json[ANSWER_UNTIL]));
	if (!isRecord(timer) || Number.isNaN(until)) return undefined;
	const { process, run, limitMs } = timer as { process: string; run: string; limitMs: number };
	if (process === PROCESS) {
		noteBegin(run);
		return until;
	}
	const delay = Date.now() - (until - limitMs);
	const shortest = Math.min(delay, shortestDelays.get(process) ?? Infinity);
	if (shortest === delay) shortestDelays.set(process, delay);
	return until + shortest;
}

/**
 * Gives the item of the request to the workflow, unless its turn comes after the assistant has got the
 * fallback: at n8n's limit of concurrent executions, or in a long queue. n8n 2.0 and 2.41 call it when the run
 * of a request begins, in the process that runs it, whose clock `answer_until` then has. A run of the editor
 * and *Retry* are wanted as they are.
 *
 * @throws {NodeOperationError} when the run begins late
 */
export function startInTime(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const time = this.getMode() === 'webhook' && items[0] ? fallbackTime(items[0]) : undefined;
	if (time === undefined) return Promise.resolve([items]);
	const until = new Date(time).toISOString();
	if (time < Date.now() && !isOn(this.getNodeParameter('options.startWhenLate', 0, false))) {
		const message = `The assistant had already got the fallback, at ${until}`;
		throw new NodeOperationError(this.getNode(), message, { description: WHY_LATE });
	}
	return Promise.resolve([[{ json: { ...items[0]?.json, [ANSWER_UNTIL]: until } }]]);
}
