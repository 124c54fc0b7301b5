import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';

import { pages } from '../shared/client/pages';
import { forEachQuery } from './forEachQuery';
import { listCalls, type PollRun } from './listCalls';
import { toListedCall, type ListedCall } from './listedCall';
import { ListOrder } from './listOrder';
import type { CallQuery, Selection } from './selection';

/** Of each query. A test needs one call, which is not worth reading a long history. */
const MAX_PAGES = 10;

const NO_CALL =
	'There is no finished call to show: none was found for the assistants, campaigns and filters of this node. Let an assistant make a call, or choose others.';

/** The one of two calls that was created later. */
const newer = (a?: ListedCall, b?: ListedCall) => (!a || (b && b.createdAt > a.createdAt) ? b : a);

/** The newest match of a query. If its newest calls come first, no page after the match is read. */
async function newestMatch(
	run: PollRun,
	query: CallQuery,
	matches: Selection['matches'],
): Promise<ListedCall | undefined> {
	const order = new ListOrder();
	let newest: ListedCall | undefined;
	let pageCount = 0;
	for await (const rows of pages(listCalls(run, query))) {
		for (const row of rows) {
			const call = toListedCall(row, query);
			if (!call) {
				run.skipped.add(row);
				continue;
			}
			order.add(call);
			if (call.isFinal && matches(call.json)) newest = newer(newest, call);
		}
		pageCount++;
		if (pageCount === MAX_PAGES || (newest && order.isPast(newest.createdAt))) break;
	}
	return newest;
}

/**
 * Reads the newest finished call that matches, for a manual run.
 *
 * @throws {NodeOperationError} when there is none, {ServiceError} when a list cannot be read
 */
export async function readNewestCall(
	run: PollRun,
	{ queries, matches }: Selection,
): Promise<INodeExecutionData> {
	const found = await forEachQuery(queries, (query) => newestMatch(run, query, matches));
	const newest = found.map(({ result }) => result).reduce(newer, undefined);
	if (!newest) throw new NodeOperationError(run.context.getNode(), NO_CALL);
	return { json: newest.json };
}
