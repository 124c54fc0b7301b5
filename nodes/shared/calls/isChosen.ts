import { asText } from '../values/json';

/**
 * Whether a value of a call passes a filter. No choice means any value. A call that lacks the value passes,
 * because no call must be lost for that.
 */
export const isChosen = (value: unknown, chosen: unknown[]): boolean =>
	chosen.length === 0 || asText(value) === '' || chosen.includes(value);
