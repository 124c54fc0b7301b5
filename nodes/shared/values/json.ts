import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object, and no text, list or null. */
export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A list. The framework in which the service is written can send one as an object whose keys are numbers
 * (public-service: Forms that no source shows).
 */
export function asList(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (!isRecord(value)) return undefined;
	const keys = Object.keys(value);
	const isList = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
	return isList ? Object.values(value) : undefined;
}

/** The objects in a list; none when the value is no list. */
export const recordsIn = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];

/** A text or number as text; empty for any other value. */
export const asText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * A text or a number of JSON. A text that breaks off reaches to the end: without `$`, each quote in it would
 * begin another search up to the end.
 */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d[\d.eE+-]*/g;

const LONG_INTEGER = /^-?\d{16,}$/;

const isInexact = (token: string): boolean =>
	LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token));

/** Whether JSON can have an integer that a number cannot hold exactly. */
const mayBeInexact = (text: string): boolean => /\d{16}/.test(text);

/**
 * Parses JSON. An integer that a number cannot hold exactly (from 2^53) becomes a text with the same
 * digits, because `JSON.parse` would round it, and an ID would be another one.
 *
 * @throws {SyntaxError} when the text is no JSON
 */
export function parseJson(text: string): unknown {
	if (!mayBeInexact(text)) return JSON.parse(text);
	return JSON.parse(
		text.replace(TEXT_OR_NUMBER, (token) => (isInexact(token) ? `"${token}"` : token)),
	);
}

/** n8n cannot store data that are nested deeper by far (n8n.md#many-items), and no record of the service is. */
export const MAX_LEVELS = 100;

/** Whether objects and lists are nested in more levels. */
export const isDeeperThan = (levels: number, value: unknown): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)));
