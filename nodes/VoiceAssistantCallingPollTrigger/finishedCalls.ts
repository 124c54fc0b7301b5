import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { checkedBaseUrl } from '../shared/client/baseUrl';
import { triggerKey } from '../shared/webhook/identity';
import { advanceCursor, startCursor, type Cursor } from './cursor';
import { forEachQuery } from './forEachQuery';
import type { PollRun } from './listCalls';
import { readCalls } from './readCalls';
import type { CallQuery, Selection } from './selection';

/** The cursor of each query. */
type Cursors = Record<string, Cursor | undefined>;

/**
 * Whose cursors they are. Exports on the command line have the static data, so a copy gets the cursors
 * of another trigger.
 */
const ownerOf = ({ context, credential }: PollRun): string =>
	`${triggerKey(context)} ${checkedBaseUrl(credential.baseUrl)}`;

/** The cursors of an owner; none when the static data have those of another one. */
const cursorsIn = (staticData: IDataObject, owner: string): Cursors =>
	staticData.owner === owner ? (staticData.cursors as Cursors) : {};

const keyOf = ({ assistantId, campaignId }: CallQuery) =>
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
	const now = Date.now();
	const owner = ownerOf(run);
	const before = cursorsIn(run.context.getWorkflowStaticData('node'), owner);
	const reads = await forEachQuery(
		queries,
		async (query) => await readCalls(run, query, before[keyOf(query)], now),
	);

	// No await from here on: polls can overlap, and share the static data (n8n 2.0, 2.41).
	const staticData = run.context.getWorkflowStaticData('node');
	const cursors = cursorsIn(staticData, owner);
	const moved: Cursors = {};
	const items = reads.flatMap(({ query, result: read }) => {
		const key = keyOf(query);
		const cursor = cursors[key];
		if (!cursor) {
			moved[key] = startCursor(read, now);
			return [];
		}
		const { cursor: next, newlyFinished } = advanceCursor(cursor, read);
		moved[key] = next;
		return newlyFinished.filter(({ json }) => matches(json)).map(({ json }) => ({ json }));
	});
	Object.assign(staticData, { owner, cursors: moved });
	return items;
}
