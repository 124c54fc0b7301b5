import { limits } from '../../../../shared/fields/limits';
import type { Field } from '../../../fields/routing';
import { builtInTools } from './builtInTools';
import { numberSetting, switchSetting } from './setting';
import { phoneNumberLocator } from '../../common/phoneNumberLocator';

const endCall = limits.createAssistant.end_call_tool.description;
const voicemail = limits.newerAssistant.voice_mail_message;

export const callHandling: Field = {
	displayName: 'Call Handling',
	name: 'callHandling',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How long calls last, when they end, and which phone number they use',
	options: [
		builtInTools,
		switchSetting('end_call_on_voicemail', {
			displayName: 'End Call on Voicemail',
			name: 'endCallOnVoicemail',
			description: 'Whether to hang up when a voicemail answers',
		}),
		{
			displayName: 'End Call Tool Description',
			name: 'endCallToolDescription',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. End the call when the person says goodbye',
			description: `When the assistant should hang up by itself, up to ${endCall.maxLength} characters`,
			rule: endCall,
			routing: { send: { type: 'body', property: 'end_call_tool.description' } },
		},
		numberSetting('max_call_duration', {
			displayName: 'Max Call Duration (Seconds)',
			name: 'maxCallDuration',
			description: 'After how many seconds a call ends',
		}),
		numberSetting(
			'max_silence_duration',
			{
				displayName: 'Max Silence (Seconds)',
				name: 'maxSilenceDuration',
				description: 'After how many seconds of silence a call ends',
			},
			` Some providers take ${limits.createAssistant.max_silence_duration.maxValue} at most.`,
		),
		{
			...phoneNumberLocator('searchPhoneNumbers'),
			description: 'The phone number of your account that the assistant calls from or answers',
			routing: { send: { type: 'body', property: 'phone_number_id' } },
		},
		switchSetting('record_call', {
			displayName: 'Record Call',
			name: 'recordCall',
			description: 'Whether calls are recorded',
		}),
		numberSetting(
			'ringing_time',
			{
				displayName: 'Ringing Time (Seconds)',
				name: 'ringingTime',
				description: 'After how many seconds of ringing a call counts as not answered',
			},
			' Some providers do not have it.',
		),
		{
			displayName: 'Voicemail Message',
			name: 'voicemailMessage',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. Hello, we will call again tomorrow.',
			description: `What the assistant leaves on a voicemail, up to ${voicemail.maxLength} characters. Some providers do not have it.`,
			rule: voicemail,
			routing: { send: { type: 'body', property: 'voice_mail_message' } },
		},
	],
};
