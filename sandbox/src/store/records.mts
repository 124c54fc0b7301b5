import type { Row } from './table.mts';

/** Times in the store are milliseconds since 1970, so that they sort and compare as numbers. */
type Time = number;

export interface Variables {
	[name: string]: unknown;
}

export interface User extends Row {
	token: string;
	/** In the account's currency. */
	balance: number;
	/** How many mid call tools the plan allows. */
	tool_quota: number;
	voices: Array<{ id: number; name: string }>;
	languages: string[];
}

/** A record that belongs to one user. */
export interface Owned extends Row {
	user_id: number;
	created_at: Time;
	updated_at: Time;
}

export interface PhoneNumber extends Owned {
	phone_number: string;
	sms_capable: boolean;
	/** Null means never. */
	subscription_expires_at: Time | null;
}

export interface Campaign extends Owned {
	name: string;
	/** Who makes the calls; without one the campaign calls nobody. */
	assistant_id: number | null;
	status: string;
}

/** The writable fields of an assistant, every one with a value. Names and units: contract. */
export interface AssistantSettings {
	assistant_name: string;
	voice_id: number;
	language: string;
	llm_model: string;
	calls_direction: 'receive' | 'make';
	engine_type: 'pipeline' | 'multimodal';
	timezone: string;
	initial_message: string;
	system_prompt: string;
	phone_number_id: number | null;
	tool_ids: number[];
	endpoint_type: 'vad' | 'ai';
	endpoint_sensitivity: number;
	interrupt_sensitivity: number;
	ambient_sound_volume: number;
	post_call_evaluation: boolean;
	send_webhook_only_on_completed: boolean;
	include_recording_in_webhook: boolean;
	is_webhook_active: boolean;
	webhook_url: string | null;
	use_min_interrupt_words: boolean;
	min_interrupt_words: number;
	variables: Variables;
	post_call_schema: PostCallField[];
	end_call_tool: { description?: string };
	llm_temperature: number;
	voice_stability: number;
	voice_similarity: number;
	speech_speed: number;
	allow_interruptions: boolean;
	filler_audios: boolean;
	re_engagement_interval: number;
	max_call_duration: number;
	max_silence_duration: number;
	end_call_on_voicemail: boolean;
	noise_cancellation: boolean;
	record_call: boolean;
	who_speaks_first: 'AI assistant' | 'Customer';
}

export interface PostCallField {
	name: string;
	type: 'string' | 'number' | 'bool';
	description: string;
}

export interface Assistant extends Owned {
	uuid: string;
	status: 'active' | 'inactive';
	settings: AssistantSettings;
	inbound_webhook_url: string | null;
}

export interface Tool extends Owned {
	name: string;
	description: string;
	endpoint: string;
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	timeout: number;
	headers: Array<{ name: string; value: string }>;
	schema: Array<{ name: string; type: 'string' | 'number' | 'boolean'; description: string }>;
}

export const LEAD_STATUSES = ['created', 'completed', 'reached-max-retries'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

export interface Lead extends Owned {
	campaign_id: number;
	phone_number: string;
	variables: Variables;
	status: LeadStatus;
	/** Calls made so far that were not answered. */
	attempts: number;
	/** The campaign leaves the lead alone until then; null while a call to it is running. */
	next_attempt_at: Time | null;
	/** How calls to this lead go; without one the phone number decides. */
	scenario: string | null;
}

export const CALL_STATUSES = [
	'initiated',
	'ringing',
	'busy',
	'in-progress',
	'ended',
	'completed',
	'ended_by_customer',
	'ended_by_assistant',
	'no-answer',
	'failed',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export interface Call extends Owned {
	assistant_id: number | null;
	assistant_name: string;
	campaign_id: number | null;
	campaign_name: string | null;
	lead_id: number | null;
	type: 'inbound' | 'outbound' | 'web';
	status: CallStatus;
	/** Where the call is in its scenario. */
	scenario: string;
	step: number;
	/** Whether the status is still going to change. */
	running: boolean;
	answered_at: Time | null;
	duration: number;
	/** Empty for an assistant without a number. */
	assistant_phone_number: string;
	client_phone_number: string;
	transcript: string;
	input_variables: Variables;
	variables: Variables;
	evaluation: Variables;
	webhook_response: Variables;
	carrier_cost: number;
	total_cost: number;
	answered_by: 'human' | 'machine' | 'unknown';
	recording_url: string | null;
}

export interface Sms extends Owned {
	phone_number_id: number;
	to: string;
	body: string;
	segments: number;
	segment_price: number;
	total_cost: number;
	status: string;
	sms_sid: string;
}

export interface DeliveryAttempt {
	at: string;
	/** Null when no answer came. */
	status: number | null;
	error: string | null;
}

export interface Delivery extends Row {
	event: 'postCall' | 'inboundCall';
	call_id: number;
	assistant_id: number;
	url: string;
	body: { [name: string]: unknown };
	attempts: DeliveryAttempt[];
	/** Cancelled: the webhook was disabled before it could be delivered. */
	state: 'pending' | 'delivered' | 'failed' | 'cancelled';
	next_attempt_at: Time;
}

/** Something that happens later, whatever becomes of the process meanwhile. */
export interface Timer extends Row {
	due: Time;
	kind: 'advance-call' | 'dial-campaign';
	/** Id of the call or campaign. */
	subject_id: number;
}
