import type { FieldErrors } from '../../base/apiError.mts';
import type { Assumptions } from '../../contract/assumptions.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { AssistantSettings, User } from '../../store/records.mts';

/** The newer names of fields whose values stay the same. */
const OLDER_NAMES: { [newer: string]: keyof AssistantSettings } = {
	name: 'assistant_name',
	mode: 'engine_type',
	fillers: 'filler_audios',
	reengagement_interval: 're_engagement_interval',
	max_duration: 'max_call_duration',
	enable_noise_cancellation: 'noise_cancellation',
	record: 'record_call',
};

/** Fields of the newer generation whose values are others (contract/newer.yaml, assistant-fields). */
interface NewerFields {
	type?: Schemas['AssistantType'];
	language_id?: number;
	llm_model_id?: number;
	multimodal_model_id?: number;
	wait_for_customer?: boolean;
	min_interrupt_words?: number | null;
}

/**
 * The body of a request of the newer generation in the names of the contract; what the contract does not have
 * stays as it is (public-service.md: Assistant: fields of create and update, S1, S2).
 *
 * @param before the assistant of an update
 * @returns also which fields name something that there is not
 */
export function olderFields(
	body: NewerFields,
	user: User,
	assumptions: Assumptions,
	before?: AssistantSettings,
): { settings: Partial<AssistantSettings>; errors: FieldErrors } {
	const { type, language_id, wait_for_customer, min_interrupt_words: words, ...others } = body;
	const renamed = Object.fromEntries(
		Object.entries(others).map(([name, value]): [string, unknown] => [
			OLDER_NAMES[name] ?? name,
			value,
		]),
	) as Partial<AssistantSettings>;
	const errors: FieldErrors = {};
	const refuse = (field: string) => {
		errors[field] = [`The selected ${field.replaceAll('_', ' ')} is invalid.`];
	};

	const language = language_id === undefined ? undefined : user.languages[language_id - 1];
	if (language_id !== undefined && language === undefined) refuse('language_id');
	const mode = renamed.engine_type ?? before?.engine_type ?? 'pipeline';
	const models = assumptions['available-models'];
	const model = (id: number | undefined, of: string) =>
		models.find((each) => each.id === id && each.type === of);
	const llm = model(body.llm_model_id, 'llm');
	if (body.llm_model_id !== undefined && !llm) refuse('llm_model_id');
	const multimodal = model(body.multimodal_model_id, mode);
	if (body.multimodal_model_id !== undefined && !multimodal) refuse('multimodal_model_id');
	const used = (mode === 'pipeline' ? llm : multimodal)?.name;
	if (renamed.knowledgebase_mode === 'prompt' && mode !== 'pipeline') {
		errors['knowledgebase_mode'] = [
			'Only function_call mode is available for multimodal assistants.',
		];
	}
	return {
		settings: {
			...renamed,
			...(language !== undefined && { language }),
			...(used !== undefined && { llm_model: used }),
			...(type && { calls_direction: type === 'inbound' ? 'receive' : 'make' }),
			...(wait_for_customer !== undefined && {
				who_speaks_first: wait_for_customer ? 'Customer' : 'AI assistant',
			}),
			...(words !== undefined && {
				use_min_interrupt_words: words !== null,
				min_interrupt_words: words ?? 0,
			}),
		},
		errors,
	};
}
