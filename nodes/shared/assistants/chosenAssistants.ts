import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InvalidInput } from '../client/errors';
import { isId } from '../values/ids';
import { asText, isRecord, recordsIn } from '../values/json';

/** The value of a picker: its entry or ID. An expression for the whole picker gives the ID itself. */
const enteredId = (locator: unknown): string =>
	asText(isRecord(locator) ? locator.value : locator).trim();

/** A field with several pickers. */
interface Pickers {
	name: string;
	/** The name of each picker. */
	picker: string;
	label: string;
	/** What the user can do about a wrong entry. */
	nextStep: string;
}

/**
 * Reads what the user chose in a field with several pickers.
 *
 * @returns each ID once, in the order of the screen; none when the field is empty
 * @throws {InvalidInput} when an entry is empty or not an ID
 */
export function chosenIds(
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
	{ name, picker, label, nextStep }: Pickers,
): number[] {
	const entries = recordsIn(context.getNodeParameter(`${name}.values`, []));
	const entered = entries.map((entry) => enteredId(entry[picker]));
	const wrong = entered.findIndex((id) => !isId(id));
	if (wrong >= 0) {
		const value = entered[wrong];
		throw new InvalidInput({
			message: value
				? `'${label}' → ${wrong + 1} must be an ID, a whole number from 1 (the value is: ${value})`
				: `'${label}' → ${wrong + 1} is empty`,
			nextStep,
		});
	}
	return [...new Set(entered.map(Number))];
}

/** Reads the assistants that the user chose in `assistantsField`, see {@link chosenIds}. */
export const chosenAssistants = (
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
): number[] =>
	chosenIds(context, {
		name: 'assistants',
		picker: 'assistantId',
		label: 'Assistants',
		nextStep: 'Choose an assistant, or remove the entry.',
	});
