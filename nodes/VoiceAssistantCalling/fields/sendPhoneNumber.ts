import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { CREDENTIAL } from '../../shared/client/credential';
import { InvalidInput } from '../../shared/client/errors';
import { internationalNumber } from '../../shared/fields/phoneNumbers';
import type { TextRule } from '../../shared/fields/textRule';
import { isEmpty } from '../../shared/fields/values';
import { asText, recordsIn } from '../../shared/values/json';
import { requestOptionLabel } from './fieldLabels';
import { getBody, type FieldRouting, type PreSend, type SendContext } from './routing';

/** A country code of one to three digits, also with + or 00 in front. */
const COUNTRY_CODE: TextRule = {
	pattern: '^(?:\\+|00)?[1-9][0-9]{0,2}$',
	problem: 'must be a country code, such as 49',
};

const OPTION = `'${requestOptionLabel('Default Country Code')}'`;

/** A code in digits. @param name of the field that has it */
function toDigits(value: unknown, name: string): string {
	const text = asText(value).trim();
	if (new RegExp(COUNTRY_CODE.pattern ?? '').test(text)) return text.replace(/^(\+|00)/, '');
	throw new InvalidInput({
		message: `${name} ${COUNTRY_CODE.problem}`,
		nextStep: `The value is: ${text}. Nothing was sent for this item.`,
	});
}

/**
 * The country code of phone numbers that have none, in digits; empty when the user set none. The node's
 * option counts before the credential's field. Each item can have another one.
 *
 * @throws {InvalidInput} when the code is none
 */
export async function defaultCountryCode(context: SendContext): Promise<string> {
	const option = context.getNodeParameter('requestOptions.defaultCountryCode', '');
	if (!isEmpty(option)) return toDigits(option, OPTION);
	const { defaultCountryCode: code } = await context.getCredentials(CREDENTIAL);
	return isEmpty(code) ? '' : toDigits(code, 'The Default Country Code of the credential');
}

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
			: { ...request, body: withInternationalNumber(getBody(request), property, code) };
	};
	return { send: { type, property, preSend: [toInternational] } };
}

/** Phone numbers by their paths in a request: `secondary_contacts.0.phone_number`. */
export type SentPhoneNumbers = Record<string, string>;

const findNumbers = (values: IDataObject, prefix = ''): SentPhoneNumbers =>
	Object.fromEntries(
		['phone_number', 'to']
			.map((name): [string, unknown] => [prefix + name, values[name]])
			.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
	);

/** The phone numbers of a request (contract: create and update lead, send SMS, list calls). */
export function sentPhoneNumbers(request: IHttpRequestOptions): SentPhoneNumbers {
	const body = getBody(request);
	const contacts = recordsIn(body.secondary_contacts).map((contact, index) =>
		findNumbers(contact, `secondary_contacts.${index}.`),
	);
	return Object.assign(
		{},
		findNumbers({ ...request.qs, ...body }),
		...contacts,
	) as SentPhoneNumbers;
}
