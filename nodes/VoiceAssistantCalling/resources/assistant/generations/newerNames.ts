import type { IDataObject } from 'n8n-workflow';

type Value = IDataObject[string];

/** A field of the newer generation, and how its value is made. Without `to`, it is the same. */
interface NewerField {
	name: string;
	to?: (value: Value) => Value;
}

/**
 * The fields that both generations have under different names, by their names in the contract
 * (public-service: Assistant: fields of create and update; S12a has the contract's, S1 and S2 the newer ones).
 */
export const NEWER_NAMES: Record<string, NewerField | undefined> = {
	assistant_name: { name: 'name' },
	calls_direction: { name: 'type', to: (value) => (value === 'receive' ? 'inbound' : 'outbound') },
	engine_type: { name: 'mode' },
	filler_audios: { name: 'fillers' },
	max_call_duration: { name: 'max_duration' },
	// The newer one has no switch beside the number: null is off.
	min_interrupt_words: { name: 'min_interrupt_words' },
	noise_cancellation: { name: 'enable_noise_cancellation' },
	re_engagement_interval: { name: 'reengagement_interval' },
	record_call: { name: 'record' },
	who_speaks_first: { name: 'wait_for_customer', to: (value) => value === 'Customer' },
};

/** The same, where the newer value is looked up, or is made of more than this one. */
const OTHERS: Record<string, string[]> = {
	language: ['language_id'],
	llm_model: ['llm_model_id', 'multimodal_model_id'],
	end_call_tool: [],
};

/** What the description of such a field says. */
export const NOT_EVERYWHERE = 'Some providers do not have it.';

/** The fields of the form that only the newer generation has (public-service: the same; S1, S2). */
export const NEWER_ONLY = [
	...(['ambient_sound', 'ringing_time', 'secondary_language_ids'] as const),
	...(['tools', 'voice_mail_message'] as const),
];

/** By the newer name, the name that the form sends. */
const FORM_NAMES = new Map([
	...Object.entries(NEWER_NAMES).map(([older, newer]) => [newer?.name ?? '', older] as const),
	...Object.entries(OTHERS).flatMap(([older, newer]) =>
		newer.map((name) => [name, older] as const),
	),
]);

/** The name in the contract of a value that the newer generation names otherwise; undefined for any other. */
export const formName = (newer: string): string | undefined => FORM_NAMES.get(newer);

const DIFFERENT = new Set([
	...[...Object.keys(NEWER_NAMES), ...Object.keys(OTHERS), ...NEWER_ONLY],
]);

/** The names in a body of the form that only one of the generations has. */
export const namesThatDiffer = (body: IDataObject): string[] =>
	Object.keys(body).filter((name) => DIFFERENT.has(name));

/** The newer names of one of the form. */
export const newerNames = (name: string): string[] =>
	NEWER_NAMES[name] ? [NEWER_NAMES[name].name] : (OTHERS[name] ?? [name]);

/** A body of the form in the newer names, without the values that must be looked up. */
export function renamed({ use_min_interrupt_words: isUsed, ...body }: IDataObject): IDataObject {
	const entries = Object.entries(body)
		.filter(([name]) => !(name in OTHERS))
		.map(([name, value]): [string, Value] => {
			const { name: newer, to = (same: Value) => same } = NEWER_NAMES[name] ?? { name };
			return [newer, to(value)];
		});
	const words = isUsed === false ? { min_interrupt_words: null } : {};
	return { ...Object.fromEntries(entries), ...words };
}
