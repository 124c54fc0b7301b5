import type { IWebhookFunctions } from 'n8n-workflow';

import { isDeeperThan, MAX_LEVELS, parseJson } from '../values/json';

/** The value of a text that is JSON, unless n8n could not store it; else what it is instead. */
function fromJson(text: string, otherwise: unknown): unknown {
	try {
		const value = parseJson(text.replace(/^\uFEFF/, ''));
		return isDeeperThan(MAX_LEVELS, value) ? text : value;
	} catch {
		return otherwise;
	}
}

/**
 * The body of a request to a trigger: JSON whatever its type is, else the fields of a form, else the text.
 * n8n leaves the body of any other type unread (n8n.md#bodies-that-n8n-reads), and rounds whole
 * numbers from 2^53 in JSON, which are texts here. It gives the parts of a form (multipart/form-data) as
 * `{ data, files }`; here they are the fields of one object.
 *
 * @throws what n8n throws for a body that is too large or cut off
 */
export async function receivedBody(context: IWebhookFunctions): Promise<unknown> {
	const request = context.getRequestObject();
	if (request.contentType === 'multipart/form-data') {
		const { data, files } = context.getBodyData();
		return { ...(files as object), ...(data as object) };
	}
	await request.readRawBody();
	const encoding = Buffer.isEncoding(request.encoding) ? request.encoding : 'utf8';
	const text = request.rawBody.toString(encoding);
	const isForm = request.contentType === 'application/x-www-form-urlencoded';
	return fromJson(text, isForm && text !== '' ? request.body : text);
}
