// Generated from contract/openapi.yaml and newer.yaml by `npm run generate`, do not edit.

/** What a value is on the wire. */
export type WireType = 'array' | 'boolean' | 'date' | 'integer' | 'number' | 'object' | 'string';

/** The names of all values in requests, by their type. */
const NAMES: Record<WireType, string[]> = {
	array: ['headers', 'post_call_schema', 'schema', 'secondary_contacts', 'tool_ids', 'tools'],
	boolean: [
		'allow_dupplicate',
		'allow_interruptions',
		'end_call_on_voicemail',
		'filler_audios',
		'include_recording_in_webhook',
		'is_webhook_active',
		'noise_cancellation',
		'post_call_evaluation',
		'record_call',
		'send_webhook_only_on_completed',
		'use_min_interrupt_words',
	],
	date: ['date_from', 'date_to'],
	integer: [
		'assistant_id',
		'campaign_id',
		'from',
		'max_call_duration',
		'max_silence_duration',
		'min_interrupt_words',
		'page',
		'per_page',
		'phone_number_id',
		're_engagement_interval',
		'ringing_time',
		'timeout',
		'voice_id',
	],
	number: [
		'ambient_sound_volume',
		'endpoint_sensitivity',
		'interrupt_sensitivity',
		'llm_temperature',
		'speech_speed',
		'voice_similarity',
		'voice_stability',
	],
	object: ['end_call_tool', 'variables'],
	string: [
		'action',
		'ambient_sound',
		'assistant_name',
		'body',
		'calls_direction',
		'customer_name',
		'description',
		'email',
		'endpoint',
		'endpoint_type',
		'engine_type',
		'initial_message',
		'language',
		'llm_model',
		'method',
		'name',
		'phone_number',
		'secondary_language_ids',
		'status',
		'system_prompt',
		'timezone',
		'to',
		'type',
		'value',
		'voice_mail_message',
		'webhook_url',
		'who_speaks_first',
	],
};

const isWireType = (type: string): type is WireType => type in NAMES;

/** The type of each name, wherever it occurs in a request. */
export const wireTypes = new Map(
	Object.keys(NAMES)
		.filter(isWireType)
		.flatMap((type) => NAMES[type].map((name): [string, WireType] => [name, type])),
);
