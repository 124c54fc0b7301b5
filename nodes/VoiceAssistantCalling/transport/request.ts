import {
	NodeApiError,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ServiceProblem } from '../../shared/serviceProblem';
import { DEFAULT_CONCURRENCY } from '../resources/common/requestOptions';
import { itemRanges } from './itemRanges';
import { Run, RunStopped } from './run';
import { sendItem, type PreparedRequest } from './sendItem';

/** All items of a run share their execute data, and no two runs of a workflow do (n8n 2.0, 2.41). */
const runs = new WeakMap<object, Run>();

/** How many items the node is run for. */
function totalOf(context: IExecutePaginationFunctions): number {
	const { main } = context.getExecuteData().data;
	return context.getNode().executeOnce ? 1 : (main?.[0]?.length ?? 1);
}

/**
 * Whether n8n asks for all items at once: it pauses with Batching, and with continue on fail it goes on
 * past an item whose expressions fail (n8n 2.41).
 */
const asksInOneGo = (context: IExecutePaginationFunctions) =>
	context.getNodeParameter('requestOptions.batching', '') === '' && !context.continueOnFail();

function newRun(context: IExecutePaginationFunctions, total: number): Run {
	const path = 'requestOptions.maxConcurrentRequests';
	const wanted = Number(context.getNodeParameter(path, DEFAULT_CONCURRENCY));
	const limit = wanted >= 1 ? wanted : DEFAULT_CONCURRENCY;
	return new Run(limit, total, asksInOneGo(context));
}

/** Agents name a node that they use as a tool so (n8n 2.0, 2.41). */
const isTool = (context: IExecutePaginationFunctions) => context.getNode().type.endsWith('Tool');

function runOf(context: IExecutePaginationFunctions): Run {
	const key = context.getExecuteData();
	// An agent that calls its tools itself lends them its own execute data: its calls are not one run.
	if (isTool(context) && key.node.name !== context.getNode().name) return newRun(context, 1);

	const known = runs.get(key);
	if (known) return known;
	const run = newRun(context, totalOf(context));
	runs.set(key, run);
	return run;
}

/** Whatever else stops an item: a wrong expression. */
const asProblem = (error: unknown): ServiceProblem =>
	error instanceof ServiceProblem
		? error
		: new ServiceProblem({
				message: error instanceof Error ? error.message : String(error),
				description: 'Nothing more was sent for this item.',
			});

/** An item for the error output; it keeps what n8n would drop: fields, code and pairing. */
const errorItem = (problem: ServiceProblem, item: number): INodeExecutionData => ({
	json: {
		error: {
			message: problem.message,
			description: problem.description,
			httpCode: problem.httpCode ?? null,
			errors: problem.errors ?? {},
		},
	},
	pairedItem: { item },
});

/** Says in the message which item it was, because n8n may show another one, and what was done. */
function inMessage({ item, problem, done }: RunStopped, total: number): string {
	if (total === 1) return `${problem.message} [item ${item}]`;
	const progress = done.length > 0 ? `went through: ${itemRanges(done)}` : 'no item went through';
	return `${problem.message} [item ${item}; ${progress}]`;
}

/**
 * What happens to every request of the node. n8n alone sends all items at once, repeats nothing, drops
 * the service's field errors and pairs items by their order; as the node's *pagination function* it
 * hands the prepared request of each item over to this function instead, and takes what it returns
 * (n8n 2.0 and 2.41; docs/decisions/0001-one-function-for-all-traffic.md).
 *
 * @returns the records that came back, paired with the input item; with continue on fail, and as a tool
 * of an AI agent, an item with the error
 * @throws {NodeApiError} what happened, to which item, and which items had gone through
 */
export async function request(
	this: IExecutePaginationFunctions,
	prepared: PreparedRequest,
): Promise<INodeExecutionData[]> {
	const run = runOf(this);
	const item = this.getItemIndex();
	// Agents hand a thrown error on as an empty string (n8n 2.0 to 2.41), an item with its whole text.
	const failsAlone = this.continueOnFail() || isTool(this);

	const send = async () =>
		await sendItem(this, prepared, run).catch((error) => {
			throw asProblem(error);
		});
	const items = await run.carryOut(item, send, failsAlone).catch((error) => {
		if (!(error instanceof RunStopped)) return [errorItem(asProblem(error), item)];
		const { description, httpCode } = error.problem;
		throw new NodeApiError(
			this.getNode(),
			{},
			{
				message: inMessage(error, totalOf(this)),
				description,
				// A connection's code would make n8n replace the message by its own.
				httpCode: /^\d+$/.test(httpCode ?? '') ? httpCode : 'none',
				itemIndex: error.item,
			},
		);
	});
	if (!items) this.logger.warn(`Item ${item} was not sent, because another item has failed before`);
	return items ?? [];
}
