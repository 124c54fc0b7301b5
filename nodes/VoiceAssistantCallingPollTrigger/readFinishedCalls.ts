import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { log } from '../shared/log';
import { recordShapes } from '../shared/records/recordShapes';
import { advanceCursor, hasSeen } from './cursor';
import type { PollRun } from './listCalls';
import {
	addedTooOld,
	GOES_ON,
	noReadableCalls,
	OTHER_ACCOUNT,
	skippedReason,
} from './pollMessages';
import { openPollMemory, type Cursors } from './pollMemory';
import type { Reading } from './reading';
import { readQueries } from './readQueries';
import type { Selection } from './selection';
import { fromStored, toStored } from './storedCursor';

/**
 * Whether a list has calls, and none that a cursor has seen: a new token then belongs to another account, whose
 * past calls nobody expects. Where the trigger has seen no call at all, this cannot be told; a call of one
 * interval may be lost then, but nobody is reached because of old calls. An empty list proves nothing, and need
 * not: whatever it has later is new, in either account.
 *
 * @returns undefined while not all is read
 */
function areOfOtherAccount(all: Reading[]): boolean | undefined {
	const readings = all.filter(({ isFirst }) => !isFirst);
	const areSeen = ({ cursor, createdAt }: Reading) =>
		[...createdAt].some(([id, time]) => hasSeen(cursor, id, time));
	if (readings.some(areSeen)) return false;
	if (readings.some(({ endedBy }) => endedBy)) return undefined;
	return readings.some(({ createdAt }) => createdAt.size > 0);
}

/**
 * Reads the calls that have finished since the last poll, and moves the cursors in the static data past them.
 * The first poll of a query finds none, because it starts now. The same holds after the trigger was copied,
 * or its credential got another Base URL or account. When a query fails, no cursor moves. When the time of the
 * poll is over, the next poll goes on. A poll that outlives the beginning of an activation hands out nothing and
 * moves no cursor: that activation and the polls after it read its calls.
 *
 * @param isActivation whether a publish waits for the poll. Then a new query is read to its end
 * @throws {ServiceError} when a list cannot be read, or no call in it at a publish; {InvalidInput} when the Base URL is wrong
 */
export async function readFinishedCalls(
	run: PollRun,
	selection: Selection,
	isActivation: boolean,
): Promise<INodeExecutionData[]> {
	const { context, skipped, unexpected } = run;
	const { queries, matches, waitAfterEndMs } = selection;
	const now = Date.now();
	const { account, ...memory } = openPollMemory(run, isActivation);
	const before = memory.getState();
	const former = memory.takeReadings(before);
	const byQuery = await readQueries(run, queries, before.cursors, former, isActivation).catch(
		(error: unknown) => {
			if (!run.isSuperseded()) memory.keepReadings(before, former);
			throw error;
		},
	);
	const readings = [...byQuery.values()];
	const reason = skippedReason(skipped);
	if (isActivation && reason && readings.every(({ createdAt }) => createdAt.size === 0)) {
		throw noReadableCalls(reason);
	}

	// No await from here on: polls can overlap, and share the static data (n8n.md#overlapping-polls).
	const state = memory.getState();
	// n8n may discard its calls (n8n.md#discarded-polls), and its queries are those of the version before.
	if (run.isSuperseded()) return [];
	// Another poll has gone on with another token.
	if (state.account !== before.account) return [];
	const isOther = account !== before.account && areOfOtherAccount(readings);
	if (isOther) {
		log(context, 'warn', OTHER_ACCOUNT);
		// Now, because the time of the poll may be over before its first list is read.
		memory.keepState({ ...state, account, step: state.step + 1, cursors: {} }, state);
		return await readFinishedCalls(run, selection, isActivation);
	}
	const hasRest = readings.some(({ endedBy }) => endedBy);
	if (hasRest) log(context, 'warn', GOES_ON);
	if (isOther === undefined) {
		memory.keepReadings(state, byQuery);
		return [];
	}

	const cursors: Cursors = {};
	const items: IDataObject[] = [];
	let tooOld = 0;
	let hasBegun = false;
	for (const [key, reading] of byQuery) {
		const stored = state.cursors[key];
		// The first poll has to know all calls.
		if (reading.endedBy && (reading.isFirst || !reading.place)) {
			cursors[key] = stored;
			continue;
		}
		tooOld += reading.addedTooOld;
		const start = stored ? fromStored(stored) : reading.cursor;
		const next = advanceCursor(start, reading.takeCalls(), now, waitAfterEndMs);
		cursors[key] = toStored(next.cursor);
		hasBegun ||= !stored;
		if (stored) items.push(...next.newlyFinished.map(({ json }) => json));
	}
	if (tooOld > 0) log(context, 'warn', addedTooOld(tooOld));
	const found = items
		.filter(matches)
		.map((call) => ({ json: unexpected.note(call, recordShapes.call) }));
	const [first] = found;
	const step = state.step + (first || hasBegun ? 1 : 0);
	const next = { ...state, account, step, cursors };
	memory.keepState(next, state, first);
	if (hasRest) memory.keepReadings(next, byQuery);
	return found;
}
