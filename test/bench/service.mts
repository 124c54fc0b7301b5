import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import * as z from 'zod';

import { LOOPBACK } from '../../host/process/ports.mts';
import { assistantPage } from './assistantPage.mts';
import { callPage } from './callPage.mts';
import { mixedIds } from './mixedIds.mts';
import { recording } from './recording.mts';
import {
	FIRST_NUMBER,
	serviceSettings,
	tokenOf,
	type Counts,
	type ServiceSettings,
} from './serviceClient.mts';

/**
 * The part of the service that the bench needs, in another process. The sandbox would check each
 * request and response against the contract, and the bench would measure that as latency.
 */
const lead = z.object({
	campaign_id: z.number(),
	phone_number: z.string(),
	variables: z.record(z.string()),
});

let settings: ServiceSettings;
let counts: Counts;
let window: { start: number; requests: number };
/** how many leads each phone number has */
let created: Map<string, number>;

function reset(wanted: ServiceSettings): void {
	settings = wanted;
	counts = {
		requests: 0,
		refused: 0,
		peakInFlight: 0,
		leads: 0,
		inOtherAccount: 0,
		distinctLeads: 0,
		downloads: 0,
		downloadsWithToken: 0,
	};
	window = { start: -Infinity, requests: 0 };
	created = new Map();
}
reset(serviceSettings.parse({}));

let inFlight = 0;

function secondsToWait(now: number): number | undefined {
	const { limit } = settings;
	if (limit === undefined) return undefined;
	const age = now - window.start;
	if (age >= limit.perMs) {
		const isFirst = !Number.isFinite(age);
		const late = limit.windows === 'on demand' || isFirst ? 0 : age % limit.perMs;
		window = { start: now - late, requests: 0 };
	}
	window.requests += 1;
	if (window.requests <= limit.requests) return undefined;
	return Math.ceil((window.start + limit.perMs - now) / 1000);
}

function createLead(body: unknown, authorization: string | undefined) {
	const { campaign_id, phone_number, variables } = lead.parse(body);
	const customer = Number(phone_number.slice('+49'.length)) - FIRST_NUMBER;
	const token = tokenOf(customer, settings.accountCount);
	if (settings.accountCount > 1 && authorization !== `Bearer ${token}`) counts.inOtherAccount += 1;
	created.set(phone_number, (created.get(phone_number) ?? 0) + 1);
	counts.leads += 1;
	counts.distinctLeads = created.size;
	const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
	const data = {
		id: counts.leads,
		campaign_id,
		phone_number,
		variables,
		status: 'created',
		created_at: now,
		updated_at: now,
		campaign: { id: campaign_id, name: 'Spring' },
		secondary_contacts: [],
	};
	return { message: 'Lead created successfully', data };
}

interface BenchResponse {
	status: number;
	body: unknown;
	headers?: Record<string, string>;
}

/** The response to a request of the bench itself; undefined for a request to the service. */
async function control(route: string, url: URL, request: IncomingMessage): Promise<unknown> {
	if (route === 'GET /bench/counts') return counts;
	if (route === 'GET /bench/leads') return sourceLeads(url);
	if (route === 'GET /bench/ids') return sourceIds(url);
	if (route !== 'POST /bench/reset') return undefined;
	reset(serviceSettings.parse(await json(request)));
	return counts;
}

async function handleRequest(
	route: string,
	url: URL,
	request: IncomingMessage,
): Promise<BenchResponse> {
	const wait = secondsToWait(performance.now());
	const body: unknown = request.method === 'POST' ? await json(request) : undefined;
	await delay(settings.latencyMs);
	if (wait !== undefined) {
		counts.refused += 1;
		return {
			status: 429,
			body: { message: 'Too Many Attempts.', retry_after: wait },
			headers: { 'retry-after': String(wait) },
		};
	}
	if (route === 'POST /api/user/lead') {
		return { status: 200, body: createLead(body, request.headers.authorization) };
	}
	if (route === 'GET /api/user/calls') return { status: 200, body: callPage(url, settings.calls) };
	if (route === 'GET /api/user/assistants/get') {
		return { status: 200, body: assistantPage(url, settings.assistants) };
	}
	return { status: 404, body: { message: `The bench has no ${route}.` } };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const url = new URL(request.url ?? '', `http://${request.headers.host ?? LOOPBACK}`);
	const route = `${request.method ?? ''} ${url.pathname}`;
	const own = await control(route, url, request);
	if (own !== undefined) {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(own));
		return;
	}
	inFlight += 1;
	counts.peakInFlight = Math.max(counts.peakInFlight, inFlight);
	response.once('close', () => (inFlight -= 1));
	const [, recordedCall] = /^\/recordings\/(\d+)\.mp3$/.exec(url.pathname) ?? [];
	if (recordedCall !== undefined) {
		counts.downloads += 1;
		if (request.headers.authorization !== undefined) counts.downloadsWithToken += 1;
		await delay(settings.latencyMs);
		response.setHeader('content-type', 'audio/mpeg');
		response.end(recording(Number(recordedCall)));
		return;
	}
	counts.requests += 1;
	counts.firstRequestAt ??= Date.now();
	const { status, body, headers } = await handleRequest(route, url, request);
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}

/** The customers that the workflow adds as leads. */
function sourceLeads({ searchParams }: URL) {
	const [count, accountCount] = [
		searchParams.get('count'),
		Number(searchParams.get('accountCount')),
	];
	return Array.from({ length: Number(count) }, (_, index) => ({
		...(accountCount > 0 && { token: tokenOf(index, accountCount) }),
		campaignId: 1,
		phoneNumber: `+49${FIRST_NUMBER + index}`,
		name: `Customer ${index}`,
		email: `customer-${index}@example.com`,
		city: `City ${index % 100}`,
	}));
}

/** The records that the workflow looks for. */
function sourceIds({ searchParams }: URL) {
	const [count = 0, lowest = 0, highest = 0] = ['count', 'lowest', 'highest'].map((name) =>
		Number(searchParams.get(name)),
	);
	return mixedIds(count, lowest, highest).map((id) => ({ id }));
}

const { values } = parseArgs({ options: { port: { type: 'string' } } });
createServer((request, response) => {
	respond(request, response).catch((error: unknown) => {
		response.writeHead(500).end(JSON.stringify({ message: String(error) }));
	});
}).listen(Number(values.port), LOOPBACK);
