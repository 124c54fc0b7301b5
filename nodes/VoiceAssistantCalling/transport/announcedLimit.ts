/** The rate limit of an account, as a response announces it. Times are in milliseconds since 1970. */
export interface AnnouncedLimit {
	/** How many requests a window has, if the response says it. */
	limit?: number;
	/** How many requests are left in the window. */
	remaining: number;
	/** The window does not end before this time. */
	earliestReset: number;
	/** The window has ended at this time. */
	latestReset: number;
}

type Headers = Record<string, unknown>;

/** How the fields of a response say it. Texts that no server has checked. */
interface Fields {
	limit?: string;
	remaining?: string;
	reset?: string;
}

/** The times between 2001 and 5138 as seconds since 1970. Below are waits, above are milliseconds. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MS = 1e11;

const COUNT = /^\d{1,15}$/;
const RESET = /^\d{1,15}(?:\.(\d{1,9}))?$/;

/** Each `"name";r=3;t=5` in a field, with its name and its parameters. */
const POLICIES = /"([^"]*)"((?:\s*;\s*\w+="?[^",;]*"?)*)/g;

const headerText = (headers: Headers, name: string): string =>
	typeof headers[name] === 'string' ? headers[name].trim() : '';

/** The value of `name=` in a field. */
const parameter = (text: string, name: string): string | undefined =>
	new RegExp(`(?:^|[;,\\s])${name}=([^;,\\s]*)`).exec(text)?.[1];

const toCount = (text = ''): number | undefined => (COUNT.test(text) ? Number(text) : undefined);

/** `RateLimit: "default";r=3;t=5` (draft-ietf-httpapi-ratelimit-headers-08 and later). */
function policies(headers: Headers): Fields[] {
	const quotas = new Map(
		[...headerText(headers, 'ratelimit-policy').matchAll(POLICIES)].map(([, name, text]) => [
			name,
			parameter(text ?? '', 'q'),
		]),
	);
	return [...headerText(headers, 'ratelimit').matchAll(POLICIES)].map(([, name, text = '']) => ({
		limit: quotas.get(name),
		remaining: parameter(text, 'r'),
		reset: parameter(text, 't'),
	}));
}

/** `RateLimit: limit=100, remaining=3, reset=5` (draft 7 of the same). */
function oneField(headers: Headers): Fields {
	const text = headerText(headers, 'ratelimit');
	const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
		parameter(text, name),
	);
	return { limit, remaining, reset };
}

/** `X-RateLimit-Remaining`, or `RateLimit-Remaining` (the drafts before), and so on. */
const threeFields = (headers: Headers, prefix: string): Fields => ({
	// `RateLimit-Limit: 100, 100;w=60` has the policy behind the number.
	limit: headerText(headers, `${prefix}-limit`).split(/[,;]/)[0],
	remaining: headerText(headers, `${prefix}-remaining`),
	reset: headerText(headers, `${prefix}-reset`),
});

/** @param startedAt, now when the request was sent and answered. The service counted it in between */
function toAnnounced(fields: Fields, startedAt: number, now: number): AnnouncedLimit | undefined {
	const { reset = '' } = fields;
	const remaining = toCount(fields.remaining);
	const [whole, fraction = ''] = RESET.exec(reset) ?? [];
	if (remaining === undefined || whole === undefined) return undefined;
	const value = Number(reset);
	const isInMs = value >= FIRST_EPOCH_MS;
	const isTime = value >= FIRST_EPOCH_SECONDS;
	const ms = Math.ceil(isInMs ? value : value * 1000);
	// Services round up: the window may end earlier, by less than one of the last digit.
	const rounding = isInMs ? 1 : Math.max(1, 1000 / 10 ** fraction.length);
	return {
		// A limit of 0 would let nobody in, ever.
		limit: toCount(fields.limit) || undefined,
		remaining,
		earliestReset: (isTime ? ms : startedAt + ms) - rounding,
		latestReset: isTime ? ms : now + ms,
	};
}

/**
 * Reads how many requests a service still allows, and until when: `X-RateLimit-Remaining` and `-Reset`,
 * or the IETF's `RateLimit` fields in each of their forms (assumption rate-limit-headers). A reset is a
 * wait in seconds or a time, in seconds or milliseconds since 1970; its size tells which.
 *
 * @param headers with names in lower case
 * @param startedAt, now when the request was sent, and when its response came
 * @returns the limit with the fewest requests left, if there are several; undefined when the response
 * names none, or one that cannot be read
 */
export function announcedLimit(
	headers: Headers,
	startedAt: number,
	now: number,
): AnnouncedLimit | undefined {
	const all = [
		...policies(headers),
		oneField(headers),
		threeFields(headers, 'ratelimit'),
		threeFields(headers, 'x-ratelimit'),
	];
	return all
		.flatMap((fields) => toAnnounced(fields, startedAt, now) ?? [])
		.sort((a, b) => a.remaining - b.remaining || b.latestReset - a.latestReset)[0];
}
