import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';
import { serviceText } from '../values/serviceText';
import type { FieldErrors } from './errors';

/** The most messages that are kept: nobody reads more, and n8n stores and logs every error. */
const MAX_MESSAGES = 20;

const MAX_NAME_LENGTH = 100;

/** What the service says about a failure. All texts are fit to be shown. */
export interface ErrorBody {
	/** Undefined when there are no words. */
	message?: string;
	/** The first messages about fields; undefined when there are none. */
	errors?: FieldErrors;
	/** How many messages are left out. */
	omitted: number;
}

/** Whether a word says that a request failed: `error`, or `fail` of JSend. */
export const isFailureWord = (value: unknown): boolean =>
	typeof value === 'string' && /^(error|fail(ed|ure)?|nok|ko)$/i.test(value);

/** The first element of a page for a browser, behind what may be in front of it. XML begins with another one. */
const FIRST_ELEMENT =
	/^\s*(?:<[?!][^>]*>\s*)*<(?:html|head|body|title|meta|link|script|style|div|span|center|h[1-6]|p|pre|b|a|br|hr|ul|table|form|font)(?=[\s/>]|$)/i;

/** Whether a body is a page for a browser, and neither JSON nor XML. */
export const isWebPage = (body: unknown): boolean =>
	typeof body === 'string' && FIRST_ELEMENT.test(body);

/** The text in XML, and any other text. */
const wordsInText = (text: string): string =>
	text.trim().startsWith('<')
		? text.replace(/<!\[CDATA\[|\]\]>/g, ' ').replace(/<[^<>]*>/g, ' ')
		: text;

/** A value of `errors`, or of a part of it, and the name of its field; empty when there is none. */
type Named<Value> = [field: string, value: Value];

const inside = (field: string, key: string) => (field ? `${field}.${key}` : key);

const isText = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/** Where a failure has its words, the best ones first: `error` and `title` can be a code beside a sentence. */
const WORDS = ['message', 'msg', 'error_description', 'error_message', 'detail', 'error', 'title'];

const wordsIn = (value: IDataObject): string | undefined =>
	WORDS.map((name) => value[name]).find(isText);

/** The field that an entry of a list is about: `field`, `loc` (FastAPI) or `source.pointer` (JSON:API). */
function fieldOf({ field, loc, source }: IDataObject): string | undefined {
	if (typeof field === 'string') return field;
	const pointer = isRecord(source) ? asText(source.pointer).split('/') : [];
	const names = Array.isArray(loc) ? loc.map(asText) : pointer;
	return names.join('.').replace(/^(body\.|\.(data\.(attributes\.)?)?)/, '') || undefined;
}

/** An entry of a list can name its field: `{"field": "name", "message": "Too long."}`. */
function namedEntry(field: string, entry: unknown): Named<unknown> {
	if (!isRecord(entry)) return [field, entry];
	const { message, ...others } = entry;
	delete others.field;
	const name = fieldOf(entry);
	const words = wordsIn(entry);
	if (name !== undefined) return [inside(field, name), message ?? words ?? others];
	return [field, words ?? entry];
}

function parts(field: string, value: object): Array<Named<unknown>> {
	if (Array.isArray(value)) return (value as unknown[]).map((entry) => namedEntry(field, entry));
	return Object.entries(value).map(([key, entry]) => [inside(field, key), entry]);
}

/**
 * The messages in `errors`, in their order, with the name of the field: `variables.email`. Without
 * recursion: a service can send 10,000 levels.
 */
function* messagesIn(errors: unknown): Generator<Named<string | number | boolean>> {
	const open: Array<Named<unknown>> = [['', errors]];
	for (let next = open.pop(); next; next = open.pop()) {
		const [field, value] = next;
		if (typeof value === 'object' && value !== null) {
			for (const part of parts(field, value).reverse()) open.push(part);
		} else if (
			typeof value === 'string' ||
			typeof value === 'number' ||
			typeof value === 'boolean'
		) {
			yield [field, value];
		}
	}
}

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** One text, or several as sentences. */
function joined(texts: string[]): string | undefined {
	const [first, ...others] = new Set(texts);
	return others.length === 0 ? first : [first ?? '', ...others].map(asSentence).join(' ');
}

/**
 * Reads the body of a failed request, in the documented shape (contract: Errors) or in another common
 * shape.
 *
 * @param body parsed JSON, or text
 * @param secret that no text may show
 */
export function readErrorBody(body: unknown, secret: string): ErrorBody {
	if (!isRecord(body)) {
		const isShown = isText(body) && !isWebPage(body);
		return {
			message: isShown ? serviceText(wordsInText(body), secret) || undefined : undefined,
			omitted: 0,
		};
	}
	const { error, detail, status, data } = body;
	const summary = wordsIn(body) ?? (isRecord(error) ? wordsIn(error) : undefined);
	// JSend has the fields in `data`.
	const fields = [typeof detail === 'object' && detail, isFailureWord(status) && data];
	const errors = body.errors ?? fields.find(Boolean);
	const texts = summary === undefined ? [] : [serviceText(summary, secret)];
	const byField = new Map<string, string[]>();
	let count = 0;
	for (const [field, value] of messagesIn(errors)) {
		if (field === '' && !isText(value)) continue;
		count++;
		if (count > MAX_MESSAGES) continue;
		const name = serviceText(field, secret, MAX_NAME_LENGTH);
		const text = serviceText(String(value), secret);
		if (name === '') texts.push(text);
		else byField.set(name, [...(byField.get(name) ?? []), text]);
	}
	const words = joined(texts);
	return {
		message: words === undefined ? undefined : serviceText(words),
		errors: byField.size > 0 ? Object.fromEntries(byField) : undefined,
		omitted: Math.max(0, count - MAX_MESSAGES),
	};
}
