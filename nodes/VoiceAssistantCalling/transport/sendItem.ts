import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { isRecord } from '../../shared/client/json';
import { isOn, type Values } from '../fields/fieldValues';
import { listRecords } from './listRecords';

/** The most records of a list: Infinity for all; undefined when the operation is no list. */
type WantedRecords = number | undefined;

/** Reads *Return All* and *Limit*, which only lists have. */
export function wantedRecords(values: Values): WantedRecords {
	if (!('returnAll' in values)) return undefined;
	return isOn(values.returnAll) ? Infinity : Number(values.limit);
}

/**
 * Sends the request of an item, or the requests of its pages.
 *
 * @param concurrency the most pages that are requested at the same time
 * @param sendRequest sends one request and returns the body of the response
 * @returns the records of the responses, paired with the item
 * @throws {ServiceError} when a request failed
 */
export async function sendItem(
	item: number,
	request: IHttpRequestOptions,
	wanted: WantedRecords,
	concurrency: number,
	sendRequest: (request: IHttpRequestOptions) => Promise<IDataObject>,
): Promise<INodeExecutionData[]> {
	const toItem = (json: IDataObject) => ({ json, pairedItem: { item } });
	if (wanted === undefined) {
		const { message, data } = await sendRequest(request);
		return [toItem(isRecord(data) && Object.keys(data).length > 0 ? data : { message })];
	}
	const readEnvelope = async (page: number, perPage: number) =>
		await sendRequest({ ...request, qs: { ...request.qs, page, per_page: perPage } });
	return (await listRecords(readEnvelope, wanted, concurrency)).map(toItem);
}
