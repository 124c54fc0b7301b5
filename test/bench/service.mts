import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import * as z from 'zod';

import { LOOPBACK } from '../../host/process/ports.mts';
import { createLargeAccount } from './largeAccount.mts';
import { LATENCY_MS, serviceSettings, type Counts } from './serviceClient.mts';

/**
 * The part of the service that the bench needs, in another process. The sandbox would check each
 * request and response against the contract, and the bench would measure that as latency.
 */
const lead = z.object({
	campaign_id: z.number(),
	phone_number: z.string(),
	variables: z.record(z.string()),
});

const account = await createLargeAccount();

const noCounts = (): Counts => ({ requests: 0, refused: 0, peakInFlight: 0, leads: [] });
let settings = serviceSettings.parse({});
let counts = noCounts();
let window = { start: -Infinity, requests: 0 };
let inFlight = 0;

/** Counts a request for the rate limit. @returns after how many seconds it may come again; undefined if allowed */
function secondsToWait(now: number): number | undefined {
	const { limit } = settings;
	if (limit === undefined) return undefined;
	const age = now - window.start;
	if (age >= limit.perMs) {
		const isFirst = !Number.isFinite(age);
		const late = limit.windows === 'fixed' && !isFirst ? age % limit.perMs : 0;
		window = { start: now - late, requests: 0 };
	}
	window.requests += 1;
	if (window.requests <= limit.requests) return undefined;
	return Math.ceil((window.start + limit.perMs - now) / 1000);
}

function createLead(body: unknown, authorization: string) {
	const given = lead.parse(body);
	counts.leads.push([given.phone_number, authorization]);
	const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
	const times = { created_at: now, updated_at: now };
	const data = { ...account.lead, ...given, ...times, id: counts.leads.length };
	return { message: 'Lead created successfully', data };
}

interface Reply {
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

/** Replies to a request of the bench itself; undefined for a request to the service. */
async function control(route: string, request: IncomingMessage): Promise<Reply | undefined> {
	if (route === 'GET /bench/counts') return { body: counts };
	if (route === 'GET /bench/items') return { body: settings.items };
	if (route !== 'POST /bench/reset') return undefined;
	settings = serviceSettings.parse(await json(request));
	counts = noCounts();
	window = { start: -Infinity, requests: 0 };
	return { body: counts };
}

async function handle(route: string, url: URL, request: IncomingMessage): Promise<Reply> {
	counts.requests += 1;
	counts.firstRequestAt ??= Date.now();
	const now = performance.now();
	const wait = secondsToWait(now);
	const given: unknown = request.method === 'POST' ? await json(request) : undefined;
	await delay(LATENCY_MS);
	if (wait !== undefined) {
		counts.refused += 1;
		const body = { message: 'Too Many Attempts.' };
		const headers = { 'retry-after': String(wait) };
		return { status: 429, headers, body: { ...body, retry_after: wait } };
	}
	switch (route) {
		case 'POST /api/user/lead':
			return { body: createLead(given, request.headers.authorization ?? '') };
		case 'GET /api/user/calls':
			return { body: account.calls(url, settings.calls) };
		case 'GET /api/user/assistants/get':
			return { body: account.assistants(url, settings.assistants) };
		default:
			return { status: 404, body: { message: `The bench has no ${route}.` } };
	}
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { method = '', url: path = '' } = request;
	const url = new URL(path, `http://${request.headers.host ?? LOOPBACK}`);
	const route = `${method} ${url.pathname}`;
	let reply = await control(route, request);
	if (reply === undefined) {
		inFlight += 1;
		counts.peakInFlight = Math.max(counts.peakInFlight, inFlight);
		response.once('close', () => (inFlight -= 1));
		reply = await handle(route, url, request);
	}
	const { status = 200, headers, body } = reply;
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}

createServer((request, response) => {
	respond(request, response).catch((error: unknown) => {
		response.writeHead(500).end(JSON.stringify({ message: String(error) }));
	});
}).listen(Number(process.argv[2]), LOOPBACK);
