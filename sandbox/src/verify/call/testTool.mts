/** What the service may fill into a header of a tool (assumption: tool-placeholders). */
export const PLACEHOLDERS = [
	'customer_phone',
	'assistant_phone',
	'assistant_id',
	'assistant_name',
	'current_date',
	'current_time',
] as const;

/** The header that shows whether a placeholder is filled. */
export const headerOf = (placeholder: string): string =>
	`X-Verify-${placeholder.replaceAll('_', '-')}`;

/** The text that the service replaces. */
export const placeholderText = (placeholder: string): string => `{{${placeholder}}}`;

export const TOOL_HEADERS = PLACEHOLDERS.map((placeholder) => ({
	name: headerOf(placeholder),
	value: placeholderText(placeholder),
}));

export const TOOL_PARAMETER = {
	name: 'spoken_word',
	type: 'string',
	description: 'The word that the customer said.',
};
