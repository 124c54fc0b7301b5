import type { Field } from '../../../fields/routing';

const postCallSchema: Field = {
	displayName: 'Post Call Schema',
	name: 'postCallSchema',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Value' },
	placeholder: 'Add Value',
	default: {},
	description:
		'Values that the assistant finds out in the conversation. They arrive as variables of the call. They replace all values that the assistant has.',
	routing: { send: { type: 'body', property: 'post_call_schema' } },
	options: [
		{
			displayName: 'Value',
			name: 'value',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. appointment_booked',
					description: 'Letters, digits and underscores',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					default: 'string',
					options: [
						{ name: 'Number', value: 'number' },
						{ name: 'Text', value: 'string' },
						{ name: 'True or False', value: 'bool' },
					],
				},
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. Whether an appointment was booked',
				},
			],
		},
	],
};

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
		postCallSchema,
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
				'Whether only completed calls are sent, not busy, unanswered or failed ones. Assumed default: off.',
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
			routing: { send: { type: 'body', property: 'webhook_url' } },
		},
	],
};
