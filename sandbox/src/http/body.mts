import { ApiError } from '../base/apiError.mts';

const MAX_DEPTH = 64;

/** How many characters of a text the journal keeps. */
const JOURNAL_TEXT_LENGTH = 2000;

export type Body = { value: unknown } | { error: ApiError };

/**
 * Parses a body, whatever it was declared as.
 *
 * @param limit in bytes; none unless given
 * @returns the error is 413 or 400 (assumptions: request-size-limit, unreadable-body)
 */
export function parseBody(raw: Buffer, limit = Infinity): Body {
	// A GET has none: a decoder and two errors would be made for nothing.
	if (raw.length === 0) return NO_BODY;
	if (raw.length > limit) return refuse(413, `The request body is larger than ${limit} bytes.`);
	let text: string;
	try {
		text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
	} catch {
		return refuse(400, 'The request body is not valid UTF-8.');
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return refuse(400, NOT_JSON);
	}
	return isDeeperThan(value, MAX_DEPTH)
		? refuse(400, `The request body is nested deeper than ${MAX_DEPTH} levels.`)
		: { value };
}

/**
 * The value of a body that was sent as JSON.
 *
 * @throws {ApiError} 413, 415 or 400 (assumptions: request-size-limit, content-type, unreadable-body)
 */
export function requireJson(body: Body, contentType: string | undefined): unknown {
	const isJson = contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
	const isTooLarge = 'error' in body && body.error.status === 413;
	if (!isJson && !isTooLarge) {
		throw new ApiError(415, 'The request body must be sent as Content-Type: application/json.');
	}
	if ('error' in body) throw body.error;
	return body.value;
}

/** What the journal keeps of a body: its value, or the beginning of a text that is not accepted. */
export function journalBody(raw: Buffer, body: Body): unknown {
	if (raw.length === 0) return null;
	if ('value' in body) return body.value;
	// A character has four bytes at most.
	const start = raw.subarray(0, 4 * JOURNAL_TEXT_LENGTH).toString();
	return start.slice(0, JOURNAL_TEXT_LENGTH);
}

const NOT_JSON = 'The request body is not valid JSON.';

const refuse = (status: number, message: string): Body => ({
	error: new ApiError(status, message),
});

const NO_BODY = refuse(400, NOT_JSON);

/** Goes level by level, not recursively: the value may be deep enough to exhaust the stack. */
function isDeeperThan(value: unknown, limit: number): boolean {
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > limit) return true;
		level = level.flatMap((item): unknown[] =>
			typeof item === 'object' && item !== null ? Object.values(item) : [],
		);
	}
	return false;
}
