import type { INodeProperties } from 'n8n-workflow';

import { startWhenLate } from '../shared/answers/startInTime';
import { assistantLocator } from '../shared/assistants/assistantLocators';
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
				"A call has ended, in either direction, also one that nobody answered: see 'Calls'",
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
				"Somebody calls the assistant, and the service asks for variables before it answers. The node 'Call → Respond' gives them. For providers that ask at the inbound webhook.",
		},
	],
	default: 'callCompleted',
};

/** New assistants send completed calls only (public-service: assistant-defaults; S1, S2). */
export const callsField: INodeProperties = {
	displayName: 'Calls',
	name: 'calls',
	type: 'options',
	displayOptions: { show: { triggerOn: ['callCompleted'] } },
	description:
		"Which calls the assistant sends. Publishing changes its setting 'Webhook Only on Completed', and unpublishing puts it back. Listening for a test event changes nothing.",
	options: [
		{ name: 'All', value: 'all', description: 'Also busy, unanswered and failed ones' },
		{
			name: 'Only Completed',
			value: 'onlyCompleted',
			description: 'Whether a voicemail counts as completed is not documented',
		},
		{
			name: 'As the Assistant Has It',
			value: 'asAssistant',
			description: "The assistant's setting stays. A new assistant sends completed calls only.",
		},
	],
	default: 'all',
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
			displayName: 'Recording',
			name: 'recording',
			type: 'options',
			displayOptions: { show: { '/triggerOn': ['callCompleted'] } },
			description:
				"Whether the assistant sends the URL of the recording with each call. Publishing changes its setting 'Include Recording in Webhook', and unpublishing puts it back. Without this option, it stays.",
			options: [
				{ name: 'Include', value: 'include' },
				{ name: 'Leave Out', value: 'leaveOut' },
				{ name: 'As the Assistant Has It', value: 'asAssistant' },
			],
			default: 'include',
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
				'Whether the workflow starts again when a delivery comes again within ten minutes of the first one that says nothing new of its call. Without this option, it does not. A later one, and one that says more, such as a recording, always start it. n8n forgets earlier deliveries when it is restarted or the workflow changes, and each of several webhook processes knows only its own.',
		},
		{ ...startWhenLate, displayOptions: { show: { '/triggerOn': ['inboundCallStarting'] } } },
	],
};

/** In the order of the screen. */
export const fields: INodeProperties[] = [
	triggerOnField,
	callsField,
	required(
		assistantLocator,
		'The trigger registers itself at this assistant when the workflow is published. For each event, an assistant can serve one workflow only.',
	),
	...fallbackFields,
	{ ...filterFields, displayOptions: { show: { triggerOn: OVER } } },
	{ ...leaveOutField, displayOptions: { show: { triggerOn: OVER } } },
	optionFields,
];
