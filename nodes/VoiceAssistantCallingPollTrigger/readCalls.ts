import { pages } from '../shared/client/pages';
import type { Cursor } from './cursor';
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
