import { afterAll, afterEach, beforeEach, jest } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { n8nWith } from '../n8n/n8n.mts';
import { listenOnLoopback } from '../loopback.mts';
import { EmulatedPollNode, type Scheduler } from './emulatedPollNode.mts';

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

/** Sorts the calls that exist now, by what their records show. */
type Order = (a: HistoryCall, b: HistoryCall, updatedAt: (call: HistoryCall) => number) => number;

/** Changes the digits of an ID, so that an order by it looks like none. */
const shuffled = (id: number) => (id * 7_919) % 10_007;

/** The orders that a list can have. */
export const ORDERS = {
	'newest first': (a, b) => b.createdAt - a.createdAt || b.id - a.id,
	'newest first, the same second in another order': (a, b) =>
		b.createdAt - a.createdAt || a.id - b.id,
	'oldest first': (a, b) => a.createdAt - b.createdAt || a.id - b.id,
	'by id': (a, b) => a.id - b.id,
	'by id, the highest first': (a, b) => b.id - a.id,
	'last changed first': (a, b, updatedAt) => updatedAt(b) - updatedAt(a) || b.id - a.id,
	'last changed last': (a, b, updatedAt) => updatedAt(a) - updatedAt(b) || a.id - b.id,
	'without order': (a, b) => shuffled(a.id) - shuffled(b.id),
} satisfies Record<string, Order>;

/** The IDs that a service can give. */
export const IDS = {
	'numbers that rise': (id: number) => id,
	'numbers that do not rise': shuffled,
	texts: (id: number) => `call-${shuffled(id)}`,
};

/** The fields of a record that no test looks at. */
const OTHER_FIELDS = {
	...{ assistant_name: 'Reception', assistant_phone_number: '', client_phone_number: '' },
	...{ variables: {}, evaluation: {}, webhook_response: {} },
	...{ carrier_cost: 0, total_cost: 0, answered_by: 'human' },
};

/** How a list of calls behaves. */
const DEFAULTS = {
	history: [] as HistoryCall[],
	compare: ORDERS['newest first'] as Order,
	/** The most rows in a page, whatever is requested. */
	maxPerPage: 100,
	/** How far its days and times are ahead of UTC. */
	zoneMs: 0,
	/** How much time passes before each request, so that the list shifts while it is read. */
	msPerRequest: 0,
	/** How long n8n waits for each page, by its own clock. */
	pageMs: 0,
	/** The service's time, in milliseconds since 1970. */
	now: Date.UTC(2026, 2, 2, 12),
	/** How far n8n's clock is ahead of it. n8n's clock stands still while n8n reads, but for `pageMs`. */
	n8nAheadMs: 0,
	/** Of a call that has ended, in seconds. */
	duration: 30,
	/** How long after the end of a call its record has the transcript. */
	transcriptAfterMs: Infinity,
	/** How many requests came. */
	requestCount: 0,
	/** Refuses the requests from now on. */
	isDown: false,
	/** The ID that a record shows. */
	showId: IDS['numbers that rise'] as (id: number) => number | string,
};

type CallListBehaviour = typeof DEFAULTS;

/**
 * Starts a service for the tests of a file that has nothing but a list of calls, in any order and with any
 * size of pages. n8n has its time. Call it at the top of the file.
 */
export async function startCallList() {
	const list = { ...DEFAULTS };
	const readPage = getPages(list);
	const { origin, close } = await listenOnLoopback(({ url = '' }, response) => {
		list.now += list.pageMs;
		n8nNow += list.pageMs;
		const body = readPage(new URL(url, 'http://host').searchParams);
		response.writeHead(body ? 200 : 422, { 'Content-Type': 'application/json' });
		response.end(JSON.stringify(body ?? { message: 'Validation failed' }));
	});
	afterAll(close);
	beforeEach(() => {
		jest.spyOn(Date, 'now').mockImplementation(() => n8nNow);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});
	let n8nNow = list.now;
	const letPass = (ms: number) => {
		list.now += ms;
		n8nNow = list.now + list.n8nAheadMs;
	};
	const begin = (
		changes: Partial<CallListBehaviour>,
		parameters: INodeParameters = {},
		scheduler?: Scheduler,
	) => {
		Object.assign(list, DEFAULTS, changes);
		letPass(0);
		const n8n = n8nWith({ baseUrl: `${origin}/api`, apiToken: 'token' });
		return new EmulatedPollNode(n8n, parameters, scheduler);
	};
	return {
		/** How it behaves now. Tests may change it. */
		list,
		letPass,
		/** Begins anew. @returns a trigger that is not published */
		begin,
		/** Begins anew. @returns a trigger that is published */
		published: async (...how: Parameters<typeof begin>): Promise<EmulatedPollNode> => {
			const trigger = begin(...how);
			await trigger.publish();
			return trigger;
		},
		/** Lets time pass, with a poll at its end. @returns how many requests the poll sends */
		pollAfter: async (trigger: EmulatedPollNode, ms: number): Promise<number> => {
			letPass(ms);
			const before = list.requestCount;
			await trigger.poll();
			return list.requestCount - before;
		},
	};
}

const plainTime = (time: number) => new Date(time).toJSON().slice(0, 19).replace('T', ' ');

/** Gives a function that answers the requests. Several pages that are read at one time are sorted once. */
function getPages(list: CallListBehaviour) {
	let sorted: HistoryCall[] = [];
	let sortedFor: unknown[] = [];
	const updatedAt = ({ createdAt, endsAt }: HistoryCall) =>
		endsAt <= list.now ? endsAt : createdAt;

	function callsNow(from: number): HistoryCall[] {
		const { now, history, compare } = list;
		const state = [now, history, history.length, compare, from];
		if (state.some((value, index) => value !== sortedFor[index])) {
			sortedFor = state;
			sorted = history
				.filter(({ createdAt }) => createdAt <= now)
				.map((call) => ({ ...call, createdAt: call.shownAt?.(now) ?? call.createdAt }))
				.filter(({ createdAt }) => createdAt >= from)
				.sort((one, other) => compare(one, other, updatedAt));
		}
		return sorted;
	}

	return (query: URLSearchParams): IDataObject | undefined => {
		if (list.isDown) return undefined;
		list.requestCount++;
		list.now += list.msPerRequest;
		const { now, zoneMs, showId } = list;
		const firstDay = query.get('date_from');
		const from = firstDay === null ? -Infinity : Date.parse(`${firstDay}T00:00:00Z`) - zoneMs;
		const calls = callsNow(from);
		const perPage = Math.min(Number(query.get('per_page')), list.maxPerPage);
		const page = Number(query.get('page'));
		const record = (call: HistoryCall) => ({
			id: showId(call.id),
			...OTHER_FIELDS,
			transcript: now >= call.endsAt + list.transcriptAfterMs ? 'Hello' : '',
			type: 'outbound',
			duration: call.endsAt <= now ? list.duration : 0,
			status: call.endsAt <= now ? call.finalStatus : 'in-progress',
			created_at: plainTime(call.createdAt + zoneMs),
			updated_at: plainTime(updatedAt(call) + zoneMs),
		});
		return {
			current_page: page,
			data: calls.slice((page - 1) * perPage, page * perPage).map(record),
			last_page: Math.max(1, Math.ceil(calls.length / perPage)),
			per_page: perPage,
			total: calls.length,
		};
	};
}
