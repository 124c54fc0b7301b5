/**
 * A time of the sandbox in UTC, to the second.
 * @param {number | string | null | undefined} time milliseconds, ISO, or the service's own form
 */
export function dateTime(time) {
	if (time === null || time === undefined) return '';
	if (typeof time === 'string' && !time.includes('T')) return time;
	return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * Only the time of a moment on the sandbox's present day, otherwise with its date.
 * @type {(time: number | string, now: string) => string}
 */
export function shortTime(time, now) {
	const text = dateTime(time);
	return text.slice(0, 10) === now.slice(0, 10) ? text.slice(11) : text;
}

/** @param {number} seconds */
export function duration(seconds) {
	if (seconds < 60) return `${seconds}\u00a0s`;
	const rest = seconds % 60;
	return `${Math.floor(seconds / 60)}\u00a0min${rest === 0 ? '' : ` ${rest}\u00a0s`}`;
}

/** The service names no currency. @param {number | string | null | undefined} amount */
export const money = (amount) =>
	amount === null || amount === undefined ? '' : `${Number(amount).toFixed(2)}\u00a0units`;

export const UNITS = 'those of your provider: the service names no currency';

/** @param {number} count @param {string} one such as "call" */
export const counted = (count, one) =>
	`${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** @param {unknown} value */
export const pretty = (value) =>
	typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** @param {number | null | undefined} ms real milliseconds */
export const latency = (ms) => (ms === null || ms === undefined ? '' : `${Math.round(ms)}\u00a0ms`);
