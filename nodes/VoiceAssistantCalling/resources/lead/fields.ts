import { EMAIL } from '../../../shared/fields/textRule';
import type { Field } from '../../fields/routing';

export const leadId: Field = {
	displayName: 'Lead ID',
	name: 'leadId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 42',
	description: "ID of the lead, as 'Lead → Create' and 'Lead → Get Many' return it",
};

/** The service defines these two variables of a lead itself (contract: Lead). */
export const customerName: Field = {
	displayName: 'Customer Name',
	name: 'customerName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'Name of the person, which the assistant can use',
	routing: { send: { type: 'body', property: 'variables.customer_name' } },
};

export const email: Field = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
	description: 'Email address of the person, which the assistant can use',
	rule: EMAIL,
	routing: { send: { type: 'body', property: 'variables.email' } },
};
