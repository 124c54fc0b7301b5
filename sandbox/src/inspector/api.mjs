/** Where the control API is: the page's own folder. */
const BASE = new URL('./', location.href);

/** Happens on the window once a request of this page has changed the sandbox. */
export const CHANGED = 'sandbox-changed';

/** A refused request, or none at all: then the status is 0. */
export class ApiFailure extends Error {
	/** @param {number} status @param {string} message */
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/**
 * A URL of the control API.
 *
 * @param {string} path such as `records/calls`
 * @param {object} [query] what is empty is left out
 */
export function toUrl(path, query = {}) {
	const url = new URL(path, BASE);
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
	}
	return url;
}

/**
 * Asks the control API for JSON.
 * @type {(path: string, query?: object, options?: RequestInit) => Promise<Row>}
 * @throws {ApiFailure}
 */
export async function ask(path, query, options) {
	const response = await fetch(toUrl(path, query), options).catch(() => {
		throw new ApiFailure(0, 'The sandbox does not answer.');
	});
	const body = await response.json().catch(() => ({}));
	if (response.ok) return body;
	const fields = Object.values(body.errors ?? {}).flat();
	const message = body.message ?? `The sandbox answered ${response.status}.`;
	throw new ApiFailure(response.status, fields.length > 0 ? fields.join(' ') : message);
}

/**
 * Changes the sandbox.
 * @type {(method: 'POST' | 'DELETE', path: string, input?: object) => Promise<Row>}
 * @throws {ApiFailure}
 */
export async function change(method, path, input) {
	const headers = { 'content-type': 'application/json' };
	const result = await ask(
		path,
		{},
		{ method, ...(input && { headers, body: JSON.stringify(input) }) },
	);
	dispatchEvent(new Event(CHANGED));
	return result;
}
