import {
	deepCopy,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';

import { isDeleted } from '../../shared/assistants/find';
import { mayLackOperation, ServiceError } from '../../shared/client/errors';
import { asWholeList } from '../../shared/client/pages';
import type { RecordList } from '../../shared/client/recordList';
import { isOn } from '../../shared/fields/booleans';
import { getLocatorValue } from '../../shared/fields/values';
import { log, logHourly } from '../../shared/log';
import { ProcessMemory } from '../../shared/processMemory';
import { toContractBody } from '../../shared/records/responseBody';
import { asText, isRecord } from '../../shared/values/json';
import { buildRequest } from '../fields/buildRequest';
import { checkFields } from '../fields/checkFields';
import { IS_TOOL, readValues } from '../fields/fieldValues';
import { sentPhoneNumbers } from '../fields/sendPhoneNumber';
import { getOperation } from '../resources';
import type {
	HintAfterRun,
	ItemExchange,
	OneOfList,
	Operation,
	ToItems,
} from '../resources/operation';
import type { GetAccount } from './accounts';
import { wantsMany, type BuiltItem } from './builtItem';
import { hideSecrets } from './hideSecrets';
import { hintsAfterRun } from './hintsAfterRun';
import type { ItemDetails } from './itemErrorTexts';
import { LateRecords, mayBeLate } from './lateRecords';
import { Limiter, LimiterClosed } from './limiter';
import { listRecords } from './listRecords';
import { findPhoneNumberProblems } from './itemNumberProblems';
import { progress, reportLongWait } from './progress';
import { checkProxy, enteredRunOptions, readRunOptions, type RunOptions } from './readRunOptions';
import { RequestSender } from './requestSender';
import { replay, runItems, type ItemOutcome, type PreparedItem } from './runItems';
import { sendContext } from './sendContext';
import { SharedLists } from './sharedLists';
import { Steps } from './steps';
import { warnings } from './steps/step';

/** How the items of a run ended, and the details of each item for its error texts. */
export interface RunResult {
	outcomes: ItemOutcome[];
	details: ItemDetails[];
	hints: NodeExecutionHint[];
	/** Whether the run was refused before its first item. All outcomes then have the same error. */
	isRefused?: boolean;
}

/** The accounts whose provider gives a record only in a list. */
const lacksRecords = new ProcessMemory<true>('lacksRecords');

const isNotFound = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.httpCode === '404';

/** The failure of an item whose record the list does not have, or not on the pages that were read. */
const notInList = ({ notFound, nextStep, bound }: OneOfList, { isComplete }: RecordList) =>
	new ServiceError({
		message: notFound,
		nextStep: bound && !isComplete ? bound.nextStep : nextStep,
		httpCode: '404',
	});

/** Whether `data` has nothing, as where an operation gives only a message (contract: disable-webhook). */
const isNothing = (data: unknown): boolean =>
	(data ?? '') === '' || (typeof data === 'object' && Object.keys(data as object).length === 0);

/** The record of a response, or the whole response if it has none, such as a message. */
const recordOrOthers: ToItems = ({ data, ...others }) => {
	if (isRecord(data) && !isNothing(data)) return [data];
	const item = isNothing(data) ? others : { ...others, data };
	return [Object.keys(item).length > 0 ? item : { success: true }];
};

/**
 * One run of the node that sends requests. It holds what its items share. The methods are in the order in
 * which an item passes them.
 */
export class Run {
	private readonly context: IExecuteFunctions;

	private readonly getAccount: GetAccount;

	private readonly stopAtFailure: boolean;

	private readonly limiter: Limiter;

	private readonly requests: RequestSender;

	private readonly sharedLists: SharedLists;

	private readonly lateRecords = new LateRecords();

	/** What can hold items back. */
	private readonly steps: Steps;

	private readonly http: RunOptions['http'];

	private readonly details: ItemDetails[] = [];

	private hintAfterRun: HintAfterRun | undefined;

	/** By account and key. */
	private readonly shared = new Map<string, Promise<unknown>>();

	private readonly checks: Array<() => Promise<string | undefined>> = [];

	/**
	 * @param stopAtFailure whether no further item starts after the first failure
	 * @throws {InvalidInput} when an option of the run is wrong
	 */
	constructor(context: IExecuteFunctions, getAccount: GetAccount, stopAtFailure: boolean) {
		this.context = context;
		this.getAccount = getAccount;
		this.stopAtFailure = stopAtFailure;
		const { limit, http } = readRunOptions(enteredRunOptions(context));
		this.http = http;
		this.limiter = new Limiter(
			limit,
			context.getExecutionCancelSignal(),
			reportLongWait((line) => log(context, 'info', line)),
		);
		this.requests = new RequestSender(context, this.limiter, http);
		this.sharedLists = new SharedLists(limit);
		this.steps = new Steps(context);
	}

	/** Sends the items, each with its account. @throws {InvalidInput} when none of them may be sent */
	async sendItems(): Promise<RunResult> {
		const { context, limiter, details, steps } = this;
		const { length: count } = context.getInputData();
		await steps.runBegins();
		const onEnd = progress(count, (line) => log(context, 'info', line));
		const prepare = async (item: number) => await this.prepare(item);
		const stopsAt = (item: number) => this.stopsAt(item);
		const outcomes = await runItems(count, limiter, prepare, stopsAt, onEnd);
		// A check that fails says nothing.
		const found = this.checks.map(async (check) => await check().catch(() => undefined));
		const foundOut = (await Promise.all(found)).filter((text) => text !== undefined);
		// No item needs the pages that were to be read ahead.
		limiter.stop();
		const isFailed = outcomes.some((outcome) => outcome && 'error' in outcome);
		await steps.runEnds({ outcomes, details, isFailed: isFailed && this.stopAtFailure });
		const hints = steps.hints;
		for (const { message, type } of hints) if (type === 'warning') log(context, 'warn', message);
		// Each run of a provider finds the same.
		for (const line of this.requests.warnings) logHourly(context, 'warn', line);
		return {
			outcomes,
			details,
			hints: hintsAfterRun(context, outcomes, {
				hintAfterRun: this.hintAfterRun,
				waitedMs: limiter.waitedMs,
				hints: [...hints, ...warnings(foundOut)],
				details,
			}),
		};
	}

	/** Whether no further item starts when this one fails. */
	private stopsAt(item: number): boolean {
		return this.stopAtFailure && !this.steps.goesOnAfter(item);
	}

	/** Builds the request of an item, and lets the steps look at it. */
	private async prepare(index: number): Promise<PreparedItem> {
		const { context, limiter, steps } = this;
		const parameter = (name: string) => context.getNodeParameter(name, index, '');
		const operation = getOperation(parameter('resource'), parameter('operation'));
		const details: ItemDetails = { fields: operation.fields };
		this.details[index] = details;
		const look = async () => {
			const item = await this.build(index, operation, details);
			return (await steps.look(item)) ?? item;
		};
		const looked = await look().catch((error: unknown) => {
			const before = steps.lookBack(index, operation, details);
			if (!before) throw error;
			return before;
		});
		if ('request' in looked) return async () => await this.send(looked);
		return async () =>
			await limiter.run(async () => await replay(looked.outcome), this.stopsAt(index));
	}

	/** Reads and checks the fields of an item, and builds its request. */
	private async build(
		index: number,
		operation: BuiltItem['operation'],
		details: ItemDetails,
	): Promise<BuiltItem> {
		const account = await this.getAccount(index);
		checkProxy(account.endpoint.baseUrl, this.http);
		const values = readValues(this.context, operation.fields, index);
		checkFields(operation.fields, values);
		const built = { index, operation, account, values, details };
		return { ...built, request: await this.buildRequest(built) };
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
		const context = sendContext(this.context, index, account);
		const request = await buildRequest(operation, values, account.endpoint, context);
		details.phoneNumbers = sentPhoneNumbers(request);
		details.numberProblems = await findPhoneNumberProblems(details.phoneNumbers, context);
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
		const { oneOfList, toFile, toItems = recordOrOthers, hintAfterRun } = operation;
		this.hintAfterRun ??= hintAfterRun;
		const toOutput = (record: IDataObject) => {
			const output = operation.output?.toItem?.(record, values) ?? record;
			return values[IS_TOOL] === true ? hideSecrets(output) : output;
		};
		const toItem = (json: IDataObject) => ({ json, pairedItem: { item: index } });
		if (oneOfList) {
			const record = await this.findRecord(item, oneOfList);
			// Several items can have the same record, and the next node may change one of them.
			const output = toItem(deepCopy(toOutput(record)));
			if (!toFile) return [output];
			const file = toFile(record, values, item.account.endpoint);
			return [{ ...output, binary: await this.requests.download(file, this.stopAtFailure) }];
		}
		if (wantsMany(item)) return (await this.readList(item, toOutput)).map(toItem);
		return await this.sendInTurn(item, (body) =>
			toItems(body, values).map((record) => toItem(toOutput(record))),
		);
	}

	/** Sends the request of an item, if the steps let it when its turn has come. */
	private async sendInTurn(
		item: BuiltItem,
		toOutputs: (body: IDataObject) => INodeExecutionData[],
	): Promise<INodeExecutionData[]> {
		const { requests, steps, limiter, stopAtFailure } = this;
		const { operation, request, account } = item;
		const { sendItem } = operation;
		if (sendItem) {
			// Each of its requests has a turn.
			const send = async () => toOutputs(await sendItem(request, this.exchangeOf(item)));
			return await steps.pass(item, send);
		}
		const send = async () => toOutputs(await requests.sendNow(item, request));
		let hasWaited = false;
		const sendIfOpen = async () => {
			// The item that was waited for has failed, and ended the run.
			if (hasWaited && limiter.isClosed) throw new LimiterClosed();
			return await send();
		};
		const pass = async () =>
			await steps.pass(item, sendIfOpen, async (other) => {
				hasWaited = true;
				return await limiter.waitFor(other, account.key);
			});
		return await limiter.run(pass, stopAtFailure, account.key);
	}

	/** What an operation that decides itself what to send can do. */
	private exchangeOf(item: BuiltItem): ItemExchange {
		const { requests, stopAtFailure, shared } = this;
		const { fields } = item.operation;
		const { key, endpoint } = item.account;
		const { baseURL } = item.request;
		const sendWith = async (
			asked: IHttpRequestOptions,
			parts: Partial<Operation>,
			details = item.details,
		) => {
			const operation = { ...item.operation, ...parts };
			const request = { baseURL, ...asked };
			return await requests.send({ ...item, operation, details }, request, stopAtFailure);
		};
		const plain = { record: undefined, parseResponse: undefined };
		return {
			...{ accountKey: key, endpoint, fields },
			send: async (request, handleResponse) => await sendWith(request, { handleResponse }),
			ask: async (request, handleResponse) =>
				await sendWith(request, { ...plain, handleResponse }, { fields }),
			read: async (url, qs, parseResponse) => {
				const request = { method: 'GET', url, qs } as const;
				const body = await sendWith(request, { ...plain, parseResponse }, { fields });
				return toContractBody(body, { isList: true, toRecord: (record) => record });
			},
			share: async <T>(name: string, make: () => Promise<T>) => {
				const id = JSON.stringify([key, name]);
				const made = (shared.get(id) as Promise<T> | undefined) ?? make();
				shared.set(id, made);
				return await made;
			},
			afterRun: (check) => this.checks.push(check),
		};
	}

	/** Reads the records of an item, page by page. */
	private async readList(
		item: BuiltItem,
		toOutput: (record: IDataObject) => IDataObject,
	): Promise<IDataObject[]> {
		const { operation, request, values } = item;
		const { isListed, isWholeList = false } = operation;
		const readEnvelope = async (page: number, perPage: number) => {
			const asksAll = isWholeList && page === 1;
			// Pages of a list that was asked for as a whole have the length that the service gives them.
			const size = isWholeList ? {} : { per_page: perPage };
			const qs = asksAll ? request.qs : { ...request.qs, page, ...size };
			// The item may not need a page that failed.
			const envelope = await this.requests.send(item, { ...request, qs }, false, true);
			return asksAll ? asWholeList(envelope) : envelope;
		};
		const limit = isOn(values.returnAll) ? Infinity : Number(values.limit);
		return await listRecords(readEnvelope, limit, this.limiter.limit, toOutput, isListed);
	}

	/**
	 * Gets the record of an item: alone where the provider gives it, otherwise from a list that all items of
	 * its account share. A call that is newer than the list is looked for again, for some seconds.
	 */
	private async findRecord(item: BuiltItem, wanted: OneOfList): Promise<IDataObject> {
		const { account, request, values, details } = item;
		const { idField, listPath: url = request.url } = wanted;
		details.isSent = true;
		const id = asText(getLocatorValue(values[idField]));
		const isAlone = url !== request.url;
		const lackKey = JSON.stringify([account.key, url]);
		const sendPage = async (page: IHttpRequestOptions) =>
			await this.requests.send(item, page, false, true);
		const inList = { account, request: { ...request, url }, sendPage };
		const list = this.sharedLists.get(inList, wanted.bound?.maxPages);
		/** The service's own words that it has no such record. */
		let refusal: ServiceError | undefined;
		const readAlone = async () =>
			await this.readAlone(item, id).catch((error: unknown) => {
				if (!wanted.comesLate || !isNotFound(error)) throw error;
				refusal = error;
				return undefined;
			});
		for (let round = 0; ; round++) {
			const asks = isAlone && !lacksRecords.get(lackKey) && (round === 0 || refusal !== undefined);
			const found = asks && (await readAlone());
			if (found) return found;
			if (round > 0 || (refusal && list.highestId === undefined)) await list.refresh();
			const record = refusal ? list.get(id) : await list.find(id);
			if (record && !isDeleted(record)) {
				// What no list has proves nothing: the service may have said in other words that it is not there.
				if (isAlone && !refusal) lacksRecords.set(lackKey, true);
				return record;
			}
			// A list that ends on a day shows no later call.
			const isLate = wanted.comesLate && request.qs?.date_to === undefined && mayBeLate(list, id);
			const waitMs = isLate ? this.lateRecords.waitMs(account.key, round) : undefined;
			if (waitMs === undefined) throw refusal ?? notInList(wanted, list);
			await this.limiter.run(async () => await this.limiter.wait(waitMs));
		}
	}

	/** Reads the record with an ID. @returns undefined when the provider gives no record alone */
	private async readAlone(item: BuiltItem, id: string): Promise<IDataObject | undefined> {
		const { operation, request, values } = item;
		// The query narrows the list.
		const reading = this.requests.send(item, { ...request, qs: {} }, false);
		const body = await reading.catch((error: unknown) => {
			if (mayLackOperation(error, operation.notInContract?.notFound)) return {};
			throw error;
		});
		return recordOrOthers(body, values).find((record) => asText(record.id) === id);
	}
}
