import type { IWebhookFunctions } from 'n8n-workflow';

import { fromJsonText, isRecord } from '../values/json';

/** JSON that is sent as a form without a name becomes the name of the only field. */
function fromOnlyName(form: unknown): unknown {
	const [name, ...others] = isRecord(form) ? Object.keys(form) : [];
	return name === undefined || others.length > 0 ? form : (jsonIn(name) ?? form);
}

function jsonIn(text: string): unknown {
	const content = fromJsonText(text);
	return content === text ? undefined : content;
}

/**
 * The body of a request to a trigger: JSON whatever its type is, or what n8n makes of a form, XML or a text.
 * n8n leaves the body of any other type unread (n8n 2.0, 2.41, for node versions above 1), and rounds whole
 * numbers from 2^53 in JSON, which are texts here. It gives the parts of a form (multipart/form-data) as
 * `{ data, files }`; here they are the fields of one object, as in every other body.
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
	const body: unknown = request.body;
	return jsonIn(text) ?? fromOnlyName(body === undefined ? text : body);
}
