/** @returns {Route} */
export function readRoute() {
	const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
	const [view = '', id = ''] = path.split('/');
	return {
		view: view || 'timeline',
		id: /^\d+$/.test(id) ? Number(id) : undefined,
		query: Object.fromEntries(new URLSearchParams(query)),
	};
}

/**
 * The address of a view, or of one record in it.
 *
 * @param {string} path such as `calls` or `calls/12`
 * @param {object} [query] what is empty is left out
 */
export function toHref(path, query = {}) {
	const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
	return `#/${path}${text === '' ? '' : `?${text}`}`;
}

/** @param {Route} route */
export const toAddress = ({ view, id, query }) =>
	toHref(id === undefined ? view : `${view}/${id}`, query);

/**
 * Changes a part of the address's query, and adds nothing to the history.
 * @param {{ [name: string]: string }} changes
 */
export function changeQuery(changes) {
	const route = readRoute();
	location.replace(toAddress({ ...route, query: { ...route.query, ...changes } }));
}
