import type { Field } from '../../../fields/routing';
import { phoneNumberLocator } from '../../common/phoneNumberLocator';

export const callHandling: Field = {
	displayName: 'Call Handling',
	name: 'callHandling',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How long calls last, when they end, and which phone number they use',
	options: [
		{
			displayName: 'End Call on Voicemail',
			name: 'endCallOnVoicemail',
			type: 'boolean',
			default: true,
			description: 'Whether to hang up when a voicemail answers. Assumed default: on.',
			routing: { send: { type: 'body', property: 'end_call_on_voicemail' } },
		},
		{
			displayName: 'End Call Tool Description',
			name: 'endCallToolDescription',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. End the call when the person says goodbye',
			description: 'When the assistant should hang up by itself, up to 500 characters',
			rule: { maxLength: 500 },
			routing: { send: { type: 'body', property: 'end_call_tool.description' } },
		},
		{
			displayName: 'Max Call Duration (Seconds)',
			name: 'maxCallDuration',
			type: 'number',
			typeOptions: { minValue: 20, maxValue: 1200, numberPrecision: 0 },
			default: 600,
			description: 'After how many seconds a call ends, from 20 to 1200. Assumed default: 600.',
			routing: { send: { type: 'body', property: 'max_call_duration' } },
		},
		{
			displayName: 'Max Silence (Seconds)',
			name: 'maxSilenceDuration',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 120, numberPrecision: 0 },
			default: 40,
			description:
				'After how many seconds of silence a call ends, from 1 to 120. Assumed default: 40.',
			routing: { send: { type: 'body', property: 'max_silence_duration' } },
		},
		{
			...phoneNumberLocator,
			description: 'The phone number of your account that the assistant calls from or answers',
			routing: { send: { type: 'body', property: 'phone_number_id' } },
		},
		{
			displayName: 'Record Call',
			name: 'recordCall',
			type: 'boolean',
			default: true,
			description: 'Whether calls are recorded. Assumed default: on.',
			routing: { send: { type: 'body', property: 'record_call' } },
		},
	],
};
