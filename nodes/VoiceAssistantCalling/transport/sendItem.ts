import {
	deepCopy,
	type IDataObject,
	type IHttpRequestOptions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { asText, isRecord } from '../../shared/client/json';
import { isOn } from '../../shared/fields/booleans';
import { picked, type Values } from '../fields/fieldValues';
import type { Operation } from '../resources';
import type { FileToDownload } from '../resources/resource';
import { findRecord } from './findRecord';
import { listRecords } from './listRecords';
import type { ListOf } from './sharedLists';

/** An item whose request is built. */
interface ItemRequest {
	item: number;
	operation: Operation;
	/** Of the operation's fields. */
	values: Values;
	request: IHttpRequestOptions;
}

/** What the items of a run use to send their requests. */
interface Transport {
	/** The most pages of an item that are requested at the same time. */
	concurrency: number;
	/** Sends one request and returns the body of the response. */
	sendRequest: (request: IHttpRequestOptions) => Promise<IDataObject>;
	listOf: ListOf;
	/** Downloads a file and returns it as the binary data of an item. */
	downloadFile: (file: FileToDownload) => Promise<INodeExecutionData['binary']>;
}

/** Whether an operation reads a list, page by page. All others make a single request. */
export const readsList = ({ oneOfList }: Operation, values: Values): boolean =>
	oneOfList !== undefined || 'returnAll' in values;

/**
 * Sends the request of an item, or the requests of its pages.
 *
 * @returns the records of the responses, paired with the item
 * @throws {ServiceError} when a request failed, or the list does not have the wanted record
 */
export async function sendItem(
	{ item, operation, values, request }: ItemRequest,
	{ concurrency, sendRequest, listOf, downloadFile }: Transport,
): Promise<INodeExecutionData[]> {
	const { oneOfList, toOutput = (record) => record, toFile } = operation;
	const toItem = (json: IDataObject) => ({ json, pairedItem: { item } });

	if (oneOfList) {
		const id = asText(picked(values[oneOfList.idField]));
		const list = listOf(request, oneOfList.bound?.maxPages);
		const record = await findRecord(list, id, oneOfList);
		// Several items can have the same record, and the next node may change one of them.
		const output = toItem(deepCopy(toOutput(record, values)));
		return [toFile ? { ...output, binary: await downloadFile(toFile(record, values)) } : output];
	}
	if (readsList(operation, values)) {
		const readEnvelope = async (page: number, perPage: number) =>
			await sendRequest({ ...request, qs: { ...request.qs, page, per_page: perPage } });
		const limit = isOn(values.returnAll) ? Infinity : Number(values.limit);
		const records = await listRecords(readEnvelope, limit, concurrency, (record) =>
			toOutput(record, values),
		);
		return records.map(toItem);
	}
	const { message, data } = await sendRequest(request);
	const record = isRecord(data) && Object.keys(data).length > 0 ? data : { message };
	return [toItem(toOutput(record, values))];
}
