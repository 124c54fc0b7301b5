import type { Field } from '../../fields/routing';

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
		displayName: 'To',
		name: 'to',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +4915112345678',
		description: 'International format, with the country code',
		routing: { send: { type: 'body', property: 'to' } },
	},
	{
		displayName: 'Message',
		name: 'body',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. Thank you for the call!',
		description: 'Up to 300 characters. Long messages are sent and charged as several segments.',
		routing: { send: { type: 'body', property: 'body' } },
	},
];
