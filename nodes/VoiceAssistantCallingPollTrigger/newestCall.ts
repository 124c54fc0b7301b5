import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { lastPage, rowsIn } from '../shared/client/pages';
import { recordShapes } from '../shared/records/recordShapes';
import { forEachQuery, listCalls, type PollRun } from './listCalls';
import { toListedCall, type ListedCall } from './listedCall';
import { ListOrder } from './listOrder';
import type { CallQuery, Selection } from './selection';

/** A test needs one call, which is not worth reading a long history. */
const MAX_PAGES = 10;

const NO_CALL =
	'There is no finished call to show: none was found for the assistants, campaigns and filters of this node. Let an assistant make a call, or choose others.';

/** The one of two calls that was created later. */
const newer = (a?: ListedCall, b?: ListedCall) => (!a || (b && b.createdAt > a.createdAt) ? b : a);

/** The newest match of a query. If the newest calls do not come first, they are looked for at the end. */
async function newestMatch(
	run: PollRun,
	query: CallQuery,
	matches: Selection['matches'],
): Promise<ListedCall | undefined> {
	const readPage = listCalls(run, query);
	const callsIn = (envelope: IDataObject) =>
		rowsIn(envelope).flatMap((row) => {
			const call = toListedCall(row, query);
			if (!call) run.skipped.push(row);
			return call ?? [];
		});
	const newestIn = (calls: ListedCall[]) =>
		calls.filter((call) => call.isOver && matches(call.json)).reduce(newer, undefined);
	const first = await readPage(1);
	const calls = callsIn(first);
	const last = lastPage(first, 1);
	const order = new ListOrder();
	for (const call of calls) order.add(call);
	let newest = newestIn(calls);
	if (newest && order.isNewestFirst) return newest;
	for (let turn = 1; turn < Math.min(last, MAX_PAGES); turn++) {
		const page = order.isNewestFirst ? turn + 1 : last + 1 - turn;
		const found = newestIn(callsIn(await readPage(page)));
		newest = newer(newest, found);
		if (found) return newest;
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
	const newest = found.reduce(newer, undefined);
	if (!newest) throw new NodeOperationError(run.context.getNode(), NO_CALL);
	return { json: run.unexpected.note(newest.json, recordShapes.call) };
}
