import type { AssistantSettings, Call } from '../store/records.mts';

/** `{customer_name}` or `{{ customer_name }}` (assumptions: greeting-placeholders). */
const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}|\{([\w-]+)\}/g;

/** The assistant's first message, with the variables of the call in their places. */
export function greeting(
	{ initial_message }: AssistantSettings,
	{ input_variables }: Call,
): string {
	const variables = new Map(Object.entries(input_variables));
	return initial_message.replaceAll(PLACEHOLDER, (place, doubled?: string, single?: string) => {
		const value = variables.get(doubled ?? single ?? '');
		if (value === undefined || value === null) return place;
		return typeof value === 'string' ? value : JSON.stringify(value);
	});
}
