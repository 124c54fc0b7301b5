import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { lastPage, pages } from '../shared/client/pages';
import { recordShapes } from '../shared/records/recordShapes';
import { recordsIn } from '../shared/values/json';
import { forEachQuery, listCalls, type PollRun } from './listCalls';
import { toListedCall, type ListedCall } from './listedCall';
import { ListOrder } from './listOrder';
import type { CallQuery, Selection } from './selection';

/** At each end of a list. A test needs one call, which is not worth reading a long history. */
const MAX_PAGES = 10;

const NO_CALL =
	'There is no finished call to show: none was found for the assistants, campaigns and filters of this node. Let an assistant make a call, or choose others.';

/** The one of two calls that was created later. */
const newer = (a?: ListedCall, b?: ListedCall) => (!a || (b && b.createdAt > a.createdAt) ? b : a);

/**
 * The newest match of a query. If its newest calls come first, no page after the match is read. In another
 * order, the last pages of a long list are read too, until one has a match.
 */
async function newestMatch(
	run: PollRun,
	query: CallQuery,
	matches: Selection['matches'],
): Promise<ListedCall | undefined> {
	const order = new ListOrder();
	const newestIn = (rows: IDataObject[]): ListedCall | undefined => {
		let newest: ListedCall | undefined;
		for (const row of rows) {
			const call = toListedCall(row, query);
			if (!call) {
				run.skipped.add(row);
				continue;
			}
			order.add(call);
			if (call.isOver && matches(call.json)) newest = newer(newest, call);
		}
		return newest;
	};

	const readPage = listCalls(run, query);
	let last = 1;
	const readEnvelope = async (page: number) => {
		const envelope = await readPage(page);
		last = lastPage(envelope, page);
		return envelope;
	};
	let newest: ListedCall | undefined;
	let pageCount = 0;
	for await (const rows of pages(readEnvelope)) {
		newest = newer(newest, newestIn(rows));
		pageCount++;
		if (newest && order.isPast(newest.createdAt)) return newest;
		if (pageCount === MAX_PAGES) break;
	}
	if (order.isNewestFirst) return newest;

	const firstUnread = Math.max(pageCount, last - MAX_PAGES) + 1;
	for (let page = last; page >= firstUnread; page--) {
		const found = newestIn(recordsIn((await readPage(page)).data));
		if (found) return newer(newest, found);
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
	return { json: run.unexpected.note(newest.json, recordShapes.call) };
}
