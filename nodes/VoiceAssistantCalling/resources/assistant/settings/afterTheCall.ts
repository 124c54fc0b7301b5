import type { Field } from '../../../fields/routing';
import { webhookUrlField } from '../fields';
import { switchSetting } from './setting';

export const afterTheCall: Field = {
	displayName: 'After the Call',
	name: 'afterTheCall',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'What happens with the results of a call',
	options: [
		switchSetting('include_recording_in_webhook', {
			displayName: 'Include Recording in Webhook',
			name: 'includeRecordingInWebhook',
			description: 'Whether the webhook contains the URL of the recording',
		}),
		switchSetting('post_call_evaluation', {
			displayName: 'Post Call Evaluation',
			name: 'postCallEvaluation',
			description: 'Whether each call is evaluated when it is over',
		}),
		switchSetting('is_webhook_active', {
			displayName: 'Webhook Active',
			name: 'isWebhookActive',
			description: "Whether to send calls to 'Webhook URL', which is then required",
		}),
		switchSetting('send_webhook_only_on_completed', {
			displayName: 'Webhook Only on Completed',
			name: 'sendWebhookOnlyOnCompleted',
			description:
				'Whether only completed calls are sent, not busy, unanswered or failed ones. Whether calls that a voicemail answered are sent is not documented',
		}),
		{
			...webhookUrlField,
			description:
				'URL that receives each call when it is over. To start a workflow, use the Voice Assistant Calling Trigger instead: it sets this URL itself.',
		},
	],
};
