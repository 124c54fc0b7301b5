import type { IDataObject } from 'n8n-workflow';

import { recordsIn } from '../shared/client/json';
import { lastPage } from '../shared/client/pages';
import { recentOf } from './cursor';
import { listCalls, type PollRun } from './listCalls';
import { toListedCall } from './listedCall';

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
	return recentOf(createdAt.values());
}
