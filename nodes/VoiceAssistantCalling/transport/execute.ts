import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import { asText } from '../../shared/client/json';
import { sendOnce } from '../../shared/client/request';
import { requestWithRetry, type RetryableRequest } from '../../shared/client/retry';
import { buildRequest } from '../fields/buildRequest';
import { checkFields } from '../fields/checkFields';
import { isUsedAsTool, readValues } from '../fields/fieldValues';
import type { SendContext } from '../fields/routing';
import { sentPhoneNumbers } from '../fields/sentPhoneNumbers';
import { executeInN8n, operationOf } from '../resources';
import type { ExecuteInN8n, FileToDownload, HintAfterRun } from '../resources/resource';
import { accountsOf, type Account } from './accounts';
import { download } from './download';
import { errorTexts, type ItemDetails } from './errorTexts';
import { failureKind } from './failureKind';
import { hintsAfterRun } from './hintsAfterRun';
import { Limiter } from './limiter';
import { enteredRunOptions, readRunOptions } from './readRunOptions';
import { runFailure } from './runFailure';
import { runItems, type Outcome, type PreparedItem } from './runItems';
import { progress } from './progress';
import { memoryOf, remember, replay } from './runMemory';
import { readsList, sendItem } from './sendItem';
import { sharedLists, type ListOf } from './sharedLists';

/** Makes the body from the response of a request. */
type ToBody = (
	response: Promise<IDataObject>,
	request: IHttpRequestOptions,
) => Promise<IDataObject>;

/** How the items of a run ended, and the details of each item for its error texts. */
interface RunResult {
	outcomes: Outcome[];
	details: ItemDetails[];
	hints: NodeExecutionHint[];
}

/** Sends the items of a run, each with its account. Reads the Request Options once. */
async function run(
	context: IExecuteFunctions,
	count: number,
	stopAtFailure: boolean,
): Promise<RunResult> {
	const accountOf = await accountsOf(context);
	const { limit, http } = readRunOptions(enteredRunOptions(context));
	const canceled = context.getExecutionCancelSignal();
	const limiter = new Limiter(limit, canceled);
	const memory = memoryOf(context);
	const details: ItemDetails[] = [];
	const accountKeys: string[] = [];
	let hintAfterRun: HintAfterRun | undefined;

	const retryable = (
		request: IHttpRequestOptions,
		{ credential, key }: Account,
	): RetryableRequest => ({
		method: request.method ?? 'GET',
		sendOnce: async () => await sendOnce(context, { ...request, ...http }, credential, canceled),
		onRateLimit: (ms) => limiter.pauseFor(ms, key),
		wait: async (ms) => await limiter.wait(ms, key),
	});
	/** A failed page does not close the limiter, because its item may not need that page. */
	const requestSender =
		(account: Account, closesOnFailure: boolean, toBody: ToBody = (response) => response) =>
		async (request: IHttpRequestOptions) =>
			await limiter.run(
				async () => await toBody(requestWithRetry(retryable(request, account)), request),
				closesOnFailure,
				account.key,
			);

	const listsOf = sharedLists(limit);
	const downloadFile = async (file: FileToDownload) =>
		await limiter.run(async () => await download(context, file, http), stopAtFailure);

	const prepare = async (item: number): Promise<PreparedItem> => {
		const parameter = (name: string) => context.getNodeParameter(name, item, '');
		const operation = operationOf(parameter('resource'), parameter('operation'));
		const itemDetails: ItemDetails = { fields: operation.fields };
		details[item] = itemDetails;
		hintAfterRun ??= operation.hintAfterRun;
		const account = await accountOf(item);
		accountKeys[item] = account.key;
		const earlier = memory.get(item);
		if (earlier?.account === account.key) {
			return async () => await limiter.run(() => replay(earlier.outcome), stopAtFailure);
		}
		const values = readValues(context, operation.fields, item);
		checkFields(operation.fields, values);
		const sendContext: SendContext = {
			getNodeParameter: (name, fallback) => context.getNodeParameter(name, item, fallback),
			getCredentials: async () => await Promise.resolve(account.credential),
		};
		const request = await buildRequest(operation, values, account.endpoint, sendContext);
		itemDetails.phoneNumbers = sentPhoneNumbers(request);
		const isOnlyRequest = !readsList(operation, values);
		const sendRequest = requestSender(account, stopAtFailure && isOnlyRequest, (response, sent) => {
			itemDetails.isSent = true;
			return operation.handleResponse?.(response, sent, values) ?? response;
		});
		const lists = listsOf(account.key, requestSender(account, false));
		const listOf: ListOf = (...list) => {
			itemDetails.isSent = true;
			return lists(...list);
		};
		const transport = { concurrency: limit, sendRequest, listOf, downloadFile };
		return async () => await sendItem({ item, operation, values, request }, transport);
	};

	const onEnd = progress(count, (line) => context.logger.info(line));
	const outcomes = await runItems(count, limiter, prepare, stopAtFailure, onEnd);
	// No item needs the pages that were to be read ahead.
	limiter.end();
	remember(memory, outcomes, accountKeys);
	return {
		outcomes: outcomes.map((outcome, item) => outcome ?? memory.get(item)?.outcome),
		details,
		hints: hintsAfterRun(context, outcomes, hintAfterRun, limiter.totalPauseMs),
	};
}

/** Carries out an operation that sends nothing to the service. Its output is its input. */
async function runInN8n(context: IExecuteFunctions, executeOnce: ExecuteInN8n): Promise<RunResult> {
	await executeOnce(context);
	const toOutcome = (input: INodeExecutionData, item: number): Outcome => ({
		items: [{ ...input, pairedItem: { item } }],
	});
	return { outcomes: context.getInputData().map(toOutcome), details: [], hints: [] };
}

/** An item for the error output. n8n keeps it whole only when all texts are under `error`. */
const errorItem = (error: unknown, details: ItemDetails, item: number): INodeExecutionData => ({
	json: { error: { result: failureKind(error, details), ...errorTexts(error, details) } },
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
	// Agents turn a thrown error into an empty text, but can read an item (n8n 2.0 to 2.41).
	const returnsErrorItems = this.continueOnFail() || isUsedAsTool(this.getNode());
	const selected = (name: string) => asText(this.getNodeParameter(name, 0, ''));
	const executeOnce = executeInN8n(selected('resource'), selected('operation'));
	const ended = executeOnce ? runInN8n(this, executeOnce) : run(this, count, !returnsErrorItems);
	const { outcomes, details, hints } = await ended.catch((error: unknown): RunResult => ({
		outcomes: Array.from({ length: count }, () => ({ error })),
		details: [],
		hints: [],
	}));
	this.addExecutionHints(...hints);

	const failure = returnsErrorItems ? undefined : runFailure(this.getNode(), outcomes, details);
	if (failure) throw failure;
	return [
		outcomes.flatMap((outcome, item) => {
			if (!outcome) return [];
			if ('items' in outcome) return outcome.items;
			return [errorItem(outcome.error, details[item] ?? { fields: [] }, item)];
		}),
	];
}
