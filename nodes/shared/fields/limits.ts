// Generated from contract/openapi.yaml and newer.yaml by `npm run generate`, do not edit.

/**
 * What the contract says about the values of requests, by operationId and property: the limits of a number as
 * n8n's `typeOptions`, the limits of a text as a rule, and the assumed defaults. `newerAssistant` has those of
 * newer documents where they differ.
 */
export const limits = {
	createLead: { allow_dupplicate: { default: false } },
	createAssistant: {
		assistant_name: { maxLength: 255 },
		language: { maxLength: 100 },
		llm_model: { maxLength: 100 },
		timezone: { pattern: '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)+$' },
		endpoint_type: { default: 'vad' },
		endpoint_sensitivity: { minValue: 0, maxValue: 5, numberPrecision: 2, default: 0.5 },
		interrupt_sensitivity: { minValue: 0, maxValue: 5, numberPrecision: 2, default: 0.5 },
		ambient_sound_volume: { minValue: 0, maxValue: 1, numberPrecision: 2, default: 0.5 },
		post_call_evaluation: { default: true },
		send_webhook_only_on_completed: { default: true },
		include_recording_in_webhook: { default: true },
		is_webhook_active: { default: false },
		use_min_interrupt_words: { default: false },
		min_interrupt_words: { minValue: 0, maxValue: 10, numberPrecision: 0, default: 0 },
		post_call_schema: { name: { pattern: '^[A-Za-z0-9_]+$' } },
		end_call_tool: { description: { maxLength: 500 } },
		llm_temperature: { minValue: 0, maxValue: 1, numberPrecision: 2, default: 0.1 },
		voice_stability: { minValue: 0, maxValue: 1, numberPrecision: 2, default: 0.7 },
		voice_similarity: { minValue: 0, maxValue: 1, numberPrecision: 2, default: 0.5 },
		speech_speed: { minValue: 0.7, maxValue: 1.2, numberPrecision: 2, default: 1 },
		allow_interruptions: { default: true },
		filler_audios: { default: false },
		re_engagement_interval: { minValue: 7, maxValue: 600, numberPrecision: 0, default: 30 },
		max_call_duration: { minValue: 20, maxValue: 1200, numberPrecision: 0, default: 600 },
		max_silence_duration: { minValue: 1, maxValue: 120, numberPrecision: 0, default: 40 },
		end_call_on_voicemail: { default: true },
		noise_cancellation: { default: true },
		record_call: { default: true },
		who_speaks_first: { default: 'AI assistant' },
	},
	updateAssistant: {
		assistant_name: { maxLength: 255 },
		language: { maxLength: 100 },
		llm_model: { maxLength: 100 },
		timezone: { pattern: '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)+$' },
		endpoint_sensitivity: { minValue: 0, maxValue: 5, numberPrecision: 2 },
		interrupt_sensitivity: { minValue: 0, maxValue: 5, numberPrecision: 2 },
		ambient_sound_volume: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		min_interrupt_words: { minValue: 0, maxValue: 10, numberPrecision: 0 },
		post_call_schema: { name: { pattern: '^[A-Za-z0-9_]+$' } },
		end_call_tool: { description: { maxLength: 500 } },
		llm_temperature: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		voice_stability: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		voice_similarity: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		speech_speed: { minValue: 0.7, maxValue: 1.2, numberPrecision: 2 },
		re_engagement_interval: { minValue: 7, maxValue: 600, numberPrecision: 0 },
		max_call_duration: { minValue: 20, maxValue: 1200, numberPrecision: 0 },
		max_silence_duration: { minValue: 1, maxValue: 120, numberPrecision: 0 },
	},
	createTool: {
		name: { pattern: '^[a-z][a-z_]*$' },
		description: { maxLength: 255 },
		timeout: { minValue: 1, maxValue: 30, numberPrecision: 0, default: 10 },
		schema: {
			name: { minLength: 2, maxLength: 32, pattern: '^[A-Za-z][A-Za-z_]*$' },
			description: { minLength: 3, maxLength: 255 },
		},
	},
	updateTool: {
		name: { pattern: '^[a-z][a-z_]*$' },
		description: { maxLength: 255 },
		timeout: { minValue: 1, maxValue: 30, numberPrecision: 0 },
		schema: {
			name: { minLength: 2, maxLength: 32, pattern: '^[A-Za-z][A-Za-z_]*$' },
			description: { minLength: 3, maxLength: 255 },
		},
	},
	sendSms: { body: { maxLength: 300 } },
	newerAssistant: {
		ringing_time: { minValue: 1, maxValue: 60, numberPrecision: 0, default: 30 },
		voice_mail_message: { maxLength: 1000 },
		initial_message: { maxLength: 200 },
		max_silence_duration: { minValue: 1, maxValue: 360, numberPrecision: 0, default: 40 },
		post_call_schema: {
			name: { minLength: 3, maxLength: 16, pattern: '^[a-z0-9_]+$' },
			description: { minLength: 3, maxLength: 255 },
		},
	},
};
