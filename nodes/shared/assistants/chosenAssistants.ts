import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InvalidInput } from '../client/errors';
import { isId } from '../values/ids';
import { asText, isRecord, recordsIn } from '../values/json';

/** The value of a picker: its entry or ID. An expression for the whole picker gives the ID itself. */
const enteredId = (locator: unknown): string =>
	asText(isRecord(locator) ? locator.value : locator).trim();

/**
 * Reads the assistants that the user chose in `assistantsField`.
 *
 * @returns each ID once, in the order of the screen; none when the field is empty
 * @throws {InvalidInput} when an entry is empty or not an ID
 */
export function chosenAssistants(
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
): number[] {
	const entries = recordsIn(context.getNodeParameter('assistants.values', []));
	const entered = entries.map(({ assistantId }) => enteredId(assistantId));
	const wrong = entered.findIndex((id) => !isId(id));
	if (wrong >= 0) {
		const value = entered[wrong];
		throw new InvalidInput({
			message: value
				? `'Assistants' → ${wrong + 1} must be an ID, a whole number from 1 (the value is: ${value})`
				: `'Assistants' → ${wrong + 1} is empty`,
			nextStep: 'Choose an assistant, or remove the entry.',
		});
	}
	return [...new Set(entered.map(Number))];
}
