import { pages } from '../shared/client/pages';
import { Completeness } from './completeness';
import {
	isFinished,
	listedSince,
	startOf,
	wantedSince,
	type CallsRead,
	type Cursor,
} from './cursor';
import { listCalls, type PollRun } from './listCalls';
import { toListedCall, type ListedCall } from './listedCall';
import { ListOrder } from './listOrder';
import type { CallQuery } from './selection';

/**
 * Reads the calls that a cursor does not know as finished. If the newest calls come first, it stops after
 * the oldest call that the cursor wants. Otherwise it reads all pages.
 *
 * @param cursor undefined at the first poll
 * @param now by n8n's clock
 * @throws {ServiceError} when a page cannot be read, or is no list of calls
 */
export async function readCalls(
	run: PollRun,
	query: CallQuery,
	cursor: Cursor | undefined,
	now: number,
): Promise<CallsRead> {
	const order = new ListOrder();
	const completeness = new Completeness();
	const calls: ListedCall[] = [];
	const readPage = listCalls(run, query, cursor ? listedSince(cursor) : now);
	const readEnvelope = async (page: number) => {
		const envelope = await readPage(page);
		completeness.addPage(envelope);
		return envelope;
	};

	let isWhole = true;
	for await (const rows of pages(readEnvelope)) {
		for (const row of rows) {
			completeness.addRecord(row);
			const call = toListedCall(row, query);
			if (!call) {
				run.skipped.add(row);
				continue;
			}
			order.add(call);
			if (!cursor || !isFinished(cursor, call)) calls.push(call);
		}
		if (order.isPast(cursor ? wantedSince(cursor) : startOf(order.newest))) {
			isWhole = false;
			break;
		}
	}
	const newest = Number.isFinite(order.newest) ? order.newest : undefined;
	return { calls, newest, isComplete: completeness.isComplete(isWhole) };
}
