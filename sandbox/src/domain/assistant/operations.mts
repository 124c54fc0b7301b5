import type { Assistant, AssistantSettings, Schemas, User } from '../../store/records.mts';
import { notFound, refuseIfAny, type FieldErrors } from '../../base/response.mts';
import type { Context, Handler } from '../context.mts';
import { assistantRecord, assistantSummary } from './record.mts';
import { envelope, type PageRequest } from '../page.mts';
import { owned } from '../ownership.mts';

export interface PageQuery {
	page: number;
	per_page: number;
}

/** POST /user/assistant. The contract's defaults are filled in before. */
export const createAssistant: Handler<AssistantSettings> = (context, user, { body }) => {
	const assistant = addAssistant(context, user, body);
	return {
		status: 201,
		body: { message: 'Assistant created successfully', data: assistantSummary(assistant) },
	};
};

/**
 * Stores an assistant.
 * @param seeded what the service decides for others, and the seed may decide for its own
 * @throws {Refusal} 422 when it names what the user does not have
 */
export function addAssistant(
	context: Context,
	user: User,
	body: AssistantSettings,
	seeded: Partial<Pick<Assistant, 'id' | 'status' | 'inbound_webhook_url'>> = {},
): Assistant {
	const { state, now, random, assumptions } = context;
	const settings = settingsOf(body);
	refuseBadSettings(context, user, settings);
	return state.assistants.insert({
		user_id: user.id,
		uuid: random.uuid(),
		status: assumptions.assistantStatus,
		settings,
		inbound_webhook_url: null,
		created_at: now,
		updated_at: now,
		...seeded,
	});
}

/** PUT /user/assistant/{id}. Only the given fields change; they obey the rules of create. */
export const updateAssistant: Handler<Schemas['AssistantUpdate']> = (
	context,
	user,
	{ id, body },
) => {
	const assistant = find(context, user, id);
	const settings = settingsOf({ ...assistant.settings, ...body });
	// Taking the URL away disables the webhook, unless the same request wants it active.
	if (body.webhook_url === null && body.is_webhook_active !== true) {
		settings.is_webhook_active = false;
	}
	refuseBadSettings(context, user, settings, body);
	const updated = { ...assistant, settings, updated_at: context.now };
	context.state.assistants.update(updated);
	return {
		status: 200,
		body: { message: 'Assistant updated successfully', data: assistantSummary(updated) },
	};
};

/** GET /user/assistants/get */
export const listAssistants: Handler<undefined, PageQuery> = (context, user, { query, asked }) => {
	const { state, baseUrl } = context;
	const wanted: PageRequest = { page: query.page, perPage: query.per_page };
	const rows = state.assistants.select([['user_id', 'is', user.id]], {
		limit: wanted.perPage,
		offset: (wanted.page - 1) * wanted.perPage,
	});
	const total = state.assistants.count([['user_id', 'is', user.id]]);
	const records = rows.map((assistant) => assistantRecord(state, assistant));
	const path = `${baseUrl}/user/assistants/get`;
	return { status: 200, body: envelope(records, total, wanted, path, asked) };
};

/** POST /user/assistants/disable-webhook */
export const disableWebhook: Handler<Schemas['AssistantReference']> = (context, user, { body }) => {
	const assistant = find(context, user, body.assistant_id);
	const settings = { ...assistant.settings, is_webhook_active: false, webhook_url: null };
	context.state.assistants.update({ ...assistant, settings, updated_at: context.now });
	return { status: 200, body: { message: 'Webhook disabled successfully', data: [] } };
};

/** POST /user/assistants/enable-inbound-webhook */
export const enableInboundWebhook: Handler<Schemas['InboundWebhook']> = (
	context,
	user,
	{ body },
) => {
	const assistant = find(context, user, body.assistant_id);
	const inbound_webhook_url = body.webhook_url;
	context.state.assistants.update({ ...assistant, inbound_webhook_url, updated_at: context.now });
	return { status: 200, body: { message: 'Webhook enabled successfully', data: [] } };
};

