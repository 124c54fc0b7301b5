import { assistantLocator } from '../../../shared/assistants/assistantLocators';
import { limits } from '../../../shared/fields/limits';
import { WEB_ADDRESS } from '../../../shared/fields/textRule';
import { locator, required } from '../../../shared/pickers/locator';
import { getLabel } from '../../fields/fieldLabels';
import type { Field } from '../../fields/routing';
import { additionalFieldsJson } from '../common/additionalFieldsJson';
import { formName } from './generations/newerNames';

const { assistant_name, language, llm_model, timezone } = limits.createAssistant;

/** The fields that are required on create and optional on update. */
export const assistantFields = {
	name: {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Appointment reminder',
		description: `Up to ${assistant_name.maxLength} characters`,
		rule: assistant_name,
		routing: { send: { type: 'body', property: 'assistant_name' } },
	},
	callsDirection: {
		displayName: 'Calls Direction',
		name: 'callsDirection',
		type: 'options',
		default: 'make',
		description: 'Whether the assistant calls people or is called',
		options: [
			{ name: 'Make Calls', value: 'make' },
			{ name: 'Receive Calls', value: 'receive' },
		],
		routing: { send: { type: 'body', property: 'calls_direction' } },
	},
	initialMessage: {
		displayName: 'Initial Message',
		name: 'initialMessage',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Hello, this is Ada from the practice of Dr. Smith.',
		description: `What the assistant says first in a call. Some providers take ${limits.newerAssistant.initial_message.maxLength} letters at most.`,
		routing: { send: { type: 'body', property: 'initial_message' } },
	},
	systemPrompt: {
		displayName: 'System Prompt',
		name: 'systemPrompt',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. You remind people of their appointments. Be brief and friendly.',
		description: 'How the assistant behaves and what it should achieve',
		routing: { send: { type: 'body', property: 'system_prompt' } },
	},
	engineType: {
		displayName: 'Engine Type',
		name: 'engineType',
		type: 'options',
		default: 'pipeline',
		description: 'How the assistant turns speech into answers',
		options: [
			{
				name: 'Dualplex',
				value: 'dualplex',
				description:
					"A model of your provider's list of dualplex models. Some providers do not have it.",
			},
			{
				name: 'Multimodal',
				value: 'multimodal',
				description: 'One model listens and speaks, without text in between',
			},
			{
				name: 'Pipeline',
				value: 'pipeline',
				description:
					'Speech becomes text, a language model answers it, and the answer becomes speech',
			},
		],
		routing: { send: { type: 'body', property: 'engine_type' } },
	},
	voiceId: {
		...locator({
			displayName: 'Voice',
			name: 'voiceId',
			description: 'The voice of the assistant, from the list of your provider or by its ID',
			searchListMethod: 'searchVoices',
			listHint: 'Voices of the chosen engine type and language',
			entryMode: { placeholder: 'e.g. 1', hint: 'Your provider shows the IDs of its voices' },
		}),
		routing: { send: { type: 'body', property: 'voice_id' } },
	},
	language: {
		...locator({
			displayName: 'Language',
			name: 'language',
			searchListMethod: 'searchLanguages',
			description: `Name of the language as your provider writes it, up to ${language.maxLength} characters`,
			entryMode: { displayName: 'By Name', name: 'name', placeholder: 'e.g. English' },
		}),
		rule: language,
		routing: { send: { type: 'body', property: 'language' } },
	},
	llmModel: {
		...locator({
			displayName: 'LLM Model',
			name: 'llmModel',
			searchListMethod: 'searchModels',
			description: `Name of the language model as your provider writes it, up to ${llm_model.maxLength} characters`,
			listHint: 'Models of the chosen engine type',
			entryMode: { displayName: 'By Name', name: 'name', placeholder: 'e.g. gpt-4o-mini' },
		}),
		rule: llm_model,
		routing: { send: { type: 'body', property: 'llm_model' } },
	},
	timezone: {
		...locator({
			displayName: 'Timezone',
			name: 'timezone',
			searchListMethod: 'searchTimezones',
			description: 'The time zone of the assistant',
			entryMode: { displayName: 'By Name', name: 'name', placeholder: 'e.g. Europe/Berlin' },
		}),
		rule: {
			...timezone,
			problem: 'must be a time zone, such as Europe/Berlin',
		},
		routing: { send: { type: 'body', property: 'timezone' } },
	},
} satisfies Record<string, Field>;

/** The field for what the form does not have. The newer names of its fields are not free. */
export const assistantJson = (getFields: () => Field[]): Field =>
	additionalFieldsJson(getFields, {
		get: (name) => {
			const property = formName(name);
			return property && getLabel(getFields(), property);
		},
	});

/** For operations that take the assistant's ID in the body. */
export const assistantInBody: Field = {
	...required(assistantLocator),
	routing: { send: { type: 'body', property: 'assistant_id' } },
};

export const webhookUrlField: Field = {
	displayName: 'Webhook URL',
	name: 'webhookUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/calls',
	description: 'URL that receives the calls. It replaces the URL that the assistant has now.',
	rule: WEB_ADDRESS,
	routing: { send: { type: 'body', property: 'webhook_url' } },
};
