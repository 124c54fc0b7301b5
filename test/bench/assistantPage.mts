import { listPage } from './listPage.mts';

/** How many different voices and phone numbers the assistants have. */
export const VOICES = 50;
export const PHONE_NUMBERS = 200;

/** When the assistants were created and last changed. */
export const CHANGED_AT = '2026-03-02T09:00:00.000000Z';

export const assistantName = (id: number): string => `Assistant ${id}`;

/** The ID of an assistant's phone number. Only its record shows it. */
export const phoneNumberIdOf = (assistant: number): number => 1 + ((assistant - 1) % PHONE_NUMBERS);

/** The phone number of an ID. Only calls show it. */
export const phoneNumber = (id: number): string => `+49151${12_345_000 + id}`;

/** A prompt of usual length, about 2 KB. */
const PROMPT = Array.from(
	{ length: 20 },
	(_, step) =>
		`${step + 1}. When the caller wants to move an appointment, ask for the name and the day, and repeat both.`,
).join('\n');

const UNSET = {
	language_id: null,
	engine_id: null,
	synthesizer_id: null,
	transcriber_id: null,
	instance_id: null,
	flows_platform_id: null,
	transcriber_provider_id: null,
	synthesizer_provider_id: null,
	llm_model_id: null,
	multimodal_model_id: null,
	knowledgebase_id: null,
	knowledgebase_mode: null,
	ambient_sound: null,
	webhook_url: null,
	inbound_webhook_url: null,
	deleted_at: null,
};

const SETTINGS = {
	status: 'active',
	type: 'outbound',
	mode: 'pipeline',
	language: 'English',
	timezone: 'Europe/Berlin',
	initial_message: 'Hello, this is the reception. How can I help you?',
	system_prompt: PROMPT,
	variables: { practice: 'Dr. Weber', city: 'Bonn' },
	widget_settings: {},
	post_call_schema: [],
	tools: [],
	post_call_evaluation: true,
	is_webhook_active: false,
	record: true,
	allow_interruptions: true,
	enable_noise_cancellation: true,
	wait_for_customer: false,
	send_webhook_only_on_completed: false,
	include_recording_in_webhook: false,
	fillers: 0,
	end_call_on_voicemail: 1,
	max_duration: 600,
	max_silence_duration: 40,
	reengagement_interval: 30,
	min_interrupt_words: 0,
	endpoint_sensitivity: 0.5,
	interrupt_sensitivity: 0.5,
	llm_temperature: '0.10',
	voice_stability: '0.70',
	voice_similarity: '0.50',
	speech_speed: '1.00',
	ambient_sound_volume: '0.50',
	endpoint_type: 'vad',
	filler_config: { neutral: [], negative: [], positive: [], question: [] },
	created_at: CHANGED_AT,
	updated_at: CHANGED_AT,
};

function assistantRecord(id: number) {
	return {
		...UNSET,
		...SETTINGS,
		id,
		name: assistantName(id),
		user_id: 1,
		uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
		voice_id: 1 + ((id - 1) % VOICES),
		phone_number_id: phoneNumberIdOf(id),
	};
}

/** Makes a page of the list of assistants, by ID; a record has about 4 KB. */
export const assistantPage = (url: URL, total: number) =>
	listPage(url, total, (place) => assistantRecord(place + 1));
