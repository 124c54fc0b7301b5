import { Refusal } from '../base/response.mts';

/** Deeper nesting than this is no request of a person or program that means well. */
const MAX_DEPTH = 64;

/**
 * Reads the body of a request.
 * @param limit in bytes
 * @throws {Refusal} 413, 415 or 400 (assumptions: request-size-limit, content-type, unreadable-body)
 */
export function readBody(raw: Buffer, contentType: string | undefined, limit: number): unknown {
	refuseLarge(raw, limit);
	if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
		throw new Refusal(415, 'The request body must be sent as Content-Type: application/json.');
	}
	return readJson(raw, limit);
}

/**
 * Reads bytes as JSON, whatever they were declared as.
 * @param limit in bytes
 * @throws {Refusal} 413 or 400 (assumptions: request-size-limit, unreadable-body)
 */
export function readJson(raw: Buffer, limit: number): unknown {
	refuseLarge(raw, limit);
	const value = parse(raw);
	if (isDeeperThan(value, MAX_DEPTH)) {
		throw new Refusal(400, `The request body is nested deeper than ${MAX_DEPTH} levels.`);
	}
	return value;
}

function refuseLarge(raw: Buffer, limit: number): void {
	if (raw.length > limit) {
		throw new Refusal(413, `The request body is larger than ${limit} bytes.`);
	}
}

function parse(raw: Buffer): unknown {
	let text: string;
	try {
		text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
	} catch {
		throw new Refusal(400, 'The request body is not valid UTF-8.');
	}
	try {
		return JSON.parse(text);
	} catch {
		throw new Refusal(400, 'The request body is not valid JSON.');
	}
}

/** Walks level by level, not recursively: the value may be deep enough to exhaust the stack. */
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
