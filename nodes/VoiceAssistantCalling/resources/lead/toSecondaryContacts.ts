import type { IDataObject } from 'n8n-workflow';

import { asText, recordsIn } from '../../../shared/client/json';
import { bodyOf, type PreSend } from '../../fields/routing';
import { isEmpty } from '../../fields/toWireTypes';

/** Converts one contact to the shape of the request (contract: create lead). */
function toContact({ phoneNumber, customerName, email, variables }: IDataObject): IDataObject {
	const own = {
		...(variables as IDataObject | undefined),
		...(isEmpty(customerName) ? {} : { customer_name: asText(customerName) }),
		...(isEmpty(email) ? {} : { email }),
	};
	return {
		phone_number: asText(phoneNumber),
		...(Object.keys(own).length > 0 && { variables: own }),
	};
}

/** Converts the contacts to the shape of the request. */
export const toSecondaryContacts: PreSend = (request) => {
	const { secondary_contacts: entered, ...body } = bodyOf(request);
	const contacts = recordsIn(entered).map(toContact);
	const sent = contacts.length > 0 ? { ...body, secondary_contacts: contacts } : body;
	return Promise.resolve({ ...request, body: sent });
};