/** POST /user/assistants/disable-inbound-webhook */
export const disableInboundWebhook: Handler<Schemas['AssistantReference']> = (
	context,
	user,
	{ body },
) => {
	const assistant = find(context, user, body.assistant_id);
	const updated = { ...assistant, inbound_webhook_url: null, updated_at: context.now };
	context.state.assistants.update(updated);
	return { status: 200, body: { message: 'Inbound webhook disabled successfully', data: [] } };
};

function find({ state }: Context, user: User, id: number): Assistant {
	const assistant = owned(state.assistants, id, user);
	if (!assistant) throw notFound('Assistant');
	return assistant;
}

/**
 * The rules that depend on more than the request: records it names, and the webhook as a whole.
 * @param given the fields of an update; what it leaves alone is not checked again
 */
function refuseBadSettings(
	{ state }: Context,
	user: User,
	settings: AssistantSettings,
	given: Partial<AssistantSettings> = settings,
): void {
	const errors: FieldErrors = {};
	const { voice_id, language, phone_number_id, tool_ids, timezone } = given;
	if (voice_id !== undefined && !user.voices.some(({ id }) => id === voice_id)) {
		errors['voice_id'] = ['The selected voice id is invalid.'];
	}
	if (language !== undefined && !user.languages.includes(language)) {
		errors['language'] = ['The selected language is invalid.'];
	}
	if (timezone !== undefined && !isTimezone(timezone)) {
		errors['timezone'] = ['The timezone field must be a valid timezone.'];
	}
	if (phone_number_id != null && !owned(state.phoneNumbers, phone_number_id, user)) {
		errors['phone_number_id'] = ['The selected phone number id is invalid.'];
	}
	tool_ids?.forEach((id, index) => {
		if (owned(state.tools, id, user)) return;
		errors[`tool_ids.${index}`] = [`The selected tool_ids.${index} is invalid.`];
	});
	const { is_webhook_active, webhook_url } = settings;
	if (is_webhook_active && webhook_url === null) {
		errors['webhook_url'] = ['The webhook url field is required when is webhook active is true.'];
	}
	refuseIfAny(errors);
}

function isTimezone(name: string): boolean {
	try {
		new Intl.DateTimeFormat('en', { timeZone: name });
		return true;
	} catch {
		return false;
	}
}

/** The writable fields and nothing else that a body may hold. */
const settingsOf = (body: AssistantSettings): AssistantSettings => ({
	assistant_name: body.assistant_name,
	voice_id: body.voice_id,
	language: body.language,
	llm_model: body.llm_model,
	calls_direction: body.calls_direction,
	engine_type: body.engine_type,
	timezone: body.timezone,
	initial_message: body.initial_message,
	system_prompt: body.system_prompt,
	phone_number_id: body.phone_number_id,
	tool_ids: [...new Set(body.tool_ids)],
	endpoint_type: body.endpoint_type,
	endpoint_sensitivity: body.endpoint_sensitivity,
	interrupt_sensitivity: body.interrupt_sensitivity,
	ambient_sound_volume: body.ambient_sound_volume,
	post_call_evaluation: body.post_call_evaluation,
	send_webhook_only_on_completed: body.send_webhook_only_on_completed,
	include_recording_in_webhook: body.include_recording_in_webhook,
	is_webhook_active: body.is_webhook_active,
	webhook_url: body.webhook_url,
	use_min_interrupt_words: body.use_min_interrupt_words,
	min_interrupt_words: body.min_interrupt_words,
	variables: body.variables,
	post_call_schema: body.post_call_schema.map(({ name, type, description }) => ({
		name,
		type,
		description,
	})),
	end_call_tool: body.end_call_tool,
	llm_temperature: body.llm_temperature,
	voice_stability: body.voice_stability,
	voice_similarity: body.voice_similarity,
	speech_speed: body.speech_speed,
	allow_interruptions: body.allow_interruptions,
	filler_audios: body.filler_audios,
	re_engagement_interval: body.re_engagement_interval,
	max_call_duration: body.max_call_duration,
	max_silence_duration: body.max_silence_duration,
	end_call_on_voicemail: body.end_call_on_voicemail,
	noise_cancellation: body.noise_cancellation,
	record_call: body.record_call,
	who_speaks_first: body.who_speaks_first,
});
