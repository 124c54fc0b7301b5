import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { log } from '../shared/log';
import { recordShapes } from '../shared/records/recordShapes';
import { advanceCursor } from './cursor';
import type { PollRun } from './listCalls';
import { addedTooOld, GOES_ON, noReadableCalls, OTHER_ACCOUNT } from './messages';
import { PollMemory, type Cursors, type Readings } from './pollMemory';
import type { Reading } from './reading';
import { cursorIn, readQueries } from './readQueries';
import type { Selection } from './selection';
import { toStored } from './storedCursor';

/**
 * Throws why the time of the poll was over, when it has read no page that no poll has read before, or a new
 * query had to be read to its end.
 */
function checkProgress(readings: Reading[], mustEndNew: boolean): void {
	const areStuck = readings.every(({ isStuck }) => isStuck);
	const failed = readings.find(
		({ endedBy, isFirst }) => endedBy && (areStuck || (mustEndNew && isFirst)),
	);
	if (failed?.endedBy) throw failed.endedBy;
}

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
	if (readings.some(({ hasSeenCalls }) => hasSeenCalls)) return false;
	if (readings.some(({ endedBy }) => endedBy)) return undefined;
	return readings.some(({ hasCalls }) => hasCalls);
}

/** What the next poll goes on with: first the readings that have not ended. */
const restOf = (readings: Map<string, Reading>): Readings =>
	new Map(
		[...readings]
			.map(([key, reading]) => [key, reading.endedBy && reading] as const)
			.toSorted(([, one], [, other]) => Number(!one) - Number(!other)),
	);

/**
 * Reads the calls that have finished since the last poll, and moves the cursors in the static data past them.
 * The first poll of a query finds none, because it starts now. The same holds after the trigger was copied,
 * or its credential got another Base URL or account. When a query fails, no cursor moves. When the time of the
 * poll is over, the next poll goes on.
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
	const memory = new PollMemory(run, isActivation);
	const { account } = memory;
	const before = memory.state();
	const former = memory.takeReadings(before);
	let readings: Map<string, Reading>;
	try {
		readings = await readQueries(run, queries, before.cursors, former, now);
		checkProgress([...readings.values()], isActivation);
	} catch (error) {
		memory.keepReadings(before, former);
		throw error;
	}
	const all = [...readings.values()];
	if (isActivation && skipped.reason && !all.some(({ hasCalls }) => hasCalls)) {
		throw noReadableCalls(skipped.reason);
	}

	// No await from here on: polls can overlap, and share the static data (n8n 2.0, 2.41).
	const state = memory.state();
	// Another poll has gone on with another token.
	if (state.account !== before.account) return [];
	const isOther = account !== before.account && areOfOtherAccount(all);
	if (isOther) {
		log(context, 'warn', OTHER_ACCOUNT);
		// Now, because the time of the poll may be over before its first list is read.
		memory.keep({ ...state, account, step: state.step + 1, cursors: {} }, false);
		return await readFinishedCalls(run, selection, isActivation);
	}
	const hasRest = all.some(({ endedBy }) => endedBy);
	if (hasRest) log(context, 'warn', GOES_ON);
	if (isOther === undefined) {
		memory.keepReadings(state, restOf(readings));
		return [];
	}

	const moved: Cursors = {};
	let tooOld = 0;
	let hasBegun = false;
	const items = [...readings].flatMap(([key, reading]): IDataObject[] => {
		const cursor = cursorIn(state.cursors, key);
		if (reading.tellsNothing) {
			moved[key] = state.cursors[key];
			return [];
		}
		tooOld += reading.addedTooOld;
		const start = cursor ?? reading.cursor;
		const next = advanceCursor(start, reading.result(), now, waitAfterEndMs);
		moved[key] = toStored(next.cursor);
		hasBegun ||= !cursor;
		return cursor ? next.newlyFinished.map(({ json }) => json) : [];
	});
	if (tooOld > 0) log(context, 'warn', addedTooOld(tooOld));
	const found = items
		.filter(matches)
		.map((call) => ({ json: unexpected.note(call, recordShapes.call) }));
	const hasHandedOut = found.length > 0;
	const step = state.step + (hasHandedOut || hasBegun ? 1 : 0);
	const next = { ...state, account, step, cursors: moved };
	memory.keep(next, hasHandedOut);
	if (hasRest) memory.keepReadings(next, restOf(readings));
	return found;
}
