import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import { CREDENTIAL, endpointOf } from '../../shared/client/credential';
import { asText } from '../../shared/client/json';
import { sendOnce } from '../../shared/client/request';
import { requestWithRetry, type RetryableRequest } from '../../shared/client/retry';
import { buildRequest } from '../fields/buildRequest';
import { checkFields } from '../fields/checkFields';
import { isUsedAsTool, readValues, type Values } from '../fields/fieldValues';
import type { SendContext } from '../fields/routing';
import { sentPhoneNumbers } from '../fields/sentPhoneNumbers';
import { executeInN8n, operationOf } from '../resources';
import { requestOptions } from '../resources/requestOptions';
import type {
	ExecuteInN8n,
	FileToDownload,
	HandleResponse,
	HintAfterRun,
} from '../resources/resource';
import { download } from './download';
import { errorTexts, type ItemDetails } from './errorTexts';
import { failureKind } from './failureKind';
import { hintsAfterRun } from './hintsAfterRun';
import { Limiter } from './limiter';
import { readRunOptions } from './readRunOptions';
import { runFailure } from './runFailure';
import { runItems, type Outcome, type PreparedItem } from './runItems';
import { progress } from './progress';
import { memoryOf, remember, replay } from './runMemory';
import { readsList, sendItem } from './sendItem';
import { sharedLists } from './sharedLists';

/** How the items of a run ended, and the details of each item for its error texts. */
interface RunResult {
	outcomes: Outcome[];
	details: ItemDetails[];
	hints: NodeExecutionHint[];
}

/** Sends the items of a run. Reads credential and Request Options once. */
async function run(
	context: IExecuteFunctions,
	count: number,
	stopAtFailure: boolean,
): Promise<RunResult> {
	const credential = await context.getCredentials(CREDENTIAL);
	const endpoint = endpointOf(credential);
	const options: unknown = context.getNodeParameter(requestOptions.name, 0, {});
	const { limit, http } = readRunOptions(options);
	const canceled = context.getExecutionCancelSignal();
	const limiter = new Limiter(limit, canceled);
	const memory = memoryOf(context);
	const details: ItemDetails[] = [];
	const sendContext: SendContext = {
		getNodeParameter: () => options,
		getCredentials: async () => await Promise.resolve(credential),
	};
	let hintAfterRun: HintAfterRun | undefined;

	const retryable = (request: IHttpRequestOptions): RetryableRequest => ({
		method: request.method ?? 'GET',
		sendOnce: async () => await sendOnce(context, { ...request, ...http }, credential, canceled),
		onRateLimit: (ms) => limiter.pauseFor(ms),
		wait: async (ms) => {
			await limiter.sleep(ms);
			await limiter.waitForPauseEnd();
		},
	});
	/** A failed page does not close the limiter, because its item may not need that page. */
	const requestSender =
		(isOnlyRequest: boolean, handleResponse?: HandleResponse, values: Values = {}) =>
		async (request: IHttpRequestOptions) =>
			await limiter.run(async () => {
				const response = requestWithRetry(retryable(request));
				return await (handleResponse?.(response, request, values) ?? response);
			}, stopAtFailure && isOnlyRequest);

	const listOf = sharedLists(requestSender(false), limit);
	const downloadFile = async (file: FileToDownload) =>
		await limiter.run(async () => await download(context, file, http), stopAtFailure);

	const prepare = async (item: number): Promise<PreparedItem> => {
		const parameter = (name: string) => context.getNodeParameter(name, item, '');
		const operation = operationOf(parameter('resource'), parameter('operation'));
		details[item] = { fields: operation.fields };
		hintAfterRun ??= operation.hintAfterRun;
		const earlier = memory.get(item);
		if (earlier) return async () => await limiter.run(() => replay(earlier), stopAtFailure);
		const values = readValues(context, operation.fields, item);
		checkFields(operation.fields, values);
		const request = await buildRequest(operation, values, endpoint, sendContext);
		details[item] = { fields: operation.fields, phoneNumbers: sentPhoneNumbers(request) };
		const isOnlyRequest = !readsList(operation, values);
		const sendRequest = requestSender(isOnlyRequest, operation.handleResponse, values);
		const transport = { concurrency: limit, sendRequest, listOf, downloadFile };
		return async () => await sendItem({ item, operation, values, request }, transport);
	};

	const onEnd = progress(count, (line) => context.logger.info(line));
	const outcomes = await runItems(count, limiter, prepare, stopAtFailure, onEnd);
	// No item needs the pages that were to be read ahead.
	limiter.end();
	remember(memory, outcomes);
	return {
		outcomes: outcomes.map((outcome, item) => outcome ?? memory.get(item)),
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
