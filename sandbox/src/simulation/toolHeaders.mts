import { DateTime } from 'luxon';

import type { TOOL_PLACEHOLDERS } from '../contract/assumptionFormat.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { Context } from '../domain/context.mts';
import type { Assistant, Call } from '../store/records.mts';

type Placeholder = (typeof TOOL_PLACEHOLDERS)[number];

const PLACEHOLDER = /\{\{ *(\w+) *\}\}/g;
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** A text that HTTP allows in a header: UTF-8, as bytes, without anything that could end the header. */
const asHeaderText = (text: string): string =>
	Buffer.from(text.replace(CONTROL_CHARACTERS, ' ')).toString('latin1');

/** Fills the headers of a tool with what the call has (assumptions: tool-placeholders). */
export function filledHeaders(
	{ now, assumptions }: Context,
	headers: Schemas['ToolHeader'][],
	call: Call,
	{ id, settings }: Assistant,
): Schemas['ToolHeader'][] {
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
	const fill = (placeholder: string, name: string) =>
		isFilled(name) ? asHeaderText(values[name]) : placeholder;
	return headers.map(({ name, value }) => ({ name, value: value.replace(PLACEHOLDER, fill) }));
}
