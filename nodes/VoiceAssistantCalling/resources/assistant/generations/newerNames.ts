import type { IDataObject } from 'n8n-workflow';

type Value = IDataObject[string];

/**
 * The fields that the newer generation names otherwise, by their names in the contract, with what makes their
 * values (public-service: Assistant: fields of create and update; S12a has the contract's, S1 and S2 the newer).
 */
const NEWER: Record<string, [name: string, to?: (value: Value) => Value]> = {
	assistant_name: ['name'],
	calls_direction: ['type', (value) => (value === 'receive' ? 'inbound' : 'outbound')],
	engine_type: ['mode'],
	filler_audios: ['fillers'],
	max_call_duration: ['max_duration'],
	// It has no switch beside the number: null is off.
	min_interrupt_words: ['min_interrupt_words'],
	noise_cancellation: ['enable_noise_cancellation'],
	re_engagement_interval: ['reengagement_interval'],
	record_call: ['record'],
	who_speaks_first: ['wait_for_customer', (value) => value === 'Customer'],
};

/** The same, where the newer value is looked up, or becomes a part of `tools`. */
const LOOKED_UP: Record<string, string[]> = {
	language: ['language_id'],
	llm_model: ['llm_model_id', 'multimodal_model_id'],
	end_call_tool: [],
};

/** The fields of the form that only the newer generation has (public-service: the same; S1, S2). */
export const NEWER_ONLY: string[] = [
	...['ambient_sound', 'ringing_time', 'secondary_language_ids', 'tools', 'voice_mail_message'],
];

const DIFFERENT = [...Object.keys(NEWER), ...Object.keys(LOOKED_UP), ...NEWER_ONLY];

/** The names in a body of the form that only one of the generations has. */
export const namesThatDiffer = (body: IDataObject): string[] =>
	DIFFERENT.filter((name) => name in body);

/** The newer names of one of the form. */
export const newerNames = (name: string): string[] => LOOKED_UP[name] ?? [NEWER[name]?.[0] ?? name];

/** The name in the form of a value that the newer generation names otherwise; undefined for any other. */
export const formName = (newer: string): string | undefined =>
	[...Object.keys(NEWER), ...Object.keys(LOOKED_UP)].find((name) =>
		newerNames(name).includes(newer),
	);

/** A body of the form in the newer names, without the values that are looked up. */
export function renamed({ use_min_interrupt_words: isUsed, ...body }: IDataObject): IDataObject {
	const entries = Object.entries(body)
		.filter(([name]) => !(name in LOOKED_UP))
		.map(([name, value]): [string, Value] => {
			const [newer, to = (same: Value) => same] = NEWER[name] ?? [name];
			return [newer, to(value)];
		});
	return { ...Object.fromEntries(entries), ...(isUsed === false && { min_interrupt_words: null }) };
}
