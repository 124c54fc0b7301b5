/**
 * A time of the sandbox in UTC, to the second.
 * @param {number | string | null | undefined} time milliseconds, ISO, or the service's own form
 */
export function dateTime(time) {
	if (time === null || time === undefined) return '';
	if (typeof time === 'string' && !time.includes('T')) return time;
	return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/**
 * Only the time of a moment on the sandbox's present day, with the day in the present year, otherwise the date.
 * @type {(time: number | string, now: string) => string}
 */
export function shortTime(time, now) {
	const text = dateTime(time);
	if (text.slice(0, 10) === now.slice(0, 10)) return text.slice(11);
	if (text.slice(0, 4) !== now.slice(0, 4)) return text.slice(0, 10);
	return `${DAY.format(new Date(text.slice(0, 10)))} ${text.slice(11, 16)}`;
}

/** So long a URL is shown whole. */
const WHOLE_URL = 44;

/** Of a longer one, its server, and so much of the end of its path. */
const END_OF_PATH = 15;

/** A URL in a text, without the punctuation after it. */
const URL_IN_TEXT = /(https?:\/\/[^\s,;"“”/]+\/)([^\s,;"“”]*[^\s,;"“”.:)])/g;

/**
 * A text in which long URLs have their server and the end of their path.
 * @param {string} text
 */
export const shortUrls = (text) =>
	text.replaceAll(URL_IN_TEXT, (url, /** @type {string} */ server, /** @type {string} */ rest) => {
		if (url.length <= WHOLE_URL) return url;
		const [path = ''] = rest.split('?');
		return server + (path.length > END_OF_PATH ? `…${path.slice(-END_OF_PATH)}` : path);
	});

/** @param {number} seconds */
export function duration(seconds) {
	if (seconds < 60) return `${seconds}\u00a0s`;
	const rest = seconds % 60;
	return `${Math.floor(seconds / 60)}\u00a0min${rest === 0 ? '' : ` ${rest}\u00a0s`}`;
}

/** @param {number | string | null | undefined} amount */
export const cents = (amount) =>
	amount === null || amount === undefined ? '' : Number(amount).toFixed(2);

/** The service names no currency. @param {number | string | null | undefined} amount */
export const money = (amount) => cents(amount) && `${cents(amount)}\u00a0units`;

/** A footnote to them. */
export const UNITS = 'Units are those of your provider: the service names no currency.';

/** @param {number} count @param {string} one such as "call" */
export const counted = (count, one) =>
	`${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** @param {unknown} value */
export const pretty = (value) =>
	typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** @param {number | null | undefined} ms real milliseconds */
export const latency = (ms) => (ms === null || ms === undefined ? '' : `${Math.round(ms)}\u00a0ms`);
