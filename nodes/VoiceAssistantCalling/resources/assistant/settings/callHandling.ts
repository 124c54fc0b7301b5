import type { INodeProperties } from 'n8n-workflow';

import { sendNumber, sendSwitch, sendTextIn } from '../../common/send';

/** On which number, how long, and when a call ends. */
export const callHandling: INodeProperties = {
	displayName: 'Call Handling',
	name: 'callHandling',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	options: [
		{
			displayName: 'End Call on Voicemail',
			name: 'endCallOnVoicemail',
			type: 'boolean',
			default: true,
			description: 'Whether to hang up when a voicemail answers',
			routing: sendSwitch('end_call_on_voicemail'),
		},
		{
			displayName: 'End Call Tool Description',
			name: 'endCallToolDescription',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. End the call when the person says goodbye',
			description: 'When the assistant should hang up by itself, up to 500 characters',
			routing: sendTextIn('end_call_tool', 'description'),
		},
		{
			displayName: 'Max Call Duration (Seconds)',
			name: 'maxCallDuration',
			type: 'number',
			typeOptions: { minValue: 20, maxValue: 1200, numberPrecision: 0 },
			default: 600,
			description: 'After how many seconds a call is ended, from 20 to 1200',
			routing: sendNumber('max_call_duration'),
		},
		{
			displayName: 'Max Silence (Seconds)',
			name: 'maxSilenceDuration',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 120, numberPrecision: 0 },
			default: 40,
			description: 'After how many seconds of silence a call is ended, from 1 to 120',
			routing: sendNumber('max_silence_duration'),
		},
		{
			displayName: 'Phone Number ID',
			name: 'phoneNumberId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 3',
			description: 'ID of a phone number of your account that the assistant calls from or answers',
			routing: sendNumber('phone_number_id'),
		},
		{
			displayName: 'Record Call',
			name: 'recordCall',
			type: 'boolean',
			default: true,
			description: 'Whether calls are recorded',
			routing: sendSwitch('record_call'),
		},
	],
};
