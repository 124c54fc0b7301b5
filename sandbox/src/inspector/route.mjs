/**
 * What the address shows: `#/calls/12?status=failed`.
 * @typedef {{ view: string, id: number | undefined, query: { [name: string]: string } }} Route
 */

/** @returns {Route} */
export function readRoute(hash = location.hash) {
	const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
	const [view = '', id] = path.split('/');
	return {
		view: view || 'timeline',
		id: /^\d+$/.test(id ?? '') ? Number(id) : undefined,
		query: Object.fromEntries(new URLSearchParams(query)),
	};
}

/**
 * The address of a view, or of one record in it.
 *
 * @param {string} view
 * @param {number | undefined} [id]
 * @param {{ [name: string]: unknown }} [query] what is empty is left out
 */
export function hrefOf(view, id, query = {}) {
	const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
	return `#/${view}${id === undefined ? '' : `/${id}`}${text === '' ? '' : `?${text}`}`;
}

/**
 * Changes a part of the address's query, and adds nothing to the history.
 * @param {{ [name: string]: string }} changes
 */
export function changeQuery(changes) {
	const { view, id, query } = readRoute();
	location.replace(hrefOf(view, id, { ...query, ...changes }));
}
