import type { INodeProperties } from 'n8n-workflow';

import { sendNumber, sendText } from '../common/send';

export const fields: INodeProperties[] = [
	{
		displayName: 'From Phone Number ID',
		name: 'phoneNumberId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 3',
		description: 'ID of a phone number of your account that can send SMS; your provider shows it',
		routing: sendNumber('from'),
	},
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +4915112345678',
		description: 'International format, with the country code',
		routing: sendText('to'),
	},
	{
		displayName: 'Message',
		name: 'body',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. Thank you for the call!',
		description: 'Up to 300 characters. Long messages are sent, and charged, in several segments.',
		routing: sendText('body'),
	},
];
