import type { INodeProperties } from 'n8n-workflow';

import { startWhenLate } from '../shared/answers/startInTime';
import { assistantLocator } from '../shared/assistants/locators';
import { callTypes } from '../shared/calls/callTypes';
import { required } from '../shared/pickers/locator';
import { fallbackFields } from './fallback';
import { leaveOutField } from './leaveOut';

const triggerOnField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'options',
	description: 'What starts the workflow',
	options: [
		{
			name: 'Call Completed',
			value: 'callCompleted',
			description:
				"A call has ended, in either direction. Most assistants report completed calls only: for calls that nobody answered, add 'Only Completed Calls' under 'Options' and switch it off.",
		},
		{
			name: 'Inbound Call Completed',
			value: 'inboundCallCompleted',
			description:
				"A call to the assistant has ended. Only for providers that report such calls at the inbound webhook. If yours asks there before the call, use 'Call Completed' with the filter Direction inbound.",
		},
		{
			name: 'Inbound Call Starting',
			value: 'inboundCallStarting',
			description:
				"Somebody calls the assistant, and the service asks for variables before it answers. End the workflow with 'Call → Respond'. For providers that ask at the inbound webhook.",
		},
	],
	default: 'callCompleted',
};

const directionField: INodeProperties = {
	displayName: 'Direction',
	name: 'directions',
	type: 'multiOptions',
	default: [],
	options: callTypes,
	description: 'Only calls in these directions',
};

/** The collection *Filters* of the trigger; see `passesFilters`. */
export const filterFields: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description:
		'Only matching calls start the workflow. A call that lacks the field of a filter passes it.',
	options: [
		{
			displayName: 'Campaign ID',
			name: 'campaignId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 7',
			description: 'Only calls of this campaign',
		},
		directionField,
		{
			displayName: 'Minimum Duration (Seconds)',
			name: 'minimumDuration',
			type: 'number',
			default: 10,
			typeOptions: { minValue: 0 },
			description: 'Only calls that lasted at least this long',
		},
		{
			displayName: 'Outcome',
			name: 'outcomes',
			type: 'multiOptions',
			default: [],
			options: [
				{ name: 'Answered', value: 'answered' },
				{ name: 'Busy', value: 'busy' },
				{ name: 'Failed', value: 'failed' },
				{ name: 'No Answer', value: 'no-answer' },
				{
					name: 'Unknown',
					value: 'unknown',
					description: 'The service sends a status that this node does not know',
				},
				{ name: 'Voicemail', value: 'voicemail' },
			],
			description:
				'Only calls that ended like this. If the service does not say who answered, Answered and Voicemail each let both pass. The action Call → Get says it.',
		},
	],
};

/** What concerns calls that are over. */
const OVER = ['callCompleted', 'inboundCallCompleted'];

/** These settings of the assistant concern its post-call webhook only (contract: Events). */
const postCallOnly = { show: { '/triggerOn': ['callCompleted'] } };

/** The collection *Options* of the trigger. */
export const optionFields: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'What the service sends, and what the workflow gets',
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
		{
			displayName: 'Start on Repeated Deliveries',
			name: 'repeatedDeliveries',
			type: 'boolean',
			default: true,
			displayOptions: { show: { '/triggerOn': OVER } },
			description:
				'Whether the workflow starts again when a delivery comes again within a day that says nothing new of its call. Without this option, it does not. A delivery that says more, such as a recording, always starts it. n8n forgets earlier deliveries when it is restarted or the workflow changes, and each of several webhook processes knows only its own.',
		},
		{ ...startWhenLate, displayOptions: { show: { '/triggerOn': ['inboundCallStarting'] } } },
	],
};

/** In the order of the screen. */
export const fields: INodeProperties[] = [
	triggerOnField,
	required(
		assistantLocator,
		'The trigger registers itself at this assistant when the workflow is published. For each event, an assistant can serve one workflow only.',
	),
	...fallbackFields,
	{ ...filterFields, displayOptions: { show: { triggerOn: OVER } } },
	{ ...leaveOutField, displayOptions: { show: { triggerOn: OVER } } },
	optionFields,
];
