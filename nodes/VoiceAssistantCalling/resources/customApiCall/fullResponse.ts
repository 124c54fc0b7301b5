import type { GenericValue, IDataObject } from 'n8n-workflow';

import { isWebPage } from '../../../shared/client/errorBody';
import type { Failure } from '../../../shared/client/failedRequest';
import {
	getFailure,
	isText,
	unusableFailure,
	type ParseResponse,
	type Response,
} from '../../../shared/client/response';
import { asText } from '../../../shared/values/json';
import { serviceText } from '../../../shared/values/serviceText';

/** A successful response, with names as n8n's *HTTP Request* gives them. */
export interface FullResponse extends IDataObject {
	statusCode: number;
	headers: IDataObject;
	/** JSON of any kind, or text; empty when there is no body. */
	body: GenericValue | IDataObject | GenericValue[];
}

/** The names of headers that can carry a secret, such as `set-cookie` and `x-auth-token`. */
const SECRET =
	/(^|[-_])(cookie2?|(x?auth|access|csrf|xsrf)?token|auth|authorization|authenticate|authentication|credentials?|csrf|xsrf|jwt|secret|session(id)?|key|apikey|password)([-_]|$)/i;

/** A longer header says nothing that a workflow needs. */
const MAX_HEADER_LENGTH = 8_000;

/** The headers that n8n may store and show: without secrets, and without the API token. */
const shownHeaders = (headers: Response['headers'], secret: string): IDataObject =>
	Object.fromEntries(
		Object.entries(headers)
			.filter(([name]) => !SECRET.test(name))
			.map(([name, value]) => [
				name,
				serviceText([value].flat().map(asText).join(', '), secret, MAX_HEADER_LENGTH),
			]),
	);

/** A file is no text, and would be broken as one. */
function fileFailure({ statusCode, headers, body }: Response): Failure | undefined {
	const type = asText(headers['content-type']).trim();
	if (typeof body !== 'string' || body === '' || /^$|^text\/|json/i.test(type)) return undefined;
	return {
		message: 'The service answered with a file instead of data',
		advice: "Use n8n's node HTTP Request with this credential for files.",
		httpCode: String(statusCode),
		received: 'yes',
	};
}

/**
 * Parses a response whose body can be JSON of any kind or nothing, and that of a read also a text. A page is
 * what something in front of the service sends.
 *
 * @returns a {@link FullResponse} as the body
 */
export const parseFullResponse: ParseResponse = (response, secret) => {
	const { statusCode, headers, body, isRead = false } = response;
	const isUnusable = isWebPage(body) || (!isRead && isText(response));
	const failure =
		getFailure(response, secret) ??
		(isUnusable ? unusableFailure(response, secret) : fileFailure(response));
	if (failure) return { failure };
	const full = { statusCode, headers: shownHeaders(headers, secret), body } as FullResponse;
	return { body: full };
};
