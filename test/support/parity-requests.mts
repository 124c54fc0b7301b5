import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { JsonObject } from './sandbox-contract.mts';
import { newAssistant, twoUsers } from './sandbox-world.mts';

/** An operation with every field filled in, and the request that this must become. */
export interface FilledOperation {
	resource: string;
	operation: string;
	/** What the contract calls it. */
	operationId: string;
	fields: INodeParameters;
	method: string;
	path: string;
	body?: IDataObject;
	query?: IDataObject;
}

/** Two users, Alice with a call that has everything a call can have. */
export function worldWithCall(): { users: JsonObject[] } {
	const [alice, ...others] = twoUsers().users;
	const call = {
		id: 1,
		assistant_id: 1,
		campaign_id: 1,
		type: 'outbound',
		status: 'completed',
		duration: 74,
		client_phone_number: '+4915112345611',
		answered_by: 'human',
		transcript: 'Assistant: Hello.',
		recording_url: 'https://recordings.example.com/1.mp3',
		created_at: '2026-02-10 09:00:00',
	};
	const full = {
		...newAssistant,
		id: 1,
		phone_number_id: 1,
		tool_ids: [1],
		post_call_schema: [{ name: 'booked', type: 'bool', description: 'Whether it was booked' }],
	};
	return { users: [{ ...alice, calls: [call], assistants: [full] }, ...others] };
}

const picked = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });

const HOOK = 'https://example.com/calls';

const assistantBasics = {
	name: 'Reminder',
	callsDirection: 'receive',
	engineType: 'multimodal',
	voiceId: '2',
	language: 'German',
	llmModel: 'gpt-4o-mini',
	timezone: 'America/Argentina/Buenos_Aires',
	initialMessage: 'Grüß Gott, hier ist die Praxis.',
	systemPrompt: 'Be brief.\nBe friendly. "Quoted" {{ not an expression }}',
};

const assistantSettings: INodeParameters = {
	callHandling: {
		endCallOnVoicemail: false,
		endCallToolDescription: 'End the call when the person says goodbye',
		maxCallDuration: 1200,
		maxSilenceDuration: 1,
		phoneNumberId: '4',
		recordCall: false,
	},
	conversation: {
		allowInterruptions: false,
		endpointSensitivity: 0,
		endpointType: 'ai',
		fillerAudios: true,
		interruptSensitivity: 4.25,
		llmTemperature: 0.35,
		minInterruptWords: 0,
		reEngagementInterval: 7,
		useMinInterruptWords: true,
		whoSpeaksFirst: 'Customer',
	},
	voice: {
		ambientSoundVolume: 0,
		noiseCancellation: false,
		speechSpeed: 0.7,
		voiceSimilarity: 1,
		voiceStability: 0.05,
	},
	toolsAndVariables: {
		tools: { tool: [{ toolId: picked('2') }, { toolId: picked('1') }] },
		variables: { variable: [{ name: 'city', value: 'Berlin' }] },
		variablesJson: '{"visits": 3, "address": {"street": "Main Street"}}',
	},
	afterTheCall: {
		includeRecordingInWebhook: true,
		isWebhookActive: true,
		postCallEvaluation: false,
		postCallSchema: {
			value: [
				{ name: 'booked', type: 'bool', description: 'Whether an appointment was booked' },
				{ name: 'visits', type: 'number', description: 'How often the person was here' },
			],
		},
		sendWebhookOnlyOnCompleted: true,
		webhookUrl: HOOK,
	},
};

