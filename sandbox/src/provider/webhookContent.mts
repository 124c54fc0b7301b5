import type { Assumptions } from '../contract/assumptions.mts';
import type { Fields } from './values.mts';

export interface WebhookContent {
	/** The `Content-Type`; undefined when there is none. */
	type: string | undefined;
	text: string;
}

/** The body of a webhook as the provider writes it (assumption: webhook-content). */
export function webhookContent(
	body: Fields,
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
		case 'form': {
			const text = new URLSearchParams({ payload: json }).toString();
			return { type: 'application/x-www-form-urlencoded', text };
		}
		case 'json-text':
			return { type: 'application/json', text: JSON.stringify(json) };
	}
}
