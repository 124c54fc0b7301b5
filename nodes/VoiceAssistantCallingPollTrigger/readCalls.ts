import type { IDataObject } from 'n8n-workflow';

import { pages } from '../shared/client/pages';
import { Completeness } from './completeness';
import { isFinished, oldestWanted, startOf, type CallsRead, type Cursor } from './cursor';
import { toListedCall, type ListedCall } from './listedCall';
import { ListOrder } from './listOrder';

/**
 * Reads the calls that a cursor does not know as finished. If the newest calls come first, it stops after
 * the oldest call that the cursor wants. Otherwise it reads all pages.
 *
 * @param readEnvelope gets a page of the list; pages count from 1
 * @param cursor undefined at the first poll
 * @throws {ServiceError} when a page is no list of calls, and what `readEnvelope` throws
 */
export async function readCalls(
	readEnvelope: (page: number) => Promise<IDataObject>,
	cursor: Cursor | undefined,
): Promise<CallsRead> {
	const order = new ListOrder();
	const completeness = new Completeness();
	const calls: ListedCall[] = [];
	const readPage = async (page: number) => {
		const envelope = await readEnvelope(page);
		completeness.addPage(envelope);
		return envelope;
	};

	let isWhole = true;
	for await (const rows of pages(readPage)) {
		for (const call of rows.map(toListedCall)) {
			order.add(call);
			completeness.addCall(call);
			if (!cursor || !isFinished(cursor, call)) calls.push(call);
		}
		if (order.isPast(cursor ? oldestWanted(cursor) : startOf(order.newest))) {
			isWhole = false;
			break;
		}
	}
	const newest = Number.isFinite(order.newest) ? order.newest : undefined;
	return { calls, newest, isComplete: completeness.isComplete(isWhole) };
}