const assistantBody: IDataObject = {
	assistant_name: 'Reminder',
	calls_direction: 'receive',
	engine_type: 'multimodal',
	voice_id: 2,
	language: 'German',
	llm_model: 'gpt-4o-mini',
	timezone: 'America/Argentina/Buenos_Aires',
	initial_message: 'Grüß Gott, hier ist die Praxis.',
	system_prompt: 'Be brief.\nBe friendly. "Quoted" {{ not an expression }}',
	end_call_on_voicemail: false,
	end_call_tool: { description: 'End the call when the person says goodbye' },
	max_call_duration: 1200,
	max_silence_duration: 1,
	phone_number_id: 4,
	record_call: false,
	allow_interruptions: false,
	endpoint_sensitivity: 0,
	endpoint_type: 'ai',
	filler_audios: true,
	interrupt_sensitivity: 4.25,
	llm_temperature: 0.35,
	min_interrupt_words: 0,
	re_engagement_interval: 7,
	use_min_interrupt_words: true,
	who_speaks_first: 'Customer',
	ambient_sound_volume: 0,
	noise_cancellation: false,
	speech_speed: 0.7,
	voice_similarity: 1,
	voice_stability: 0.05,
	tool_ids: [2, 1],
	variables: { city: 'Berlin', visits: 3, address: { street: 'Main Street' } },
	include_recording_in_webhook: true,
	is_webhook_active: true,
	post_call_evaluation: false,
	post_call_schema: [
		{ name: 'booked', type: 'bool', description: 'Whether an appointment was booked' },
		{ name: 'visits', type: 'number', description: 'How often the person was here' },
	],
	send_webhook_only_on_completed: true,
	webhook_url: HOOK,
};

const toolFields = {
	name: 'get_free_slots',
	description: 'Look up free appointments',
	endpoint: 'https://example.com/slots?kind=free',
	method: 'PATCH',
};

const toolExtras: INodeParameters = {
	headers: {
		header: [
			{ name: 'X-Shop', value: '7' },
			{ name: 'X-Empty', value: 'none' },
		],
	},
	parameters: {
		parameter: [
			{ name: 'preferred_day', type: 'string', description: 'The wanted day' },
			{ name: 'is_urgent', type: 'boolean', description: 'Whether it is urgent' },
			{ name: 'persons', type: 'number', description: 'How many people' },
		],
	},
	timeout: 30,
};

const toolBody: IDataObject = {
	...toolFields,
	headers: [
		{ name: 'X-Shop', value: '7' },
		{ name: 'X-Empty', value: 'none' },
	],
	schema: [
		{ name: 'preferred_day', type: 'string', description: 'The wanted day' },
		{ name: 'is_urgent', type: 'boolean', description: 'Whether it is urgent' },
		{ name: 'persons', type: 'number', description: 'How many people' },
	],
	timeout: 30,
};

const leadVariables: INodeParameters = {
	customerName: 'Ada Moreno',
	email: 'ada@example.com',
	variables: {
		variable: [
			{ name: 'city', value: 'Berlin' },
			{ name: 'zip', value: '01067' },
		],
	},
	variablesJson: '{"visits": 3, "is_member": true}',
};

const leadVariablesBody: IDataObject = {
	customer_name: 'Ada Moreno',
	email: 'ada@example.com',
	city: 'Berlin',
	zip: '01067',
	visits: 3,
	is_member: true,
};

