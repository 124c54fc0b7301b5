import type { Field } from '../../fields/routing';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { phoneNumber } from '../common/phoneNumber';

export const fields: Field[] = [
	{
		displayName: 'From Phone Number ID',
		name: 'phoneNumberId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 3',
		description: 'ID of a phone number in your account that can send SMS. Your provider shows it.',
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
		routing: { send: { type: 'body', property: 'body' } },
	},
];
