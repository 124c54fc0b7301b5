import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asText } from '../../shared/values/json';
import { isUsedAsTool } from '../fields/fieldValues';
import { getExecuteInN8n } from '../resources';
import type { ExecuteInN8n } from '../resources/operation';
import { readAccounts } from './accounts';
import { errorTexts, getFailureKind, type ItemDetails } from './itemErrorTexts';
import { Run, type RunResult } from './run';
import { runFailure } from './runFailure';
import { nameFirstTried } from './steps/earlierExecution';

/** Carries out an operation that sends nothing to the service. Its output is its input. */
async function runInN8n(context: IExecuteFunctions, executeOnce: ExecuteInN8n): Promise<RunResult> {
	await executeOnce(context);
	const outcomes = context
		.getInputData()
		.map((input, item) => ({ items: [{ ...input, pairedItem: { item } }] }));
	return { outcomes, details: [], hints: [] };
}

/** Carries out an operation that sends requests. */
async function sendItems(context: IExecuteFunctions, stopAtFailure: boolean): Promise<RunResult> {
	nameFirstTried(context);
	return await new Run(context, await readAccounts(context), stopAtFailure).sendItems();
}

/** An item for the error output. n8n keeps it whole only when all texts are under `error`. */
const errorItem = (error: unknown, details: ItemDetails, item: number): INodeExecutionData => ({
	json: { error: { result: getFailureKind(error, details), ...errorTexts(error, details) } },
	pairedItem: { item },
});

/**
 * Runs the action node: each item becomes one request, or the requests of its pages.
 *
 * n8n's own engine for declarative nodes prepares all items before the first request leaves, and stops
 * n8n while it does (docs/decisions/0001-a-runner-of-our-own.md).
 *
 * @returns the records of the responses, paired with their input items. With continue on fail, and as a
 * tool of an AI agent, each failed item gives an item with its error
 * @throws {NodeApiError} what happened to which items, and which items succeeded
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const count = this.getInputData().length;
	// Agents turn a thrown error into an empty text, but can read an item (n8n.md#errors-for-agents).
	const returnsErrorItems = this.continueOnFail() || isUsedAsTool(this.getNode());
	const selected = (name: string) => asText(this.getNodeParameter(name, 0, ''));
	const executeOnce = getExecuteInN8n(selected('resource'), selected('operation'));
	const ended = executeOnce ? runInN8n(this, executeOnce) : sendItems(this, !returnsErrorItems);
	const { outcomes, details, hints, isRefused } = await ended.catch(
		(error: unknown): RunResult => ({
			outcomes: Array.from({ length: count }, () => ({ error })),
			details: [],
			hints: [],
			isRefused: true,
		}),
	);
	this.addExecutionHints(...hints);

	const failure = returnsErrorItems
		? undefined
		: runFailure(this.getNode(), outcomes, details, isRefused);
	if (failure) throw failure;
	return [
		outcomes.flatMap((outcome, item) => {
			if (!outcome) return [];
			if ('items' in outcome) return outcome.items;
			return [errorItem(outcome.error, details[item] ?? { fields: [] }, item)];
		}),
	];
}
