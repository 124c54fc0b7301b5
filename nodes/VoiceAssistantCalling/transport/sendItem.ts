import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { isRecord } from '../../shared/client/json';
import { isOn, type Values } from '../fields/fieldValues';
import { listRecords } from './listRecords';

/** How many records of a list are wanted: Infinity for all, undefined for no list. */
export type WantedRecords = number | undefined;

/** Reads from Return All and Limit how many records are wanted; only lists have the two fields. */
export function wantedRecords(values: Values): WantedRecords {
	if (!('returnAll' in values)) return undefined;
	return isOn(values.returnAll) ? Infinity : Number(values.limit);
}

/**
 * Sends the request of an item, or the requests of its pages.
 *
 * @param request as it was built
 * @param atOnce how many pages may be asked for at once
 * @param send sends one request and gives the body of the response
 * @returns the records that came back, paired with the item
 * @throws {ServiceError} what became of the request
 */
export async function sendItem(
	item: number,
	request: IHttpRequestOptions,
	wanted: WantedRecords,
	atOnce: number,
	send: (request: IHttpRequestOptions) => Promise<IDataObject>,
): Promise<INodeExecutionData[]> {
	const toItem = (json: IDataObject) => ({ json, pairedItem: { item } });
	if (wanted === undefined) {
		const { message, data } = await send(request);
		return [toItem(isRecord(data) && Object.keys(data).length > 0 ? data : { message })];
	}
	const readPage = async (page: number, perPage: number) =>
		await send({ ...request, qs: { ...request.qs, page, per_page: perPage } });
	return (await listRecords(readPage, wanted, atOnce)).map(toItem);
}
