import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';
import { serviceText } from '../values/serviceText';
import type { FieldErrors } from './errors';

/** The most messages that are kept: nobody reads more, and n8n stores and logs every error. */
const MAX_MESSAGES = 20;

const MAX_NAME_LENGTH = 100;

/** Of a body that has no words, in characters. */
const MAX_BEGINNING = 200;

/** What the service says about a failure. All texts are fit to be shown. */
export interface ErrorBody {
	/** Undefined when there are no words. */
	message?: string;
	/** How a body of another form begins; undefined when it has words, is empty, or is no object or list. */
	beginning?: string;
	/** The first messages about fields; undefined when there are none. */
	errors?: FieldErrors;
	/** How many messages are left out. */
	omitted: number;
}

/** Whether a body is a page for a browser. */
export const isWebPage = (body: unknown): boolean =>
	typeof body === 'string' && /^\s*(?:<[?!][^>]*>\s*)*<(?:html|head|body)\b/i.test(body);

const isText = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** One text, or several as sentences. */
function joined(texts: string[]): string | undefined {
	const [first, ...others] = new Set(texts);
	return others.length === 0 ? first : [first ?? '', ...others].map(asSentence).join(' ');
}

/** The messages of a field. One that is no text is shown as it came. */
const messagesOf = (value: unknown): string[] =>
	[value].flat().map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));

/**
 * Reads the body of a failed request: `message`, and `errors` by field (contract: Errors), and `error`, which
 * has the reason or the whole text (public-service: Errors; S1, S2).
 *
 * @param body parsed JSON, or text, which is shown unless it is a web page
 * @param secret that no text may show
 */
export function readErrorBody(body: unknown, secret: string): ErrorBody {
	const { message, error, errors }: IDataObject = isRecord(body) ? body : {};
	const words = [isRecord(body) ? message : body, error]
		.filter(isText)
		.filter((text) => !isWebPage(text))
		.map((text) => serviceText(text, secret));
	const byField = isRecord(errors) ? Object.entries(errors) : [];
	const messages = byField.flatMap(([field, value]) =>
		messagesOf(value).map((text) => [field, text] as const),
	);
	const kept = new Map<string, string[]>();
	for (const [field, text] of messages.slice(0, MAX_MESSAGES)) {
		const name = serviceText(field, secret, MAX_NAME_LENGTH);
		kept.set(name, [...(kept.get(name) ?? []), serviceText(text, secret)]);
	}
	const text = joined(words);
	const hasContent = typeof body === 'object' && Object.keys(body ?? {}).length > 0;
	const isOther = text === undefined && messages.length === 0 && hasContent;
	return {
		message: text === undefined ? undefined : serviceText(text),
		beginning: isOther ? serviceText(JSON.stringify(body), secret, MAX_BEGINNING) : undefined,
		errors: kept.size > 0 ? Object.fromEntries(kept) : undefined,
		omitted: Math.max(0, messages.length - MAX_MESSAGES),
	};
}
