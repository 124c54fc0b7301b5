import type { IDataObject } from 'n8n-workflow';

import { internationalNumber } from '../../../shared/fields/phoneNumbers';
import { isEmpty } from '../../../shared/fields/values';
import { asText, recordsIn } from '../../../shared/values/json';
import { getBody, type PreSend } from '../../fields/routing';
import { defaultCountryCode } from '../../fields/sendPhoneNumber';

/** Converts one contact to the shape of the request (contract: create lead). */
function toContact(
	{ phoneNumber, customerName, email, variables }: IDataObject,
	countryCode: string,
): IDataObject {
	const own = {
		...(variables as IDataObject | undefined),
		...(isEmpty(customerName) ? {} : { customer_name: asText(customerName) }),
		...(isEmpty(email) ? {} : { email }),
	};
	return {
		phone_number: internationalNumber(phoneNumber ?? '', countryCode),
		...(Object.keys(own).length > 0 && { variables: own }),
	};
}

/** Converts the contacts to the shape of the request. */
export const toSecondaryContacts: PreSend = async function (request) {
	const { secondary_contacts: entered, ...body } = getBody(request);
	const entries = recordsIn(entered);
	if (entries.length === 0) return { ...request, body };
	const countryCode = await defaultCountryCode(this);
	const contacts = entries.map((entry) => toContact(entry, countryCode));
	return { ...request, body: { ...body, secondary_contacts: contacts } };
};
