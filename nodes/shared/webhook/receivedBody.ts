import type { IWebhookFunctions } from 'n8n-workflow';

import { fromJsonText, isRecord } from '../values/json';

const MAX_LEVELS = 10;

type Level = Map<string, unknown>;

const isLevel = (value: unknown): value is Level => value instanceof Map;

/** Unlike an assignment, it keeps a field that is named `__proto__`. */
const toObject = (level: Level): object =>
	Object.fromEntries(
		[...level].map(([name, value]) => [name, isLevel(value) ? toObject(value) : value]),
	);

/** The objects in a form, as PHP and Rails write them: `call[id]=7`, `calls[0][id]=7`. */
function withObjects(form: unknown): unknown {
	if (!isRecord(form)) return form;
	const body: Level = new Map();
	for (const [name, value] of Object.entries(form)) {
		const names = /[^[]\]$/.test(name) ? name.split(/[[\]]+/).filter(Boolean) : [];
		const path = names.length > MAX_LEVELS ? [] : names;
		const last = path.pop() ?? name;
		let level = body;
		for (const key of path) {
			const inner = level.get(key);
			const next = isLevel(inner) ? inner : new Map<string, unknown>();
			level.set(key, next);
			level = next;
		}
		level.set(last, value);
	}
	return toObject(body);
}

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
		return withObjects({ ...(files as object), ...(data as object) });
	}
	await request.readRawBody();
	const encoding = Buffer.isEncoding(request.encoding) ? request.encoding : 'utf8';
	const text = request.rawBody.toString(encoding);
	const body: unknown = request.body;
	return jsonIn(text) ?? withObjects(fromOnlyName(body === undefined ? text : body));
}
