/**
 * Tells whether a value can stand for an id of the service: a whole number from 1, written plainly.
 * Anything else would change the address of the request (`../calls`, `1?x=1`) or mean another record
 * than the one that was meant (`1e3`).
 *
 * @param value what the user entered or an expression gave
 */
export const isId = (value: unknown): boolean =>
	(typeof value === 'string' || typeof value === 'number') && /^[1-9]\d{0,14}$/.test(String(value));
