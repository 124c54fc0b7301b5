import type { IDataObject } from 'n8n-workflow';

import { recordsIn } from '../shared/client/json';
import { lastPage, pages } from '../shared/client/pages';
import { getRecentTime, type Cursor } from './cursor';
import { listCalls, type PollRun } from './listCalls';
import { toListedCall } from './listedCall';
import { Reading, type CallsOfPoll } from './reading';
import type { CallQuery } from './selection';

/**
 * Reads the calls that a cursor does not know as finished. If the newest calls come first, it stops when it
 * has found the open calls of the cursor, and as many new ones as the service has added. In another order, it
 * reads all pages.
 *
 * @param isFirst whether it is the first poll of the query
 * @param now by n8n's clock
 * @throws {ServiceError} when a page cannot be read, or is no list of calls
 */
export async function readCalls(
	run: PollRun,
	query: CallQuery,
	cursor: Cursor,
	isFirst: boolean,
	now: number,
): Promise<CallsOfPoll> {
	const reading = new Reading(cursor, isFirst, now);
	const readPage = listCalls(run, query, reading.since);
	const readEnvelope = async (page: number) => {
		const envelope = await readPage(page);
		reading.addPage(envelope);
		return envelope;
	};
	for await (const rows of pages(readEnvelope)) {
		for (const row of rows) {
			const call = toListedCall(row, query);
			if (!call) run.skipped.add(row);
			reading.addRecord(row, call);
		}
		if (reading.isEnough) return reading.result(false);
	}
	return reading.result(true);
}

/**
 * Finds out when the 20th newest call of the account was created, because n8n's clock may be wrong. The
 * contract does not show the order of the list, so it reads both ends, and no more of a long history.
 *
 * @returns undefined when the account has fewer calls
 * @throws {ServiceError} when a page cannot be read
 */
export async function readRecent(run: PollRun): Promise<number | undefined> {
	const readPage = listCalls(run, {});
	const first = await readPage(1);
	const rows = recordsIn(first.data);
	const last = lastPage(first, 1, rows.length);
	// The last page may have few calls.
	const others = [last - 1, last].filter((page) => page > 1);
	const envelopes: IDataObject[] = await Promise.all(others.map(readPage));
	const createdAt = new Map<string, number>();
	for (const row of [...rows, ...envelopes.flatMap(({ data }) => recordsIn(data))]) {
		const call = toListedCall(row, {});
		if (call) createdAt.set(call.id, call.createdAt);
	}
	return getRecentTime(createdAt.values());
}
