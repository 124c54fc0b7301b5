import type { Field } from '../../../fields/routing';
import { choiceSetting, numberSetting, switchSetting } from './setting';
import { switchMinInterruptWords } from './switchMinInterruptWords';

export const conversation: Field = {
	displayName: 'Conversation',
	name: 'conversation',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'Who speaks when, and how answers are found',
	options: [
		switchSetting('allow_interruptions', {
			displayName: 'Allow Interruptions',
			name: 'allowInterruptions',
			description: 'Whether the person can interrupt the assistant',
		}),
		numberSetting('endpoint_sensitivity', {
			displayName: 'Endpoint Sensitivity',
			name: 'endpointSensitivity',
			hint: 'Higher: the assistant should answer sooner',
			description: 'How sensitively the assistant detects that the person has finished speaking',
		}),
		choiceSetting(
			'endpoint_type',
			{
				displayName: 'Endpoint Type',
				name: 'endpointType',
				description: 'How the assistant detects that the person has finished speaking',
			},
			[
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
		),
		switchSetting('filler_audios', {
			displayName: 'Filler Audios',
			name: 'fillerAudios',
			description: 'Whether to play short sounds while the assistant prepares an answer',
		}),
		numberSetting('interrupt_sensitivity', {
			displayName: 'Interrupt Sensitivity',
			name: 'interruptSensitivity',
			hint: 'Higher: the assistant should stop sooner',
			description: 'How easily the person can interrupt the assistant',
		}),
		numberSetting('llm_temperature', {
			displayName: 'LLM Temperature',
			name: 'llmTemperature',
			hint: 'Higher: the wording varies more',
			description: 'How much the wording of the answers varies',
		}),
		{
			...numberSetting(
				'min_interrupt_words',
				{
					displayName: 'Min Interrupt Words',
					name: 'minInterruptWords',
					description: 'How many words the person must say to interrupt the assistant',
				},
				' With 0, their number does not matter.',
			),
			routing: {
				send: { type: 'body', property: 'min_interrupt_words', preSend: [switchMinInterruptWords] },
			},
		},
		numberSetting('re_engagement_interval', {
			displayName: 'Re-Engagement (Seconds)',
			name: 'reEngagementInterval',
			description: 'After how many seconds of silence the assistant speaks again',
		}),
		{
			displayName: 'Secondary Languages',
			name: 'secondaryLanguages',
			type: 'string',
			default: '',
			placeholder: 'e.g. German, French',
			description:
				'Names of further languages that the assistant speaks, separated by commas. Some providers do not have it.',
			routing: { send: { type: 'body', property: 'secondary_language_ids' } },
		},
		choiceSetting(
			'who_speaks_first',
			{
				displayName: 'Who Speaks First',
				name: 'whoSpeaksFirst',
				description: 'Who begins the conversation',
			},
			[
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
		),
	],
};
