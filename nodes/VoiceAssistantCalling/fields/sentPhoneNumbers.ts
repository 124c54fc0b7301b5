import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { recordsIn } from '../../shared/client/json';
import { bodyOf } from './routing';

/** Phone numbers by their paths in a request: `secondary_contacts.0.phone_number`. */
export type SentPhoneNumbers = Record<string, string>;

const numbersIn = (values: IDataObject, prefix = ''): SentPhoneNumbers =>
	Object.fromEntries(
		['phone_number', 'to']
			.map((name): [string, unknown] => [prefix + name, values[name]])
			.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
	);

/** The phone numbers of a request (contract: create and update lead, send SMS, list calls). */
export function sentPhoneNumbers(request: IHttpRequestOptions): SentPhoneNumbers {
	const body = bodyOf(request);
	const contacts = recordsIn(body.secondary_contacts).map((contact, index) =>
		numbersIn(contact, `secondary_contacts.${index}.`),
	);
	return Object.assign({}, numbersIn({ ...request.qs, ...body }), ...contacts) as SentPhoneNumbers;
}
