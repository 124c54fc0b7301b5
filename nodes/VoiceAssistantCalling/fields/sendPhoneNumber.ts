import type { IDataObject } from 'n8n-workflow';

import { isEmpty } from '../../shared/fields/isEmpty';
import { defaultCountryCode } from './defaultCountryCode';
import { internationalNumber } from './phoneNumbers';
import { bodyOf, type FieldRouting, type PreSend } from './routing';

/** Writes the phone number with this name in international form, if there is one. */
export const withInternationalNumber = (
	values: IDataObject,
	property: string,
	code: string,
): IDataObject =>
	isEmpty(values[property])
		? values
		: { ...values, [property]: internationalNumber(values[property], code) };

/**
 * The routing of a field with a phone number.
 *
 * @param property its name in the request
 */
export function sendPhoneNumber(type: 'body' | 'query', property: string): FieldRouting {
	const toInternational: PreSend = async function (request) {
		const code = await defaultCountryCode(this);
		return type === 'query'
			? { ...request, qs: withInternationalNumber(request.qs ?? {}, property, code) }
			: { ...request, body: withInternationalNumber(bodyOf(request), property, code) };
	};
	return { send: { type, property, preSend: [toInternational] } };
}
