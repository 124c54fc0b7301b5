import { parseCreated } from '../../../shared/client/response';
import { limits } from '../../../shared/fields/limits';
import { required } from '../../../shared/pickers/locator';
import { recordShapes } from '../../../shared/records/recordShapes';
import { asText } from '../../../shared/values/json';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { phoneNumberField } from '../common/phoneNumberField';
import { phoneNumberLocator } from '../common/phoneNumberLocator';
import type { Operation } from '../operation';
import { countSegments, describeSegments, getEncoding } from './countSegments';

const message = limits.sendSms.body;

export const send: Operation = {
	name: 'Send',
	action: 'Send paid SMS',
	description: 'Send a text message. It costs money, depending on segments and destination.',
	request: { method: 'POST', url: '/user/sms' },
	record: recordShapes.smsMessage,
	fields: [
		{
			...required(
				phoneNumberLocator('searchSmsPhoneNumbers'),
				'A phone number of your account that can send SMS',
			),
			displayName: 'From Phone Number',
			routing: { send: { type: 'body', property: 'from' } },
		},
		{
			...phoneNumberField,
			displayName: 'To Phone Number',
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
			rule: message,
			description: `Up to ${message.maxLength} characters. One segment has up to 160; in a longer text each has 153. With a character that is in no alphabet of SMS, such as ’ or an emoji, it is 70 and 67.`,
			hint: 'Each message costs money, by its segments and destination',
			routing: { send: { type: 'body', property: 'body' } },
		},
	],
	reachesPeople: true,
	getCost({ body }) {
		const text = asText(body);
		return { cost: describeSegments(text), segments: countSegments(text), ...getEncoding(text) };
	},
	parseResponse: parseCreated,
	output: {
		toItem: (sms, { body }) => ({ ...sms, ...getEncoding(asText(body)) }),
		added: { encoding: { type: 'string' }, unicode_character: { type: ['string', 'null'] } },
	},
};
