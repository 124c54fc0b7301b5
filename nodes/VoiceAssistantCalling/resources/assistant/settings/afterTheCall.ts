import { WEB_ADDRESS } from '../../../../shared/fields/textRule';
import type { Field } from '../../../fields/routing';

export const afterTheCall: Field = {
	displayName: 'After the Call',
	name: 'afterTheCall',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'What happens with the results of a call',
	options: [
		{
			displayName: 'Include Recording in Webhook',
			name: 'includeRecordingInWebhook',
			type: 'boolean',
			default: true,
			description: 'Whether the webhook contains the URL of the recording. Assumed default: off.',
			routing: { send: { type: 'body', property: 'include_recording_in_webhook' } },
		},
		{
			displayName: 'Post Call Evaluation',
			name: 'postCallEvaluation',
			type: 'boolean',
			default: true,
			description: 'Whether each call is evaluated when it is over. Assumed default: on.',
			routing: { send: { type: 'body', property: 'post_call_evaluation' } },
		},
		{
			displayName: 'Webhook Active',
			name: 'isWebhookActive',
			type: 'boolean',
			default: true,
			description:
				"Whether to send calls to 'Webhook URL', which is then required. Assumed default: off.",
			routing: { send: { type: 'body', property: 'is_webhook_active' } },
		},
		{
			displayName: 'Webhook Only on Completed',
			name: 'sendWebhookOnlyOnCompleted',
			type: 'boolean',
			default: true,
			description:
				'Whether only completed calls are sent, not busy, unanswered or failed ones. Whether calls that a voicemail answered are sent is not documented. Assumed default: off.',
			routing: { send: { type: 'body', property: 'send_webhook_only_on_completed' } },
		},
		{
			displayName: 'Webhook URL',
			name: 'webhookUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/calls',
			description:
				'URL that receives each call when it is over. To start a workflow, use the Voice Assistant Calling Trigger instead: it sets this URL itself.',
			rule: WEB_ADDRESS,
			routing: { send: { type: 'body', property: 'webhook_url' } },
		},
	],
};
