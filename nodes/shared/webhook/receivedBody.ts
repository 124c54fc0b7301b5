import type { IWebhookFunctions } from 'n8n-workflow';

import { isRecord, mayBeInexact, parseJson } from '../client/json';

const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * The body of a request to a trigger. n8n parses it, with two differences (n8n 2.0, 2.41):
 *
 * - It rounds whole numbers from 2^53. They are read from the raw text, which n8n keeps, and become texts.
 * - It gives the parts of a form (multipart/form-data) as `{ data, files }`. Here they are the fields of one
 *   object, as in every other body.
 */
export function receivedBody(context: IWebhookFunctions): unknown {
	const body: unknown = context.getBodyData();
	const { contentType, encoding, rawBody } = context.getRequestObject();
	if (contentType === 'multipart/form-data' && isRecord(body)) {
		return { ...(body.files as object), ...(body.data as object) };
	}
	if (contentType !== 'application/json') return body;
	const text = rawBody.toString(encoding);
	return mayBeInexact(text) ? parseJson(text.replace(BYTE_ORDER_MARK, '')) : body;
}
