import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { asText, isRecord } from '../../shared/client/json';
import { isOn, picked, type Values } from '../fields/fieldValues';
import type { Operation } from '../resources';
import type { OneOfList } from '../resources/resource';
import { findRecord } from './findRecord';
import { listRecords } from './listRecords';

/** What an operation reads: up to a number of records of a list, or one of its records. */
type Wanted = { records: number } | { id: string; oneOfList: OneOfList };

/** Tells which records an operation reads; undefined when it makes a single request. */
export function wantedRecords({ oneOfList }: Operation, values: Values): Wanted | undefined {
	if (oneOfList) return { id: asText(picked(values[oneOfList.idField])), oneOfList };
	if (!('returnAll' in values)) return undefined;
	return { records: isOn(values.returnAll) ? Infinity : Number(values.limit) };
}

/**
 * Sends the request of an item, or the requests of its pages.
 *
 * @param concurrency the most pages that are requested at the same time
 * @param sendRequest sends one request and returns the body of the response
 * @returns the records of the responses, paired with the item
 * @throws {ServiceError} when a request failed, or the list does not have the wanted record
 */
export async function sendItem(
	item: number,
	request: IHttpRequestOptions,
	wanted: Wanted | undefined,
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
	if ('records' in wanted) {
		return (await listRecords(readEnvelope, wanted.records, concurrency)).map(toItem);
	}
	const { notFound, toOutput } = wanted.oneOfList;
	return [toItem(toOutput(await findRecord(readEnvelope, wanted.id, notFound)))];
}
