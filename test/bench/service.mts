import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import * as z from 'zod';

import { A_CALL, getCalls } from '../../sandbox/test/support/calls.mts';
import { getData } from '../../sandbox/test/support/client.mts';
import { startService as startSandbox } from '../../sandbox/test/support/service.mts';
import { listenOnLoopback } from '../support/loopback.mts';

/** The time until each response. */
export const LATENCY_MS = 50;
/** The token of the credential. */
export const TOKEN = 'bench-token';

/** How the service behaves from now on. */
export interface ServiceSettings {
	/** requests in a window; further ones get 429. A fixed window begins at the end of the last one. */
	limit?: { requests: number; perMs: number; windows: 'fixed' | 'on demand' } | undefined;
	/** how many calls its list has */
	calls?: number;
	/** what a workflow works with */
	items?: object[];
}

const newLead = z.object({ phone_number: z.string() }).passthrough();
export type BenchService = Awaited<ReturnType<typeof startService>>;

/**
 * Starts the part of the service that the bench needs. The sandbox would check each request and response against the
 * contract, and the bench would measure that as latency.
 */
export async function startService() {
	const records = await realRecords();
	let settings: ServiceSettings = {};
	let counts = { requests: 0, refused: 0, peakInFlight: 0, leads: [] as string[] };
	let window = { start: -Infinity, requests: 0 };
	let inFlight = 0;

	/** Counts a request. @returns after how many seconds it may come again; undefined if allowed */
	const secondsToWait = (): number | undefined => {
		const { limit } = settings;
		if (limit === undefined) return undefined;
		const age = performance.now() - window.start;
		if (age >= limit.perMs) {
			const late = limit.windows === 'fixed' && Number.isFinite(age) ? age % limit.perMs : 0;
			window = { start: performance.now() - late, requests: 0 };
		}
		window.requests += 1;
		if (window.requests <= limit.requests) return undefined;
		return Math.ceil((window.start + limit.perMs - performance.now()) / 1000);
	};
	const createLead = async (request: IncomingMessage): Promise<object> => {
		const given = newLead.parse(await json(request));
		const id = counts.leads.push(given.phone_number);
		return { message: 'Lead created successfully', data: { ...records.lead, ...given, id } };
	};
	/** A page of calls, the newest first. */
	const listCalls = ({ searchParams }: URL): object => {
		const { calls: total = 0 } = settings;
		const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
		const first = (page - 1) * size;
		const length = Math.min(size, total - first);
		const data = Array.from({ length }, (_, at) => ({ ...records.call, id: total - first - at }));
		const last = Math.ceil(total / size);
		return { data, current_page: page, last_page: last, per_page: size, total };
	};
	const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const url = new URL(request.url ?? '', 'http://localhost');
		const send = (status: number, body: unknown, headers = {}): void => {
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			response.end(JSON.stringify(body));
		};
		if (url.pathname === '/items') {
			send(200, settings.items);
			return;
		}
		counts.requests += 1;
		inFlight += 1;
		counts.peakInFlight = Math.max(counts.peakInFlight, inFlight);
		response.once('close', () => (inFlight -= 1));
		const wait = secondsToWait();
		await delay(LATENCY_MS);
		if (wait !== undefined) {
			counts.refused += 1;
			send(429, { message: 'Too Many Attempts.' }, { 'retry-after': String(wait) });
		} else send(200, request.method === 'POST' ? await createLead(request) : listCalls(url));
	};
	const { origin, close } = await listenOnLoopback((request, response) => {
		respond(request, response).catch((error: unknown) => {
			response.writeHead(500).end(JSON.stringify({ message: String(error) }));
		});
	});
	return {
		url: `${origin}/api`,
		itemsUrl: `${origin}/items`,
		close,
		counts: () => counts,
		/** Sets all counts to zero, and the settings. */
		reset: (next: ServiceSettings): void => {
			settings = next;
			counts = { requests: 0, refused: 0, peakInFlight: 0, leads: [] };
			window = { start: -Infinity, requests: 0 };
		},
	};
}

/** A new lead, and a call with a conversation, of a sandbox. */
async function realRecords() {
	const service = await startSandbox();
	const { alice, control } = service;
	await control.outbound({ assistant_id: 1, to: '+4915112345611', lead_id: 1 });
	await control.advance(A_CALL);
	const variables = { customer_name: 'Jane', email: 'jane@example.com', city: 'Bonn' };
	const given = { campaign_id: 1, phone_number: '+4915112345612', variables };
	const lead = getData(await alice.post('/user/lead', given));
	const [call] = await getCalls(alice);
	await service.close();
	return { lead, call };
}
