import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { checkBaseUrl } from '../shared/client/credential';
import { recordShapes } from '../shared/records/recordShapes';
import { triggerKey } from '../shared/webhook/triggerContext';
import { advanceCursor, emptyCursor, type Cursor } from './cursor';
import { forEachQuery, type PollRun } from './listCalls';
import { addedTooOld, STARTED_ANEW } from './messages';
import { readCalls, readRecent } from './readCalls';
import type { CallQuery, Selection } from './selection';
import { fromStored, toStored, type StoredCursor } from './storedCursor';

/** The cursor of each query. */
type Cursors = Record<string, StoredCursor | undefined>;

/**
 * Whose cursors they are. Exports on the command line have the static data, so a copy gets the cursors
 * of another trigger.
 */
const getCursorOwner = ({ context, credential }: PollRun): string =>
	`${triggerKey(context)} ${checkBaseUrl(credential.baseUrl)}`;

/** The cursors of an owner; none when the static data have those of another one. */
const cursorsIn = (staticData: IDataObject, owner: string): Cursors =>
	staticData.owner === owner ? (staticData.cursors as Cursors) : {};

const getQueryKey = ({ assistantId, campaignId }: CallQuery) =>
	`${assistantId ?? 'any'}/${campaignId ?? 'any'}`;

/**
 * Reads the calls that have finished since the last poll, and moves the cursors in the static data past them.
 * The first poll of a query finds none, because it starts now. The same holds after the trigger was copied
 * or its credential got another Base URL. When a query fails, no cursor moves.
 *
 * @throws {ServiceError} when a list cannot be read, {InvalidInput} when the Base URL is wrong
 */
export async function readFinishedCalls(
	run: PollRun,
	{ queries, matches }: Selection,
): Promise<INodeExecutionData[]> {
	const { context, missing } = run;
	const now = Date.now();
	const owner = getCursorOwner(run);
	const cursorIn = (cursors: Cursors, query: CallQuery): Cursor | undefined => {
		const stored = cursors[getQueryKey(query)];
		return stored && fromStored(stored, now);
	};
	const before = cursorsIn(context.getWorkflowStaticData('node'), owner);
	const hasNew = queries.some((query) => !cursorIn(before, query));
	const empty = emptyCursor(hasNew ? await readRecent(run) : undefined, now);
	const reads = await forEachQuery(queries, async (query) => {
		const cursor = cursorIn(before, query);
		return await readCalls(run, query, cursor ?? empty, !cursor, now);
	});

	// No await from here on: polls can overlap, and share the static data (n8n 2.0, 2.41).
	const staticData = context.getWorkflowStaticData('node');
	const cursors = cursorsIn(staticData, owner);
	const moved: Cursors = {};
	const items = reads.flatMap(({ query, result: read }) => {
		const key = getQueryKey(query);
		const cursor = cursorIn(cursors, query);
		const { cursor: next, newlyFinished } = advanceCursor(cursor ?? empty, read, now);
		moved[key] = toStored(next);
		return cursor ? newlyFinished : [];
	});
	if (queries.some((query) => cursors[getQueryKey(query)] && !cursorIn(cursors, query))) {
		context.logger.warn(STARTED_ANEW);
	}
	const tooOld = reads.reduce((count, { result }) => count + result.addedTooOld, 0);
	if (tooOld > 0) context.logger.warn(addedTooOld(tooOld));
	Object.assign(staticData, { owner, cursors: moved });
	return items
		.filter(({ json }) => matches(json))
		.map(({ json }) => ({ json: missing.complete(json, recordShapes.call) }));
}
