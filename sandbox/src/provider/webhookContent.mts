import type { Assumptions } from '../contract/assumptions.mts';
import type { Fields } from './values.mts';

export interface WebhookContent {
	/** The `Content-Type`; undefined when there is none. */
	type: string | undefined;
	text: string;
}

const FORM = 'application/x-www-form-urlencoded';

/** The body of a webhook as the provider writes it (assumption: webhook-content). */
export function webhookContent(
	body: Fields | Fields[],
	{ 'webhook-content': form }: Assumptions,
): WebhookContent {
	const json = JSON.stringify(body);
	switch (form) {
		case 'json':
			return { type: 'application/json', text: json };
		case 'text':
			return { type: 'text/plain', text: json };
		case 'untyped':
			return { type: undefined, text: json };
		case 'form':
			return { type: FORM, text: new URLSearchParams({ payload: json }).toString() };
		case 'form-fields':
			return { type: FORM, text: new URLSearchParams(formFields(body)).toString() };
		case 'json-text':
			return { type: 'application/json', text: JSON.stringify(json) };
	}
}

/** Each value under its path, `lead[id]`. A form has no null, and 1 and 0 for booleans. */
function formFields(value: object, path = ''): Array<[name: string, value: string]> {
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
		const name = path === '' ? key : `${path}[${key}]`;
		if (inner === null) return [];
		if (typeof inner === 'object') return formFields(inner, name);
		if (typeof inner === 'string') return [[name, inner]];
		return [[name, JSON.stringify(typeof inner === 'boolean' ? Number(inner) : inner)]];
	});
}
