/** Headers that matter to the service; curl sends the others by itself. */
const SENT = ['accept', 'content-type'];

/**
 * The command that sends a request of the log again, for a shell in which TOKEN is the API token.
 * @type {(request: Row, origin: string) => string}
 */
export function toCurl({ method, path, query, body, request_headers: headers }, origin) {
	const url = new URL(path, origin);
	for (const [name, value] of Object.entries(query ?? {})) {
		for (const one of [value].flat()) url.searchParams.append(name, String(one));
	}
	const given = Object.entries(headers ?? { 'content-type': 'application/json' });
	const sent = given.filter(([name]) => SENT.includes(name.toLowerCase()));
	const hasToken = headers === undefined || 'authorization' in headers;
	return [
		`curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url.href)}`,
		hasToken && '-H "Authorization: Bearer $TOKEN"',
		...sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
		body !== null &&
			body !== undefined &&
			`--data-raw ${quoted(typeof body === 'string' ? body : JSON.stringify(body))}`,
	]
		.filter(Boolean)
		.join(' \\\n  ');
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
