import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, fromList, OPERATIONS, type OperationCase } from '../n8n/operations.mts';
import { objectsOf, type JsonObject } from '../sandbox/contract.mts';
import { newAssistant, twoUsers } from '../sandbox/seed.mts';

/** A seed of two users. Alice has a call with every field. */
export function seedWithCall(): { users: JsonObject[] } {
	const [alice = {}, ...users] = twoUsers().users;
	const [, ...others] = objectsOf(alice.assistants);
	const call = {
		id: 1,
		assistant_id: 1,
		campaign_id: 2,
		type: 'outbound',
		status: 'completed',
		duration: 74,
		client_phone_number: '+4915112345611',
		answered_by: 'human',
		transcript: 'Assistant: Hello.',
		recording_url: '/recordings/call-1.wav',
		created_at: '2026-02-10 09:00:00',
	};
	const full = {
		...newAssistant,
		id: 1,
		phone_number_id: 1,
		tool_ids: [1],
		post_call_schema: [{ name: 'booked', type: 'bool', description: 'Whether it was booked' }],
	};
	return { users: [{ ...alice, calls: [call], assistants: [full, ...others] }, ...users] };
}

const HOOK = 'https://example.com/calls';

/** A field of an assistant: its group, its value, and its name and value in the request. */
type AssistantField = [
	group: string,
	field: string,
	value: unknown,
	name: string,
	onWire?: unknown,
];

const ASSISTANT_FIELDS: AssistantField[] = [
	['', 'name', 'Reminder', 'assistant_name'],
	['', 'callsDirection', 'receive', 'calls_direction'],
	['', 'engineType', 'multimodal', 'engine_type'],
	['', 'voiceId', byId('2'), 'voice_id', 2],
	['', 'language', fromList('German', 'German, used by Caller'), 'language', 'German'],
	['', 'llmModel', 'gpt-4o-mini', 'llm_model'],
	['', 'timezone', 'America/Argentina/Buenos_Aires', 'timezone'],
	['', 'initialMessage', 'Grüß Gott, hier ist die Praxis.', 'initial_message'],
	['', 'systemPrompt', 'Be brief.\n"Quoted" {{ not an expression }}', 'system_prompt'],
	['callHandling', 'endCallOnVoicemail', false, 'end_call_on_voicemail'],
	['callHandling', 'endCallToolDescription', 'Bye', 'end_call_tool', { description: 'Bye' }],
	['callHandling', 'maxCallDuration', 1200, 'max_call_duration'],
	['callHandling', 'maxSilenceDuration', 1, 'max_silence_duration'],
	['callHandling', 'phoneNumberId', byId('4'), 'phone_number_id', 4],
	['callHandling', 'recordCall', false, 'record_call'],
	['conversation', 'allowInterruptions', false, 'allow_interruptions'],
	['conversation', 'endpointSensitivity', 0, 'endpoint_sensitivity'],
	['conversation', 'endpointType', 'ai', 'endpoint_type'],
	['conversation', 'fillerAudios', true, 'filler_audios'],
	['conversation', 'interruptSensitivity', 4.25, 'interrupt_sensitivity'],
	['conversation', 'llmTemperature', 0.35, 'llm_temperature'],
	['conversation', 'minInterruptWords', 3, 'min_interrupt_words'],
	['conversation', 'reEngagementInterval', 7, 're_engagement_interval'],
	['conversation', 'whoSpeaksFirst', 'Customer', 'who_speaks_first'],
	['voice', 'ambientSoundVolume', 0, 'ambient_sound_volume'],
	['voice', 'noiseCancellation', false, 'noise_cancellation'],
	['voice', 'speechSpeed', 0.7, 'speech_speed'],
	['voice', 'voiceSimilarity', 1, 'voice_similarity'],
	['voice', 'voiceStability', 0.05, 'voice_stability'],
	['afterTheCall', 'includeRecordingInWebhook', true, 'include_recording_in_webhook'],
	['afterTheCall', 'isWebhookActive', true, 'is_webhook_active'],
	['afterTheCall', 'postCallEvaluation', false, 'post_call_evaluation'],
	['afterTheCall', 'sendWebhookOnlyOnCompleted', true, 'send_webhook_only_on_completed'],
	['afterTheCall', 'webhookUrl', HOOK, 'webhook_url'],
];

const postCallValues = [
	{ name: 'booked', type: 'bool', description: 'Whether an appointment was booked' },
	{ name: 'visits', type: 'number', description: 'How often the person was here' },
];

