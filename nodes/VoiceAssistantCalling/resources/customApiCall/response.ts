import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../shared/client/errors';
import { isOn } from '../../../shared/fields/booleans';
import { isRecord } from '../../../shared/values/json';
import type { HandleResponse, ToItems } from '../operation';
import type { FullResponse } from './fullResponse';

/** The ID can be wrong, but here the method and the path can be too. */
function withOwnAdvice(error: unknown): unknown {
	if (!(error instanceof ServiceError) || !/^40[45]$/.test(error.httpCode ?? '')) return error;
	const { message, errors, httpCode, refused, omittedErrors } = error;
	return new ServiceError({
		message,
		errors,
		httpCode,
		refused,
		omittedErrors,
		nextStep:
			"Check 'Method' and 'Path', and the IDs in them. Your provider's documentation has the requests that it offers.",
	});
}

/** What an entry of a list, or a whole body, gives as an item. n8n takes no other item than an object. */
const asItem = (value: unknown): IDataObject =>
	isRecord(value) ? value : { data: value as IDataObject[string] };

/** A page of a list (contract: Paginated list envelope). A list that only looks like one would be cut. */
function toPage(body: unknown): IDataObject {
	if (isRecord(body) && 'last_page' in body && Array.isArray(body.data)) {
		return { ...body, data: body.data.map(asItem) };
	}
	throw new ServiceError({
		message: 'The response is no list with pages',
		nextStep: "Switch off 'Return All' for this request.",
	});
}

/**
 * Gives the whole response, or the page of a list if *Return All* reads the pages.
 *
 * @throws {ServiceError} when the request failed, or the response is no list
 */
export const handleResponse: HandleResponse = async (response, _request, { returnAll }) => {
	const full = await response.catch((error: unknown) => {
		throw withOwnAdvice(error);
	});
	return isOn(returnAll) ? toPage(full.body) : full;
};

/** The ID can be that of something else, such as the lead of an event. A page can only repeat a whole record. */
export const getKey = (record: IDataObject): unknown =>
	record.id === undefined ? undefined : JSON.stringify(record);

const isNothing = (value: unknown) =>
	value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** The records of a body: those of a list, one record, or what the service says. */
function toRecords(body: unknown): IDataObject[] {
	if (body === '' || body === null) return [{ success: true }];
	if (Array.isArray(body)) return body.map(asItem);
	if (!isRecord(body)) return [asItem(body)];
	const { data, ...others } = body;
	// A record can have a field of this name.
	if ('id' in body) return [body];
	if (isRecord(data) && !isNothing(data)) return [data];
	// The service also sends an empty list beside a message (contract: disable-webhook).
	if (Array.isArray(data) && (data.length > 0 || !('message' in body))) return data.map(asItem);
	return [isNothing(data) && !isNothing(others) ? others : body];
}

/** The items of a response that is a {@link FullResponse}. */
export const toItems: ToItems = (body, { fullResponse }) =>
	isOn(fullResponse) ? [body] : toRecords((body as FullResponse).body);
