import type { IDataObject } from 'n8n-workflow';

import { isHidden, tellsPerson } from '../shared/answers/caller';
import { internationalNumber } from '../shared/fields/phoneNumbers';
import type { Header } from '../shared/midCallTools/toolCall';
import { toNumber } from '../shared/values/conversions';
import { isUuid } from '../shared/values/ids';
import { asText } from '../shared/values/json';

/** What a service can say of the call in which the tool is used. */
export interface CallDetail {
	/** In the item. */
	name: string;
	/** What the service replaces by the value (contract/assumptions.yaml, tool-placeholders). */
	placeholder: string;
}

/**
 * The details that a service certainly can put into a header. The name of an assistant can have characters
 * that HTTP does not allow there, and the tool call could fail.
 */
export const USUAL_DETAILS: CallDetail[] = [
	'customer_phone',
	'assistant_phone',
	'assistant_id',
].map((name) => ({ name, placeholder: `{{${name}}}` }));

/** The headers of all details begin with this, so no detail replaces another header of the request. */
const DETAIL_PREFIX = 'X-Call-';

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The name of a detail's header. It has no underscores, because some proxies drop such headers. */
const headerName = (name: string): string =>
	DETAIL_PREFIX + name.split('_').map(capitalised).join('-');

/** The headers of the tool whose values the service fills in with each call. */
export const detailHeaders = (details: CallDetail[]): Header[] =>
	details.map(({ name, placeholder }) => ({ name: headerName(name), value: placeholder }));

const PLAIN_NAME = /^[\w.-]+$/;

/** Completes what a user enters for a placeholder: `customer_phone` is `{{customer_phone}}`. */
export const toPlaceholder = (text: string): string =>
	PLAIN_NAME.test(text) ? `{{${text}}}` : text;

/** A placeholder that the service did not replace, or replaced by another one or by nothing. */
const UNFILLED = /^(\{\{[^{}]*\}\}|null|none|undefined)$/i;

/** Node reads headers as Latin-1, and services write UTF-8. A text that is no UTF-8 stays as it is. */
function decode(value: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
	} catch {
		return value;
	}
}

/** A number as all nodes write it. A suppressed one, such as `anonymous`, is none. */
const toPhoneNumber = (text: string): string | undefined =>
	isHidden(text) ? undefined : internationalNumber(text, '');

const CONVERSIONS = new Map<string, (text: string) => IDataObject[string]>([
	['customer_phone', toPhoneNumber],
	['assistant_phone', toPhoneNumber],
	['assistant_id', toNumber],
]);

/** The values of each header, by its name in lower case. Node joins them in `headers`. */
function headerValues(rawHeaders: string[]): Map<string, string[]> {
	const values = new Map<string, string[]>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]?.toLowerCase() ?? '';
		values.set(name, [...(values.get(name) ?? []), rawHeaders[index + 1] ?? '']);
	}
	return values;
}

/**
 * Reads what the service says of the call, without what it did not fill in. A detail that comes twice is
 * left out: a value with a line break, filled in by a careless service, could have added one of them.
 *
 * @param details that were registered
 * @param rawHeaders of the tool's request: names and values in turn
 */
export function readCallDetails(details: CallDetail[], rawHeaders: string[]): IDataObject {
	const received = headerValues(rawHeaders);
	return Object.fromEntries(
		details.flatMap(({ name, placeholder }): Array<[string, IDataObject[string]]> => {
			const [value = '', ...others] = received.get(headerName(name).toLowerCase()) ?? [];
			const text = decode(value).trim();
			const isUnfilled = text === '' || text === placeholder || UNFILLED.test(text);
			if (isUnfilled || others.length > 0) return [];
			const toType = CONVERSIONS.get(name) ?? String;
			const typed = toType(text);
			if (typed === undefined) return [];
			// As in a delivery of a call (public-service: id-form; S9).
			return [[name === 'assistant_id' && isUuid(typed) ? 'assistant_uuid' : name, typed]];
		}),
	);
}

/** Details that two people on the phone at the same time do not share, by name or placeholder. */
const PERSONS_PHONE = /(customer|caller|client|contact|lead)_?(phone|number)|caller_?id/i;
const PERSON_OR_CALL = /(customer|client|contact|lead)_?id|(call|session|conversation)_?(s|uu)?id/i;

/**
 * Whether the service says who calls, or which call it is. The numbers of the assistant are the same for
 * everybody.
 *
 * @param call what the service says, see {@link readCallDetails}
 */
export const tellsWhoCalls = (details: CallDetail[], call: IDataObject): boolean =>
	details.some(({ name, placeholder }) => {
		const detail = `${name} ${placeholder}`;
		if (call[name] === undefined) return false;
		return PERSONS_PHONE.test(detail)
			? tellsPerson(asText(call[name]))
			: PERSON_OR_CALL.test(detail);
	});
