import type { Response } from '../client.mts';
import { isObject } from '../describe.mts';
import { CannotCheck } from '../stop.mts';

/** A record of a list. */
export interface Row {
	[field: string]: unknown;
}

/** How a list wraps its records. `bare` is a list without an envelope. */
export type Envelope = 'flat' | 'meta' | 'bare';

/** A page of a list, whichever envelope it has. */
export interface Page {
	envelope: Envelope;
	rows: Row[];
	/** The fields of the envelope, by the names of the flat form. */
	fields: Row;
}

/** The names of the links, which the form with `meta` has in `links`. */
const LINKS = {
	first: 'first_page_url',
	last: 'last_page_url',
	prev: 'prev_page_url',
	next: 'next_page_url',
};

/** Reads a list. @returns undefined when the response is none */
export function readPage({ status, body }: Response): Page | undefined {
	if (status !== 200) return undefined;
	if (Array.isArray(body)) return { envelope: 'bare', rows: body.filter(isObject), fields: {} };
	if (!isObject(body) || !Array.isArray(body['data'])) return undefined;
	const { data, ...fields } = body;
	const rows = (data as unknown[]).filter(isObject);
	const { meta, links } = fields;
	if (!isObject(meta)) return { envelope: 'flat', rows, fields };
	const linked = Object.entries(LINKS).flatMap(([name, flatName]) =>
		isObject(links) && name in links ? [[flatName, links[name]] as const] : [],
	);
	return { envelope: 'meta', rows, fields: { ...meta, ...Object.fromEntries(linked) } };
}

/** Whether a query is refused, with one of the statuses for that (assumption: validation-status). */
export const isRefused = ({ status }: Pick<Response, 'status'>): boolean =>
	status === 400 || status === 422;

/** Reads a list. @throws {CannotCheck} when the response is none */
export function requirePage(response: Response, what: string): Page {
	const page = readPage(response);
	if (page) return page;
	throw new CannotCheck(`The list of ${what} could not be read (${response.status}).`);
}
