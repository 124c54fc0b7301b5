import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Schema } from './openapi.mts';

/** What the newer generation of assistants has beside the contract, or with wider limits, and a field sends. */
const FIELDS = [
	...(['ambient_sound', 'ringing_time', 'secondary_language_ids', 'tools'] as const),
	...([
		'voice_mail_message',
		'initial_message',
		'max_silence_duration',
		'post_call_schema',
	] as const),
];

type Schemas = Record<string, Schema | undefined>;

/**
 * Those fields of an assistant that only the newer generation has, or that differ in their limits.
 *
 * @param path of contract/newer.yaml
 */
export async function readNewerAssistant(path: string): Promise<Schema> {
	const { 'assistant-fields': schemas } = parse(await readFile(path, 'utf8')) as {
		'assistant-fields': Schemas;
	};
	const { AssistantFields: fields, AssistantCreate: create } = schemas;
	const properties = FIELDS.map((name) => {
		const field = { ...fields?.properties?.[name], ...create?.properties?.[name] };
		// A user enters the names of languages, and the node looks up their IDs.
		return [name, name === 'secondary_language_ids' ? { type: 'string' } : field] as const;
	});
	return { properties: Object.fromEntries(properties) };
}
