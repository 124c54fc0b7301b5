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
import { HeldBack } from './heldBack';
import { hideSecrets } from './hideSecrets';
import { hintsAfterRun } from './hintsAfterRun';
import type { ItemDetails } from './itemErrorTexts';
import { LateRecords, mayBeLate } from './lateRecords';
import { Limiter } from './limiter';
import { listRecords } from './listRecords';
import { OnlyOnce } from './onlyOnce';
import { PhoneNumberCheck } from './phoneNumberCheck';
import { findPhoneNumberProblems } from './phoneNumberProblems';
import { progress, reportLongWait } from './progress';
import { checkProxy, enteredRunOptions, readRunOptions, type RunOptions } from './readRunOptions';
import { RequestSender } from './requestSender';
import { runItems, type Outcome, type PreparedItem } from './runItems';
import { getRunMemory, remember, replay, type RunMemory } from './runMemory';
import { sendContext } from './sendContext';
import { SharedLists } from './sharedLists';
import { Spending } from './spending';

/** How the items of a run ended, and the details of each item for its error texts. */
export interface RunResult {
	outcomes: Outcome[];
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

	private readonly memory: RunMemory;

	private readonly spending: Spending;

	private readonly heldBack: HeldBack;

	private readonly http: RunOptions['http'];

	private readonly onlyOnce: OnlyOnce;

	private readonly phoneNumberCheck: PhoneNumberCheck;

	private readonly details: ItemDetails[] = [];

	private hintAfterRun: HintAfterRun | undefined;

	/** By account and key. */
	private readonly shared = new Map<string, Promise<unknown>>();

	private readonly checks: Array<() => Promise<string | undefined>> = [];

	/**
	 * @param stopAtFailure whether no further item starts after the first failure
	 * @throws {InvalidInput} when a Request Option is wrong, or *Maximum Items* allows fewer items
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
		this.memory = getRunMemory(context);
		this.spending = new Spending(context, this.memory);
		this.heldBack = new HeldBack(context, this.memory);
		this.onlyOnce = new OnlyOnce(context);
		this.phoneNumberCheck = new PhoneNumberCheck(context, getAccount);
	}

	/** Sends the items, each with its account. */
	async sendItems(): Promise<RunResult> {
		const { context, limiter, memory, details } = this;
		const { length: count } = context.getInputData();
		await this.phoneNumberCheck.lookAhead();
		const onEnd = progress(count, (line) => log(context, 'info', line));
		const prepare = async (item: number) => await this.prepare(item);
		const stopsAt = (item: number) =>
			this.stopAtFailure && !details[item]?.isDryRun && !details[item]?.isRepeated;
		const outcomes = await runItems(count, limiter, prepare, stopsAt, onEnd);
		// A check that fails says nothing.
		const found = this.checks.map(async (check) => await check().catch(() => undefined));
		const foundOut = (await Promise.all(found)).filter((text) => text !== undefined);
		// No item needs the pages that were to be read ahead.
		limiter.end();
		await this.onlyOnce.end();
		// Who must not be called is looked for again in each try.
		const sent = outcomes.map((outcome, item) => (details[item]?.isBlocked ? undefined : outcome));
		remember(memory, sent);
		const ended = outcomes.map((outcome, item) => outcome ?? memory.ended.get(item));
		const isFailed = outcomes.some((outcome) => outcome && 'error' in outcome);
		await this.heldBack.note(ended, isFailed && this.stopAtFailure);
		const warnings = [...this.heldBack.warnings, ...this.onlyOnce.warnings];
		for (const line of warnings) log(context, 'warn', line);
		// Each run of a provider finds the same.
		for (const line of this.requests.warnings) logHourly(context, 'warn', line);
		return {
			outcomes: ended,
			details,
			hints: hintsAfterRun(context, outcomes, {
				hintAfterRun: this.hintAfterRun,
				waitedMs: limiter.waitedMs,
				warnings: [...warnings, ...foundOut],
				details,
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
		const { getCost, cannotBeUndone } = operation;
		if (getCost ?? cannotBeUndone) Object.assign(details, this.spending.checkItem(index));
		if (!details.isDryRun) this.hintAfterRun ??= operation.hintAfterRun;
		const account = await this.getAccount(index);
		checkProxy(account.endpoint.baseUrl, this.http);
		const earlier = this.memory.ended.get(index);
		if (earlier) return async () => await limiter.run(() => replay(earlier), stopAtFailure);
		const values = readValues(context, operation.fields, index);
		checkFields(operation.fields, values);
		const item = { index, operation, account, values, details };
		const request = await this.buildRequest(item);
		const ended = await this.heldBack.end({ ...item, request });
		if (ended) return async () => await replay(ended);
		if (operation.reachesPeople) this.phoneNumberCheck.warnOf(index, details);
		const onlyOnceKey = getCost && this.onlyOnce.keyOf(index);
		const retryKey = this.heldBack.retryKey(index);
		return async () => await this.send({ ...item, request, onlyOnceKey, retryKey });
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
		const { oneOfList, toFile, toItems = recordOrOthers } = operation;
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
		const body = await this.sendRequest(item);
		if (!body && item.onlyOnceKey === undefined) {
			item.details.isRepeated = true;
			return [toItem({ result: 'reached before' })];
		}
		if (!body) {
			item.details.isDoneBefore = true;
			return [toItem({ result: 'done before', key: item.onlyOnceKey })];
		}
		return toItems(body, values).map((record) => toItem(toOutput(record)));
	}

	/** @returns undefined when the request was sent before, see {@link OnlyOnce} */
	private async sendRequest(item: BuiltItem): Promise<IDataObject | undefined> {
		const { onlyOnceKey, retryKey, request } = item;
		// The user's own key holds in all executions.
		const key = onlyOnceKey ?? retryKey;
		const { requests, stopAtFailure } = this;
		const { sendItem } = item.operation;
		const send = async () =>
			sendItem
				? await sendItem(request, this.exchangeOf(item))
				: await requests.send(item, request, stopAtFailure);
		// Nothing is done twice by reading.
		if (key === undefined || request.method === 'GET') return await send();
		return await this.onlyOnce.send(key, async (mayStart) => {
			// Without n8n's store, only another retry of the same execution could send the item once more.
			const mayRetry = async () => await mayStart().catch(() => true);
			const check = onlyOnceKey === undefined ? mayRetry : mayStart;
			if (sendItem) return (await check()) ? await send() : undefined;
			return await requests.sendIf(item, check, stopAtFailure);
		});
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
			const qs = asksAll ? request.qs : { ...request.qs, page, per_page: perPage };
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
