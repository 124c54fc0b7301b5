import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { sendOnce } from '../../shared/client/request';
import { requestWithRetry } from '../../shared/client/retry';
import { toContractRecord } from '../../shared/records/contractRecord';
import { toContractBody } from '../../shared/records/responseBody';
import { UnexpectedFields } from '../../shared/records/unexpectedFields';
import { explainLack } from '../resources/notInContract';
import type { FileToDownload } from '../resources/operation';
import type { BuiltItem } from './builtItem';
import { download } from './download';
import type { Limiter } from './limiter';
import type { RunOptions } from './readRunOptions';

/** Sends the requests of a run, each in its turn. */
export class RequestSender {
	private readonly context: IExecuteFunctions;

	private readonly limiter: Limiter;

	private readonly options: RunOptions['http'];

	private readonly unexpected = new UnexpectedFields();

	constructor(context: IExecuteFunctions, limiter: Limiter, options: RunOptions['http']) {
		this.context = context;
		this.limiter = limiter;
		this.options = options;
	}

	/** What n8n's log says of the responses. */
	get warnings(): string[] {
		return this.unexpected.warning ? [this.unexpected.warning] : [];
	}

	/**
	 * Sends a request of an item.
	 *
	 * @param closesOnFailure whether no further request starts when this one fails
	 * @param isList whether the response is a page of a list
	 * @returns the body of the response
	 * @throws {ServiceError} when the request failed
	 */
	async send(
		item: BuiltItem,
		request: IHttpRequestOptions,
		closesOnFailure: boolean,
		isList = false,
	): Promise<IDataObject> {
		const send = async () => await this.sendNow(item, request, isList);
		return await this.limiter.run(send, closesOnFailure, item.account.key);
	}

	/** Downloads a file. @returns the binary data of an item */
	async download(
		file: FileToDownload,
		closesOnFailure: boolean,
	): Promise<INodeExecutionData['binary']> {
		const wait = async (ms: number) => await this.limiter.wait(ms);
		const downloadNow = async () => await download(this.context, file, this.options, wait);
		return await this.limiter.run(downloadNow, closesOnFailure);
	}

	/** Sends a request as {@link send} does, when the turn of its item has come. */
	async sendNow(
		item: BuiltItem,
		request: IHttpRequestOptions,
		isList = false,
	): Promise<IDataObject> {
		const { operation, values, details } = item;
		details.isSent = true;
		const response = this.sendWithRetry(request, item, isList).catch((error: unknown) => {
			const { notInContract } = operation;
			throw notInContract ? explainLack(error, notInContract) : error;
		});
		return await (operation.handleResponse?.(response, request, values) ?? response);
	}

	private async sendWithRetry(
		request: IHttpRequestOptions,
		item: BuiltItem,
		isList: boolean,
	): Promise<IDataObject> {
		const { context, limiter, unexpected } = this;
		const { account, operation } = item;
		const { credential, key } = account;
		const { parseResponse, record } = operation;
		const withOptions = { ...request, ...this.options };
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
		const toRecord = (row: IDataObject) => unexpected.note(toContractRecord(row, record), record);
		// One record that is read comes alone (public-service: record-form; S1, S2, S4b).
		const isBare = !isList && request.method === 'GET';
		return toContractBody(body, { isList, isBare, toRecord });
	}
}
