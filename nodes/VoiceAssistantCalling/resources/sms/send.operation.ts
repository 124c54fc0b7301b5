import type { Field } from '../../fields/routing';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { phoneNumber } from '../common/phoneNumber';
import { phoneNumberLocator } from '../common/phoneNumberLocator';

export const fields: Field[] = [
	{
		...phoneNumberLocator,
		displayName: 'From Phone Number',
		required: true,
		description: 'A phone number of your account that can send SMS',
		routing: { send: { type: 'body', property: 'from' } },
	},
	{
		...phoneNumber,
		displayName: 'To',
		name: 'to',
		required: true,
		routing: sendPhoneNumber('body', 'to'),
	},
	{
		displayName: 'Message',
		name: 'body',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. Thank you for the call!',
		rule: { maxLength: 300 },
		description: 'Up to 300 characters. Long messages are sent and charged as several segments.',
		hint: 'Each message costs money, by its segments and destination',
		routing: { send: { type: 'body', property: 'body' } },
	},
];