/** Every operation of the node with every field that it has. */
export const FILLED: FilledOperation[] = [
	{
		resource: 'assistant',
		operation: 'create',
		operationId: 'createAssistant',
		fields: { ...assistantBasics, ...assistantSettings },
		method: 'POST',
		path: '/api/user/assistant',
		body: assistantBody,
	},
	{
		resource: 'assistant',
		operation: 'update',
		operationId: 'updateAssistant',
		fields: {
			assistantId: picked('1'),
			updateFields: assistantBasics,
			...assistantSettings,
		},
		method: 'PUT',
		path: '/api/user/assistant/1',
		body: assistantBody,
	},
	{
		resource: 'assistant',
		operation: 'getAll',
		operationId: 'listAssistants',
		fields: { returnAll: false, limit: 1 },
		method: 'GET',
		path: '/api/user/assistants/get',
		query: { page: '1', per_page: '1' },
	},
	{
		resource: 'assistant',
		operation: 'enableWebhook',
		operationId: 'updateAssistant',
		fields: { assistantId: picked('1'), webhookUrl: HOOK },
		method: 'PUT',
		path: '/api/user/assistant/1',
		body: { is_webhook_active: true, webhook_url: HOOK },
	},
	{
		resource: 'assistant',
		operation: 'disableWebhook',
		operationId: 'disableWebhook',
		fields: { assistantId: picked('1') },
		method: 'POST',
		path: '/api/user/assistants/disable-webhook',
		body: { assistant_id: 1 },
	},
	{
		resource: 'assistant',
		operation: 'enableInboundWebhook',
		operationId: 'enableInboundWebhook',
		fields: { assistantId: picked('1'), webhookUrl: HOOK },
		method: 'POST',
		path: '/api/user/assistants/enable-inbound-webhook',
		body: { assistant_id: 1, webhook_url: HOOK },
	},
	{
		resource: 'assistant',
		operation: 'disableInboundWebhook',
		operationId: 'disableInboundWebhook',
		fields: { assistantId: picked('1') },
		method: 'POST',
		path: '/api/user/assistants/disable-inbound-webhook',
		body: { assistant_id: 1 },
	},
	{
		resource: 'call',
		operation: 'getAll',
		operationId: 'listCalls',
		fields: {
			returnAll: true,
			filters: {
				assistantId: picked('1'),
				campaignId: '1',
				dateFrom: '2026-02-01T00:00:00',
				dateTo: '2026-02-28T23:59:59.999+02:00',
				phoneNumber: '+4915112345611',
				status: 'completed',
				type: 'outbound',
			},
		},
		method: 'GET',
		path: '/api/user/calls',
		query: {
			page: '1',
			per_page: '100',
			assistant_id: '1',
			campaign_id: '1',
			date_from: '2026-02-01',
			date_to: '2026-02-28',
			phone_number: '+4915112345611',
			status: 'completed',
			type: 'outbound',
		},
	},
	{
		resource: 'campaign',
		operation: 'start',
		operationId: 'updateCampaignStatus',
		fields: { campaignId: '2' },
		method: 'POST',
		path: '/api/user/campaigns/update-status',
		body: { campaign_id: 2, action: 'start' },
	},
	{
		resource: 'campaign',
		operation: 'stop',
		operationId: 'updateCampaignStatus',
		fields: { campaignId: '2' },
		method: 'POST',
		path: '/api/user/campaigns/update-status',
		body: { campaign_id: 2, action: 'stop' },
	},
	{
		resource: 'lead',
		operation: 'create',
		operationId: 'createLead',
		fields: {
			campaignId: '1',
			phoneNumber: '+4915112345699',
			additionalFields: {
				allowDuplicate: false,
				...leadVariables,
				secondaryContacts: {
					contact: [
						{
							phoneNumber: '+4915112345698',
							customerName: 'Ben Okafor',
							email: 'ben@example.com',
							variables: '{"relation": "brother", "age": 40}',
						},
						{
							phoneNumber: '+4915112345697',
							customerName: 'Carla Lindt',
							email: 'carla@example.com',
							variables: '{}',
						},
					],
				},
			},
		},
		method: 'POST',
		path: '/api/user/lead',
		body: {
			campaign_id: 1,
			phone_number: '+4915112345699',
			allow_dupplicate: false,
			variables: leadVariablesBody,
			secondary_contacts: [
				{
					phone_number: '+4915112345698',
					variables: {
						customer_name: 'Ben Okafor',
						email: 'ben@example.com',
						relation: 'brother',
						age: 40,
					},
				},
				{
					phone_number: '+4915112345697',
					variables: { customer_name: 'Carla Lindt', email: 'carla@example.com' },
				},
			],
		},
	},
	{
		resource: 'lead',
		operation: 'update',
		operationId: 'updateLead',
		fields: {
			leadId: '1',
			updateFields: {
				campaignId: '2',
				phoneNumber: '+4915112345699',
				status: 'reached-max-retries',
				...leadVariables,
			},
		},
		method: 'PUT',
		path: '/api/user/leads/1',
		body: {
			campaign_id: 2,
			phone_number: '+4915112345699',
			status: 'reached-max-retries',
			variables: leadVariablesBody,
		},
	},
	{
		resource: 'sms',
		operation: 'send',
		operationId: 'sendSms',
		fields: { phoneNumberId: '1', to: '+4915112345699', body: 'Thank you!\nSee you 👋' },
		method: 'POST',
		path: '/api/user/sms',
		body: { from: 1, to: '+4915112345699', body: 'Thank you!\nSee you 👋' },
	},
	{
		resource: 'tool',
		operation: 'create',
		operationId: 'createTool',
		fields: { ...toolFields, additionalFields: toolExtras },
		method: 'POST',
		path: '/api/user/tools',
		body: toolBody,
	},
	{
		resource: 'tool',
		operation: 'update',
		operationId: 'updateTool',
		fields: { toolId: picked('2'), updateFields: { ...toolFields, ...toolExtras } },
		method: 'PUT',
		path: '/api/user/tools/2',
		body: toolBody,
	},
];
