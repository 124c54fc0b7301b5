import { assistantLocator } from '../../../shared/assistants/assistantLocators';
import {
	parseResponse,
	unusableFailure,
	type ParseResponse,
} from '../../../shared/client/response';
import { required } from '../../../shared/pickers/locator';
import { isRecord } from '../../../shared/values/json';
import { sendPhoneNumber } from '../../fields/sendPhoneNumber';
import { phoneNumberField } from '../common/phoneNumberField';
import { variables } from '../common/variables';
import type { Operation } from '../operation';

/** Some answers have the ID of the call, others only a message (public-service: make_call; S1; S2, S12a). */
const parseCall: ParseResponse = (response, secret) => {
	const parsed = parseResponse(response, secret);
	if ('failure' in parsed || isRecord(response.body)) return parsed;
	return { failure: unusableFailure(response, secret, 'without saying whether it calls') };
};

export const make: Operation = {
	name: 'Make',
	action: 'Make paid call',
	description: 'Call a person now, without a campaign. The call costs money.',
	request: { method: 'POST', url: '/user/make_call' },
	notInContract: {
		wayRound:
			"Add the person to a campaign with 'Lead → Create', and start the campaign with 'Campaign → Start'.",
		notFound: 'Assistant not found',
	},
	fields: [
		{
			...required(assistantLocator, 'The assistant that calls, one for outbound calls'),
			routing: { send: { type: 'body', property: 'assistant_id' } },
		},
		{
			...phoneNumberField,
			required: true,
			hint: 'The person is called at once, which costs money',
			routing: sendPhoneNumber('body', 'phone_number'),
		},
		...variables('Custom values that the assistant can use in the conversation'),
	],
	reachesPeople: true,
	getCost: () => ({ cost: 'a call' }),
	parseResponse: parseCall,
};