const assistantGroup = (group: string) =>
	Object.fromEntries(
		ASSISTANT_FIELDS.filter(([each]) => each === group).map(([, field, value]) => [field, value]),
	) as INodeParameters;

const assistantBasics = assistantGroup('');

const assistantSettings: INodeParameters = {
	callHandling: assistantGroup('callHandling'),
	conversation: assistantGroup('conversation'),
	voice: assistantGroup('voice'),
	tools: { tool: [{ toolId: byId('2') }, { toolId: byId('1') }] },
	variablesMode: 'json',
	variablesJson: '{"city": "Berlin", "visits": 3, "address": {"street": "Main Street"}}',
	afterTheCall: assistantGroup('afterTheCall'),
	postCallSchema: { value: postCallValues },
};

const assistantBody = {
	...Object.fromEntries(
		ASSISTANT_FIELDS.map(([, , value, name, onWire = value]) => [name, onWire]),
	),
	use_min_interrupt_words: true,
	tool_ids: [2, 1],
	variables: { city: 'Berlin', visits: 3, address: { street: 'Main Street' } },
	post_call_schema: postCallValues,
} as IDataObject;

const toolFields = {
	name: 'get_free_slots',
	description: 'Look up free appointments',
	endpoint: 'https://example.com/slots?kind=free',
	method: 'PATCH',
};

const toolLists: INodeParameters = {
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

const person: INodeParameters = { customerName: 'Ada Moreno', email: 'ada@example.com' };

const leadVariables: INodeParameters = {
	variables: {
		variable: [
			{ name: 'city', value: 'Berlin' },
			{ name: 'zip', value: '01067' },
		],
	},
};

const leadVariablesBody: IDataObject = {
	customer_name: 'Ada Moreno',
	email: 'ada@example.com',
	city: 'Berlin',
	zip: '01067',
};

/** The fields of an operation that OPERATIONS leaves empty, and what they add to its request. */
interface Rest {
	fields: INodeParameters;
	body?: IDataObject;
	query?: IDataObject;
}

const RESTS: Record<string, Rest> = {
	'assistant: create': {
		fields: { ...assistantBasics, ...assistantSettings },
		body: assistantBody,
	},
	'assistant: update': {
		fields: { updateFields: assistantBasics, ...assistantSettings },
		body: assistantBody,
	},
	'call: get': {
		fields: { options: { dateFrom: '2026-02-01', dateTo: '2026-03-01' } },
		query: { date_from: '2026-02-01', date_to: '2026-03-01' },
	},
	'call: downloadRecording': {
		fields: {
			binaryPropertyName: 'recording',
			options: { dateFrom: '2026-02-01', dateTo: '2026-03-01', maxFileSize: 5, timeLimit: 60 },
		},
		query: { date_from: '2026-02-01', date_to: '2026-03-01' },
	},
	'call: getAll': {
		fields: { returnAll: true, filtersJson: '{"campaign_id": "2", "date_to": "2026-03-01"}' },
		query: { per_page: '100', campaign_id: '2', date_to: '2026-03-01' },
	},
	'lead: create': {
		fields: {
			...person,
			...leadVariables,
			additionalFields: {
				onDuplicate: 'fail',
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
		body: {
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
	'lead: update': {
		fields: {
			updateFields: {
				campaignId: byId('2'),
				phoneNumber: '+4915112345699',
				status: 'reached-max-retries',
				...person,
			},
			...leadVariables,
		},
		body: {
			campaign_id: 2,
			phone_number: '+4915112345699',
			status: 'reached-max-retries',
			variables: leadVariablesBody,
		},
	},
	'midCallTool: create': {
		fields: { ...toolFields, ...toolLists, additionalFields: { timeout: 30 } },
		body: toolBody,
	},
	'midCallTool: update': {
		fields: { updateFields: { ...toolFields, timeout: 30 }, ...toolLists },
		body: toolBody,
	},
};

/** Every operation of the node with all of its fields, and the expected request. */
export const FILLED: Array<Omit<OperationCase, 'output'>> = OPERATIONS.map((operation) => {
	const { parameters, request } = operation;
	const { fields, body, query } = RESTS[operation.name] ?? {};
	return {
		...operation,
		parameters: { ...parameters, ...fields },
		request: {
			...request,
			...(body && { body: { ...request.body, ...body } }),
			...(query && { query: { ...request.query, ...query } }),
		},
	};
});
