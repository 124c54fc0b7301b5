import type { IDataObject } from 'n8n-workflow';

import {
	getFailure,
	isText,
	unusableFailure,
	type ParseResponse,
} from '../../../shared/client/response';
import { isOn } from '../../../shared/fields/booleans';
import { isRecord } from '../../../shared/values/json';
import type { ToItems } from '../operation';

/** The ID can be wrong, but here the method and the path can be too. */
const CHECK_REQUEST =
	"Check 'Method' and 'Path', and the IDs in them. Your provider's documentation has the requests that it offers.";

const NO_JSON =
	"Check 'Path'. For texts and files, use n8n's node HTTP Request with this credential.";

/**
 * Parses a response whose body can be JSON of any kind, or nothing.
 *
 * @returns the status and the body under the names that n8n's *HTTP Request* gives them
 */
export const parseFullResponse: ParseResponse = (response, secret) => {
	const { statusCode, body, isRead } = response;
	const failure = getFailure(response, secret);
	if (failure) {
		const isNotThere = statusCode === 404 || statusCode === 405;
		return { failure: isNotThere ? { ...failure, advice: CHECK_REQUEST } : failure };
	}
	if (isText(response)) {
		const unusable = unusableFailure(response, secret);
		return { failure: isRead ? { ...unusable, advice: NO_JSON } : unusable };
	}
	return { body: { statusCode, body: body as IDataObject } };
};

/** What an entry of a list, or a whole body, gives as an item. n8n takes no other item than an object. */
const asItem = (value: unknown): IDataObject =>
	isRecord(value) ? value : { data: value as IDataObject[string] };

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

/** The items of a response as {@link parseFullResponse} gives it. */
export const toItems: ToItems = (full, { fullResponse }) =>
	isOn(fullResponse) ? [full] : toRecords(full.body);
