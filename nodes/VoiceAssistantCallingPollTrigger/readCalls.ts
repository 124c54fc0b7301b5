import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../shared/client/errors';
import { FIRST_PAGE, lastPage, paginate, rowsIn } from '../shared/client/pages';
import { isPause } from '../shared/client/retry';
import { getRecentTime } from './cursor';
import { listCalls, type PollRun } from './listCalls';
import { toListedCall } from './listedCall';
import type { Reading } from './reading';

/** Whether a request failed because the time of the poll is over, or the service wants a longer pause. */
const isOutOfTime = ({ deadline }: PollRun, error: unknown): error is ServiceError =>
	error instanceof ServiceError && (deadline.leftMs === 0 || isPause(error));

async function readPages(run: PollRun, reading: Reading): Promise<void> {
	const { query, since } = reading;
	const readPage = listCalls(run, query, since);
	const readEnvelope = async (page: number) => {
		const envelope = await readPage(page);
		reading.addPage(envelope);
		return envelope;
	};
	const addRows = (rows: IDataObject[], isNewPage: boolean) => {
		for (const row of rows) {
			const call = toListedCall(row, query);
			if (!call) run.skipped.push(row);
			reading.addRecord(row, call, isNewPage);
		}
	};
	const pagesBefore = reading.place?.page ?? 0;
	let { page, count } = reading.place ?? FIRST_PAGE;
	// New calls may stand on the first page, and others may have moved on to the last one that was read.
	if (page > 1) addRows(rowsIn(await readEnvelope(1)), false);
	for await (const rows of paginate(readEnvelope, undefined, { page, count })) {
		addRows(rows, page > pagesBefore);
		reading.place = { page, count };
		if (reading.isEnough) return;
		page++;
		count += rows.length;
	}
	reading.isWhole = true;
}

async function goOn(run: PollRun, reading: Reading): Promise<Reading> {
	const { place } = reading;
	reading.endedBy = await readPages(run, reading).then(
		() => undefined,
		(error: unknown) => {
			if (isOutOfTime(run, error)) return error;
			throw error;
		},
	);
	reading.isStuck = reading.endedBy !== undefined && reading.place?.page === place?.page;
	return reading;
}

/**
 * Reads the calls that a cursor does not know as finished. If the newest calls come first, it stops when it
 * has found the open calls of the cursor, and as many new ones as the service has added. In another order, it
 * reads all pages. When the time of the poll is over, the reading has not ended.
 *
 * @param reading a new one, or one that has not ended
 * @returns the reading, or a second one if the first poll of a query has skipped calls
 * @throws {ServiceError} when a page cannot be read, or is no list of calls
 */
export async function readCalls(run: PollRun, reading: Reading): Promise<Reading> {
	await goOn(run, reading);
	if (reading.endedBy || !reading.isFirst || reading.isComplete) return reading;
	const second = await goOn(run, reading.again());
	return second.endedBy ? reading : second;
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
	const last = lastPage(first, 1);
	// The last page may have few calls.
	const others = [last - 1, last].filter((page) => page > 1);
	const envelopes = [first, ...(await Promise.all(others.map(readPage)))];
	const calls = envelopes.flatMap(rowsIn).map((row) => toListedCall(row, {}));
	return getRecentTime(calls.flatMap((call) => call?.createdAt ?? []));
}
