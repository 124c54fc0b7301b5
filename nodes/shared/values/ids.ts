/**
 * Tells whether a value can be an id of the service: a whole number from 1, in digits only. Any other
 * value could change the URL of the request (`../calls`, `1?x=1`) or name the wrong record (`1e3`).
 *
 * @param value that the user entered or an expression gave
 */
export const isId = (value: unknown): boolean =>
	(typeof value === 'string' || typeof value === 'number') && /^[1-9]\d{0,14}$/.test(String(value));

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a value is a UUID, as some deliveries have it for the assistant (public-service: id-form; S9). */
export const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);
