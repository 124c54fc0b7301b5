import { Duration } from 'luxon';
import * as z from 'zod';

import { InvalidInput } from './invalidInput.mts';

/** Ten years, in milliseconds. */
const MAX_DURATION_MS = 10 * 366 * 24 * 60 * 60 * 1000;

/**
 * Milliseconds of an ISO 8601 duration such as `PT1M30S` or `P1D`.
 *
 * @throws {InvalidInput} when the text is no duration, negative, or longer than ten years
 */
export function milliseconds(text: string): number {
	const duration = Duration.fromISO(text);
	const ms = duration.isValid ? duration.toMillis() : NaN;
	if (ms >= 0 && ms <= MAX_DURATION_MS) return ms;
	throw new InvalidInput(
		`"${text}" is not a duration. Write it as in "PT90S", "PT1M" or "P1D", at most ten years.`,
	);
}

/** An ISO 8601 duration in an input, which stays a text. */
export const durationText = z.string().superRefine((text, { addIssue }) => {
	try {
		milliseconds(text);
	} catch (error) {
		if (!(error instanceof InvalidInput)) throw error;
		addIssue({ code: 'custom', message: error.message });
	}
});

/** An ISO 8601 duration in an input; gives milliseconds. */
export const duration = durationText.pipe(z.string().transform(milliseconds));
