import {
	deepCopy,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';

import { asText, isRecord, recordsIn } from '../../shared/client/json';
import { sendOnce } from '../../shared/client/request';
import { requestWithRetry } from '../../shared/client/retry';
import { isOn } from '../../shared/fields/booleans';
import { getLocatorValue } from '../../shared/fields/values';
import { toContractRecord } from '../../shared/records/contractRecord';
import { MissingFields } from '../../shared/records/missingFields';
import { toContractBody } from '../../shared/records/responseBody';
import { buildRequest } from '../fields/buildRequest';
import { checkFields } from '../fields/checkFields';
import { IS_TOOL, readValues, type Values } from '../fields/fieldValues';
import { sentPhoneNumbers } from '../fields/sendPhoneNumber';
import { costsMoney, getOperation } from '../resources';
import type {
	FileToDownload,
	HintAfterRun,
	OneOfList,
	Operation,
	OperationWithFreeRequest,
	ToItems,
} from '../resources/operation';
import type { Account, GetAccount } from './accounts';
import { download } from './download';
import { hideSecrets } from './hideSecrets';
import { hintsAfterRun } from './hintsAfterRun';
import type { ItemDetails } from './itemErrorTexts';
import { Limiter } from './limiter';
import { listRecords } from './listRecords';
import { progress, reportLongWait } from './progress';
import { enteredRunOptions, readRunOptions, type RunOptions } from './readRunOptions';
import { runItems, type Outcome, type PreparedItem } from './runItems';
import { getRunMemory, remember, replay, type RunMemory } from './runMemory';
import { SharedLists } from './sharedLists';
import {
	dryRunOutput,
	isDryRun,
	limitItems,
	readSpendingOptions,
	requireCounted,
} from './spending';

/** How the items of a run ended, and the details of each item for its error texts. */
export interface RunResult {
	outcomes: Outcome[];
	details: ItemDetails[];
	hints: NodeExecutionHint[];
	/** Whether the run was refused before its first item. All outcomes then have the same error. */
	isRefused?: boolean;
}

/** An item whose request is built. */
interface BuiltItem {
	index: number;
	operation: Operation | OperationWithFreeRequest;
	account: Account;
	/** Of the operation's fields. */
	values: Values;
	request: IHttpRequestOptions;
	details: ItemDetails;
}

const FILTERS_IGNORED =
	'The service sent records that the filters leave out. They are not in the items. Ask your provider which filters it applies.';

/** The record of a response, or its message if it has none. */
const recordOrMessage: ToItems = ({ message, data }) => {
	if (isRecord(data) && Object.keys(data).length > 0) return [data];
	return [message === undefined ? { success: true } : { message }];
};

/** Whether the user wants several records of a list. */
const wantsMany = (values: Values): boolean => isOn(values.returnAll) || 'limit' in values;

/** Whether the requests of an item read pages. */
const isListOf = ({ operation, values }: BuiltItem): boolean =>
	operation.oneOfList !== undefined || wantsMany(values);

/**
 * One run of the node that sends requests. It holds what its items share. The methods are in the order in
 * which an item passes them.
 */
export class Run {
	private readonly context: IExecuteFunctions;

	private readonly getAccount: GetAccount;

	private readonly stopAtFailure: boolean;

	private readonly options: RunOptions;

	private readonly limiter: Limiter;

	private readonly lists: SharedLists;

	private readonly memory: RunMemory;

	private readonly details: ItemDetails[] = [];

	private readonly accountKeys: string[] = [];

	/** See {@link readSpendingOptions}. */
	private firstOptions: Values | undefined;

	/** See {@link limitItems}. */
	private isCounted = false;

	private hintAfterRun: HintAfterRun | undefined;

	private readonly missing = new MissingFields();

	/** Whether a list had records that were not asked for. */
	private ignoresFilters = false;

	/** Of the first page that gave one. */
	private doubt: string | undefined;

	/**
	 * @param stopAtFailure whether no further item starts after the first failure
	 * @throws {InvalidInput} when a Request Option is wrong
	 */
	constructor(context: IExecuteFunctions, getAccount: GetAccount, stopAtFailure: boolean) {
		this.context = context;
		this.getAccount = getAccount;
		this.stopAtFailure = stopAtFailure;
		this.options = readRunOptions(enteredRunOptions(context));
		this.limiter = new Limiter(
			this.options.limit,
			context.getExecutionCancelSignal(),
			reportLongWait((line) => context.logger.info(line)),
		);
		this.lists = new SharedLists(this.options.limit);
		this.memory = getRunMemory(context);
	}

	/**
	 * Sends the items, each with its account.
	 *
	 * @throws {InvalidInput} when *Maximum Items* allows fewer: then nothing is sent
	 */
	async sendItems(count: number): Promise<RunResult> {
		const { context, limiter, memory, details } = this;
		const parameter = (name: string) => context.getNodeParameter(name, 0, '');
		if (count > 0 && costsMoney(parameter('resource'), parameter('operation'))) {
			this.firstOptions = readSpendingOptions(context, 0);
			this.isCounted = limitItems(context, this.firstOptions, count, memory);
		}
		const onEnd = progress(count, (line) => context.logger.info(line));
		const prepare = async (item: number) => await this.prepare(item);
		const stopsAt = (item: number) => this.stopAtFailure && !details[item]?.isDryRun;
		const outcomes = await runItems(count, limiter, prepare, stopsAt, onEnd);
		// No item needs the pages that were to be read ahead.
		limiter.end();
		remember(memory, outcomes, this.accountKeys);
		if (this.missing.warning) context.logger.warn(this.missing.warning);
		if (this.ignoresFilters) context.logger.warn(FILTERS_IGNORED);
		if (this.doubt) context.logger.warn(this.doubt);
		return {
			outcomes: outcomes.map((outcome, item) => outcome ?? memory.get(item)?.outcome),
			details,
			hints: hintsAfterRun(context, outcomes, {
				hintAfterRun: this.hintAfterRun,
				waitedMs: limiter.waitedMs,
				dryRuns: details.filter(({ isDryRun }) => isDryRun).length,
			}),
		};
	}

	/** Reads and checks the fields of an item, and builds its request. */
	private async prepare(index: number): Promise<PreparedItem> {
		const { context, limiter, stopAtFailure } = this;
		const parameter = (name: string) => context.getNodeParameter(name, index, '');
		const operation = getOperation(parameter('resource'), parameter('operation'));
		const details: ItemDetails = { fields: operation.fields };
		this.details[index] = details;
		if (operation.getCost) {
			const options = (index === 0 && this.firstOptions) || readSpendingOptions(context, index);
			requireCounted(options, this.isCounted);
			details.isDryRun = isDryRun(options);
		}
		if (!details.isDryRun) this.hintAfterRun ??= operation.hintAfterRun;
		const account = await this.getAccount(index);
		this.accountKeys[index] = account.key;
		const earlier = this.memory.get(index);
		if (earlier?.account === account.key) {
			return async () => await limiter.run(() => replay(earlier.outcome), stopAtFailure);
		}
		const values = readValues(context, operation.fields, index);
		checkFields(operation.fields, values);
		const item = { index, operation, account, values, details };
		const request = await this.buildRequest(item);
		if (details.isDryRun) {
			const shown = { json: dryRunOutput(operation, request), pairedItem: { item: index } };
			return async () => await Promise.resolve([shown]);
		}
		return async () => await this.send({ ...item, request });
	}

	/** Builds the request of an item. */
	private async buildRequest({
		index,
		operation,
		account,
		values,
		details,
	}: Omit<BuiltItem, 'request'>): Promise<IHttpRequestOptions> {
		if ('toRequest' in operation) return operation.toRequest(values, account.endpoint);
		const { context } = this;
		const request = await buildRequest(operation, values, account.endpoint, {
			getNodeParameter: (name, fallback) => context.getNodeParameter(name, index, fallback),
			getCredentials: async () => await Promise.resolve(account.credential),
		});
		details.phoneNumbers = sentPhoneNumbers(request);
		return request;
	}

	/**
	 * Sends the request of an item, or the requests of its pages.
	 *
	 * @returns the records of the responses, paired with the item
	 * @throws {ServiceError} when a request failed, or the list does not have the wanted record
	 */
	private async send(item: BuiltItem): Promise<INodeExecutionData[]> {
		const { index, operation, values } = item;
		const { oneOfList, toFile, toItems = recordOrMessage } = operation;
		const toOutput = (record: IDataObject) => {
			const output = operation.output?.toItem?.(record, values) ?? record;
			return values[IS_TOOL] === true ? hideSecrets(output) : output;
		};
		const toItem = (json: IDataObject) => ({ json, pairedItem: { item: index } });
		if (oneOfList) {
			const record = await this.findRecord(item, oneOfList);
			// Several items can have the same record, and the next node may change one of them.
			const output = toItem(deepCopy(toOutput(record)));
			return [toFile ? { ...output, binary: await this.download(toFile(record, values)) } : output];
		}
		if (wantsMany(values)) {
			const records = await this.listRecords(item, toOutput);
			return records.map(toItem);
		}
		const body = await this.sendRequest(item, item.request, this.stopAtFailure);
		return toItems(body, values).map((record) => toItem(toOutput(record)));
	}

	/** Finds the record of an item in a list that all items of its account share. */
	private async findRecord(item: BuiltItem, wanted: OneOfList): Promise<IDataObject> {
		const { account, request, values, details } = item;
		const sendPage = async (page: IHttpRequestOptions) => {
			const send = async () => await this.sendWithRetry(page, item);
			return await this.limiter.run(send, false, account.key);
		};
		details.isSent = true;
		const id = asText(getLocatorValue(values[wanted.idField]));
		return await this.lists.findRecord({ account, request, sendPage }, id, wanted);
	}

	/** Reads the records of an item, page by page. */
	private async listRecords(
		item: BuiltItem,
		toOutput: (record: IDataObject) => IDataObject,
	): Promise<IDataObject[]> {
		const { operation, request, values } = item;
		const { isListed = () => true, doubtOf, getKey } = operation;
		const { qs = {} } = request;
		const readEnvelope = async (page: number, perPage: number) => {
			const asked = { ...request, qs: { ...qs, page, per_page: perPage } };
			// The item may not need a page that failed.
			const envelope = await this.sendRequest(item, asked, false);
			this.doubt ??= doubtOf?.(recordsIn(envelope.data), qs);
			return envelope;
		};
		const limit = isOn(values.returnAll) ? Infinity : Number(values.limit);
		const isWanted = (record: IDataObject) => {
			const isAsked = isListed(record, qs);
			if (!isAsked && Object.keys(qs).length > 0) this.ignoresFilters = true;
			return isAsked;
		};
		const { limit: concurrency } = this.options;
		return await listRecords(readEnvelope, limit, concurrency, toOutput, isWanted, getKey);
	}

	/** Sends a request of an item in its turn. @returns the body of the response */
	private async sendRequest(
		item: BuiltItem,
		request: IHttpRequestOptions,
		closesOnFailure: boolean,
	): Promise<IDataObject> {
		const { operation, account, values, details } = item;
		const sendNow = async () => {
			details.isSent = true;
			const response = this.sendWithRetry(request, item);
			return await (operation.handleResponse?.(response, request, values) ?? response);
		};
		return await this.limiter.run(sendNow, closesOnFailure, account.key);
	}

	private async sendWithRetry(request: IHttpRequestOptions, item: BuiltItem): Promise<IDataObject> {
		const { context, limiter, missing } = this;
		const { account, operation } = item;
		const { credential, key } = account;
		const { parseResponse, record } = operation;
		const withOptions = { ...request, ...this.options.http };
		const body = await requestWithRetry({
			method: request.method ?? 'GET',
			sendOnce: async () =>
				await sendOnce(context, withOptions, credential, limiter.signal, parseResponse),
			onAccepted: () => limiter.accept(key),
			pauseFor: (failure) => limiter.pauseFor(failure, key),
			hasTime: true,
			wait: async (ms) => await limiter.wait(ms, key),
		});
		if (!record) return body;
		const toRecord = (row: IDataObject) => missing.complete(toContractRecord(row, record), record);
		return toContractBody(body, { isList: isListOf(item), shape: record, toRecord });
	}

	/** Downloads a file in its turn. @returns the binary data of an item */
	private async download(file: FileToDownload): Promise<INodeExecutionData['binary']> {
		const wait = async (ms: number) => await this.limiter.wait(ms);
		const downloadNow = async () => await download(this.context, file, this.options.http, wait);
		return await this.limiter.run(downloadNow, this.stopAtFailure);
	}
}
