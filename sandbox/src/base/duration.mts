import { Duration } from 'luxon';

import { BadInput } from './invalidInput.mts';

/** Longest span the clock may be moved at once: ten years, in milliseconds. */
const MAX_DURATION_MS = 10 * 366 * 24 * 60 * 60 * 1000;

/**
 * Milliseconds of an ISO 8601 duration such as `PT1M30S` or `P1D`.
 * @throws {BadInput} in words, when the text is no duration, negative, or longer than ten years
 */
export function milliseconds(text: string): number {
	if (!isDuration(text)) {
		throw new BadInput(
			`"${text}" is not a duration. Write it as in "PT90S", "PT1M" or "P1D", at most ten years.`,
		);
	}
	return Duration.fromISO(text).toMillis();
}

/** Whether a text is an ISO 8601 duration that is neither negative nor longer than ten years. */
export function isDuration(text: string): boolean {
	const duration = Duration.fromISO(text);
	return duration.isValid && duration.toMillis() >= 0 && duration.toMillis() <= MAX_DURATION_MS;
}
