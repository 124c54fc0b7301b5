/**
 * A record as the control API shows it. Which fields it has: sandbox/control.md.
 * @typedef {{ [field: string]: any }} Row
 */

/** Where the control API is: the page's own folder. */
const BASE = new URL('./', location.href);

/** A refused request, or none at all: then the status is 0. */
export class ApiFailure extends Error {
	/**
	 * @param {number} status
	 * @param {string} message
	 */
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/**
 * Asks the control API.
 *
 * @param {string} path such as `records/calls`
 * @param {{ method?: string, input?: object, query?: { [name: string]: unknown } }} [options] `query`:
 *   what is empty is left out
 * @returns {Promise<Row>} the response's JSON
 * @throws {ApiFailure}
 */
export async function ask(path, { method = 'GET', input, query = {} } = {}) {
	const url = urlOf(path);
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== null && value !== '') {
			url.searchParams.set(name, String(value));
		}
	}
	const response = await fetch(url, {
		method,
		...(input && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }),
	}).catch(() => {
		throw new ApiFailure(0, 'The sandbox does not answer.');
	});
	const body = await response.json().catch(() => ({}));
	if (!response.ok) throw new ApiFailure(response.status, messageOf(response.status, body));
	return body;
}

/**
 * A URL of the control API.
 *
 * @param {string} path
 */
export const urlOf = (path) => new URL(path, BASE);

/**
 * @param {number} status
 * @param {Row} body
 */
function messageOf(status, { message, errors }) {
	const fields = Object.values(errors ?? {}).flat();
	return fields.length > 0 ? fields.join(' ') : (message ?? `The sandbox answered ${status}.`);
}
