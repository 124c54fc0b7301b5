import { DateTime } from 'luxon';

import type { TOOL_PLACEHOLDERS } from '../contract/assumptionFormat.mts';
import type { Context } from '../domain/context.mts';
import type { Assistant, Call, Tool, Variables } from '../store/records.mts';

type Placeholder = (typeof TOOL_PLACEHOLDERS)[number];

const PLACEHOLDER = /\{\{ *(\w+) *\}\}/g;
const PARAMETER = /\{(\w+)\}/g;
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** A text that HTTP allows in a header: UTF-8, as bytes, without anything that could end the header. */
const asHeaderText = (text: string): string =>
	Buffer.from(text.replace(CONTROL_CHARACTERS, ' ')).toString('latin1');

/** A value as a text, as in a query. */
export const asParameterText = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value);

/**
 * URL and headers of a tool, filled with what the call has (public-service.md, "Mid call tool: request and answer":
 * S1, S2, S3; assumption: tool-placeholders).
 *
 * @param parameters of the tool, which only the URL can name
 */
export function filledTool(
	{ now, assumptions }: Context,
	{ endpoint, headers }: Tool,
	call: Call,
	{ id, settings }: Assistant,
	parameters: Variables,
): Pick<Tool, 'endpoint' | 'headers'> {
	const time = DateTime.fromMillis(now, { zone: settings.timezone });
	const values: Record<Placeholder, string> = {
		customer_phone: call.client_phone_number,
		assistant_phone: call.assistant_phone_number,
		assistant_id: String(id),
		assistant_name: settings.assistant_name,
		current_date: time.toFormat('yyyy-MM-dd'),
		current_time: time.toFormat('HH:mm'),
	};
	const isFilled = (name: string): name is Placeholder =>
		assumptions['tool-placeholders'].some((each) => each === name);
	// Once: a value that looks like a placeholder stays as it is.
	const fill = (text: string, escape: (value: string) => string): string =>
		text.replace(PLACEHOLDER, (placeholder, name: string) =>
			isFilled(name) ? escape(values[name]) : placeholder,
		);
	const fillParameter = (place: string, name: string): string =>
		Object.hasOwn(parameters, name) ? encodeURIComponent(asParameterText(parameters[name])) : place;
	return {
		endpoint: fill(endpoint, encodeURIComponent).replace(PARAMETER, fillParameter),
		headers: headers.map(({ name, value }) => ({ name, value: fill(value, asHeaderText) })),
	};
}
