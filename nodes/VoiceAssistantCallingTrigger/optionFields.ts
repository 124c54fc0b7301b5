import type { INodeProperties } from 'n8n-workflow';

/** These settings of the assistant concern its post-call webhook only (contract: Events). */
const postCallOnly = { show: { '/triggerOn': ['callCompleted'] } };

/** The collection *Options* of the trigger. */
export const optionFields: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Include Recording',
			name: 'includeRecording',
			type: 'boolean',
			default: true,
			displayOptions: postCallOnly,
			description:
				"Whether the assistant sends the URL of the recording with each call. Publishing changes this setting of the assistant, and unpublishing puts it back. Without this option, the assistant's setting stays.",
		},
		{
			displayName: 'Only Completed Calls',
			name: 'onlyCompletedCalls',
			type: 'boolean',
			default: true,
			displayOptions: postCallOnly,
			description:
				"Whether the assistant sends only completed calls, not busy, unanswered or failed ones. Whether calls that a voicemail answered are sent is not documented. Publishing changes this setting of the assistant, and unpublishing puts it back. Without this option, the assistant's setting stays.",
		},
		{
			displayName: 'Replace Existing Webhook',
			name: 'replaceExisting',
			type: 'boolean',
			default: false,
			description:
				'Whether to take over the webhook URL of another system, which then receives no calls. Unpublishing puts it back. Listening for a test event never replaces a webhook URL.',
		},
	],
};
