import type { INodeProperties } from 'n8n-workflow';

import { sendTextIn } from '../common/send';

/** The two variables of a lead that the service itself knows by name (contract: Lead). */
export const customerName: INodeProperties = {
	displayName: 'Customer Name',
	name: 'customerName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	routing: sendTextIn('variables', 'customer_name'),
};

export const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
	routing: sendTextIn('variables', 'email'),
};
