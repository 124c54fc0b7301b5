import type { Schemas } from '../../contract/schemas.mts';
import type { Assistant } from '../../store/records.mts';
import { isoLanguage } from '../account/isoLanguage.mts';
import type { Context } from '../context.mts';
import { attachedTools, toolRecord } from '../midCallTool/operations.mts';
import { preciseTime } from '../times.mts';

const assistantType = ({ settings }: Assistant): Schemas['AssistantType'] =>
	settings.calls_direction === 'receive' ? 'inbound' : 'outbound';

/** An assistant in the response of create and update. */
export const assistantSummary = (assistant: Assistant) => ({
	id: assistant.id,
	name: assistant.settings.assistant_name,
	status: assistant.status,
	type: assistantType(assistant),
	mode: assistant.settings.engine_type,
});

const NO_FILLERS = { neutral: [], negative: [], positive: [], question: [] };

/** Seconds. */
const DEFAULT_RINGING_TIME = 30;

const decimals = new Intl.NumberFormat('en', {
	minimumFractionDigits: 2,
	maximumFractionDigits: 20,
	useGrouping: false,
});

/** A number as a string with at least two decimals, as in "0.70". */
function decimal(value: number): string {
	const short = value.toFixed(2);
	// Intl.NumberFormat takes three times as long, and lists have thousands of numbers.
	return Number(short) === value ? short : decimals.format(value);
}

type Shown = Pick<Context, 'state' | 'assumptions'>;

/** An assistant as the list shows it. Some fields have other names than in a request (assumed). */
export function assistantRecord({ state, assumptions }: Shown, assistant: Assistant): object {
	const { settings } = assistant;
	const isNewer = assumptions['assistant-fields'] === 'newer';
	const record: Omit<Schemas['Assistant'], 'mode' | 'tools'> = {
		...assistantSummary(assistant),
		user_id: assistant.user_id,
		uuid: assistant.uuid,
		phone_number_id: settings.phone_number_id,
		voice_id: settings.voice_id,
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
		language: settings.language,
		initial_message: settings.initial_message,
		system_prompt: settings.system_prompt,
		timezone: settings.timezone,
		ambient_sound: null,
		webhook_url: settings.webhook_url,
		inbound_webhook_url: assistant.inbound_webhook_url,
		variables: settings.variables,
		widget_settings: {},
		post_call_schema: settings.post_call_schema,
		post_call_evaluation: settings.post_call_evaluation,
		is_webhook_active: settings.is_webhook_active,
		record: settings.record_call,
		allow_interruptions: settings.allow_interruptions,
		enable_noise_cancellation: settings.noise_cancellation,
		wait_for_customer: settings.who_speaks_first === 'Customer',
		send_webhook_only_on_completed: settings.send_webhook_only_on_completed,
		include_recording_in_webhook: settings.include_recording_in_webhook,
		fillers: settings.filler_audios ? 1 : 0,
		end_call_on_voicemail: settings.end_call_on_voicemail ? 1 : 0,
		max_duration: settings.max_call_duration,
		max_silence_duration: settings.max_silence_duration,
		reengagement_interval: settings.re_engagement_interval,
		min_interrupt_words: settings.min_interrupt_words,
		endpoint_sensitivity: settings.endpoint_sensitivity,
		interrupt_sensitivity: settings.interrupt_sensitivity,
		llm_temperature: decimal(settings.llm_temperature),
		voice_stability: decimal(settings.voice_stability),
		voice_similarity: decimal(settings.voice_similarity),
		speech_speed: decimal(settings.speech_speed),
		ambient_sound_volume: decimal(settings.ambient_sound_volume),
		endpoint_type: settings.endpoint_type,
		filler_config: NO_FILLERS,
		created_at: preciseTime(assistant.created_at),
		updated_at: preciseTime(assistant.updated_at),
		deleted_at: null,
	};
	const languages = state.users.get(assistant.user_id)?.languages ?? [];
	return {
		...record,
		...(isNewer && newerFields(assistant, languages, assumptions['available-models'])),
		tools:
			assumptions['assistant-tools'] === 'newer'
				? builtInTools(assistant)
				: attachedTools(state, assistant).map(toolRecord),
	};
}

/** The fields that newer assistants have, or with other values (public-service.md: Assistant: record, S1). */
const newerFields = (
	{ settings }: Assistant,
	languages: string[],
	models: Context['assumptions']['available-models'],
) => ({
	language: isoLanguage(settings.language),
	language_id: languages.indexOf(settings.language) + 1 || null,
	llm_model_id: settings.llm_model_id ?? modelNamed(settings.llm_model, 'llm', models),
	multimodal_model_id:
		settings.multimodal_model_id ?? modelNamed(settings.llm_model, settings.engine_type, models),
	ambient_sound: settings.ambient_sound ?? null,
	filler_config: { ...NO_FILLERS, ...settings.filler_config },
	knowledgebase_id: settings.knowledgebase_id ?? null,
	knowledgebase_mode: settings.knowledgebase_mode ?? null,
	synthesizer_provider_id: settings.synthesizer_provider_id ?? null,
	transcriber_provider_id: settings.transcriber_provider_id ?? null,
	ringing_time: settings.ringing_time ?? DEFAULT_RINGING_TIME,
	max_initial_silence_duration: settings.max_initial_silence_duration ?? null,
});

/** A seed has the name of a model. */
const modelNamed = (
	wanted: string,
	of: string,
	models: Context['assumptions']['available-models'],
): number | null => models.find(({ name, type }) => name === wanted && type === of)?.id ?? null;

/** The built-in tools, `{type, data}`, which mid call tools are not (public-service.md: Built-in tools, S1, S2). */
function builtInTools({ settings }: Assistant): object[] {
	const { description } = settings.end_call_tool;
	const older = description === undefined ? [] : [{ type: 'end_call', description }];
	return (settings.tools ?? older).map(({ type, ...data }) => ({ type, data }));
}
