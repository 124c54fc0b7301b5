import { afterAll } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { listenOnLoopback } from '../loopback.mts';

/** A call of the service's history. */
export interface HistoryCall {
	id: number;
	/** Milliseconds since 1970. */
	createdAt: number;
	endsAt: number;
	finalStatus: string;
	/** The time of creation that its record shows at a time. Without it, the record is right. */
	shownAt?: (now: number) => number;
}

/** A service that has nothing but a list of calls. */
export interface CallListBehaviour {
	history: HistoryCall[];
	/** Sorts the calls that exist now, by what their records show. */
	compare: (a: HistoryCall, b: HistoryCall, updatedAt: (call: HistoryCall) => number) => number;
	/** The most rows in a page, whatever is requested. */
	maxPerPage: number;
	/** How far its days and times are ahead of UTC. */
	zoneMs: number;
	/** How much time passes before each request, so that the list shifts while it is read. */
	msPerRequest: number;
	/** The service's time, in milliseconds since 1970. */
	now: number;
	/** How many requests came. */
	requestCount: number;
	/** Refuses the requests from now on. */
	isDown: boolean;
	/** The ID that a record shows. Without it, the call's own. */
	showId?: (id: number) => number | string;
}

const plainTime = (time: number) => new Date(time).toJSON().slice(0, 19).replace('T', ' ');

/**
 * Starts a list of calls for the tests of a file, in any order and with any size of pages. Call it at the
 * top of the file.
 *
 * @param behaviour gives the present behaviour
 */
export async function startCallList(behaviour: () => CallListBehaviour) {
	const { origin, close } = await listenOnLoopback(({ url = '' }, response) => {
		const body = pageOf(behaviour(), new URL(url, 'http://host').searchParams);
		response.writeHead(body ? 200 : 422, { 'Content-Type': 'application/json' });
		response.end(JSON.stringify(body ?? { message: 'Validation failed' }));
	});
	afterAll(close);
	return { url: `${origin}/api` };
}

function pageOf(list: CallListBehaviour, query: URLSearchParams): IDataObject | undefined {
	if (list.isDown) return undefined;
	list.requestCount++;
	list.now += list.msPerRequest;
	const { now, zoneMs, showId = (id) => id } = list;
	const updatedAt = ({ createdAt, endsAt }: HistoryCall) => (endsAt <= now ? endsAt : createdAt);
	const record = (call: HistoryCall) => ({
		id: showId(call.id),
		type: 'outbound',
		status: call.endsAt <= now ? call.finalStatus : 'in-progress',
		created_at: plainTime(call.createdAt + zoneMs),
		updated_at: plainTime(updatedAt(call) + zoneMs),
	});
	const firstDay = query.get('date_from');
	const from = firstDay === null ? -Infinity : Date.parse(`${firstDay}T00:00:00Z`) - zoneMs;
	const calls = list.history
		.filter(({ createdAt }) => createdAt <= now)
		.map((call) => ({ ...call, createdAt: call.shownAt?.(now) ?? call.createdAt }))
		.filter(({ createdAt }) => createdAt >= from)
		.sort((one, other) => list.compare(one, other, updatedAt));
	const perPage = Math.min(Number(query.get('per_page')), list.maxPerPage);
	const page = Number(query.get('page'));
	const last = Math.max(1, Math.ceil(calls.length / perPage));
	return {
		current_page: page,
		data: calls.slice((page - 1) * perPage, page * perPage).map(record),
		last_page: last,
		per_page: perPage,
		total: calls.length,
	};
}
