/** @typedef {import('../api.mjs').Row} Row */
/** @typedef {import('../list.mjs').ListState} ListState */
/** @typedef {import('../route.mjs').Route} Route */
/** @typedef {import('../dom.mjs').Children} Children */

/**
 * What a view works with.
 * @typedef {object} Context
 * @property {Route} route
 * @property {ListState} state of the view's list
 * @property {string} now the sandbox's time
 * @property {() => void} refresh loads and shows the view again
 */

/**
 * A page of the inspector.
 * @typedef {object} View
 * @property {string} title
 * @property {(context: Pick<Context, 'route' | 'state'>) => Promise<Row>} load what it shows
 * @property {(data: Row, context: Context) => Children[]} render
 */

export {};
