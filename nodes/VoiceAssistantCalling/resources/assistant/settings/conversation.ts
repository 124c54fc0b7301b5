import type { Field } from '../../../fields/routing';
import { switchMinInterruptWords } from './switchMinInterruptWords';

export const conversation: Field = {
	displayName: 'Conversation',
	name: 'conversation',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'Who speaks when, and how answers are found',
	options: [
		{
			displayName: 'Allow Interruptions',
			name: 'allowInterruptions',
			type: 'boolean',
			default: true,
			description: 'Whether the person can interrupt the assistant. Assumed default: on.',
			routing: { send: { type: 'body', property: 'allow_interruptions' } },
		},
		{
			displayName: 'Endpoint Sensitivity',
			name: 'endpointSensitivity',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 5, numberPrecision: 2 },
			default: 0.5,
			hint: 'Higher: the assistant should answer sooner',
			description:
				'How sensitively the assistant detects that the person has finished speaking, from 0 to 5. Assumed default: 0.5.',
			routing: { send: { type: 'body', property: 'endpoint_sensitivity' } },
		},
		{
			displayName: 'Endpoint Type',
			name: 'endpointType',
			type: 'options',
			default: 'vad',
			description:
				'How the assistant detects that the person has finished speaking. Assumed default: Voice Activity Detection.',
			options: [
				{
					name: 'AI',
					value: 'ai',
					description: 'A model judges from the words whether the person has finished',
				},
				{
					name: 'Voice Activity Detection',
					value: 'vad',
					description: 'The person has finished when there is no voice any more',
				},
			],
			routing: { send: { type: 'body', property: 'endpoint_type' } },
		},
		{
			displayName: 'Filler Audios',
			name: 'fillerAudios',
			type: 'boolean',
			default: true,
			description:
				'Whether to play short sounds while the assistant prepares an answer. Assumed default: off.',
			routing: { send: { type: 'body', property: 'filler_audios' } },
		},
		{
			displayName: 'Interrupt Sensitivity',
			name: 'interruptSensitivity',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 5, numberPrecision: 2 },
			default: 0.5,
			hint: 'Higher: the assistant should stop sooner',
			description:
				'How easily the person can interrupt the assistant, from 0 to 5. Assumed default: 0.5.',
			routing: { send: { type: 'body', property: 'interrupt_sensitivity' } },
		},
		{
			displayName: 'LLM Temperature',
			name: 'llmTemperature',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
			default: 0.1,
			hint: 'Higher: the wording varies more',
			description: 'How much the wording of the answers varies, from 0 to 1. Assumed default: 0.1.',
			routing: { send: { type: 'body', property: 'llm_temperature' } },
		},
		{
			displayName: 'Min Interrupt Words',
			name: 'minInterruptWords',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10, numberPrecision: 0 },
			default: 0,
			description:
				'How many words the person must say to interrupt the assistant, from 0 to 10. With 0, their number does not matter. Assumed default: 0.',
			routing: {
				send: { type: 'body', property: 'min_interrupt_words', preSend: [switchMinInterruptWords] },
			},
		},
		{
			displayName: 'Re-Engagement (Seconds)',
			name: 'reEngagementInterval',
			type: 'number',
			typeOptions: { minValue: 7, maxValue: 600, numberPrecision: 0 },
			default: 30,
			description:
				'After how many seconds of silence the assistant speaks again, from 7 to 600. Assumed default: 30.',
			routing: { send: { type: 'body', property: 're_engagement_interval' } },
		},
		{
			displayName: 'Who Speaks First',
			name: 'whoSpeaksFirst',
			type: 'options',
			default: 'AI assistant',
			description: 'Who begins the conversation. Assumed default: AI Assistant.',
			options: [
				{
					name: 'AI Assistant',
					value: 'AI assistant',
					description: "The assistant says its 'Initial Message' at once",
				},
				{
					name: 'Customer',
					value: 'Customer',
					description: 'The assistant waits until the person has spoken',
				},
			],
			routing: { send: { type: 'body', property: 'who_speaks_first' } },
		},
	],
};
