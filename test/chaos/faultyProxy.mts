import { once } from 'node:events';
import {
	request as send,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import type { Cleanup } from '../../host/process/cleanup.mts';
import type { Random } from '../../sandbox/src/base/random.mts';
import { listenOnLoopback } from '../support/loopback.mts';

/** How the sender's connection ends. */
type End = 'whole' | 'dripping' | 'cut' | 'reset' | 'status' | 'refused' | 'HTML' | 'empty';

interface Fault {
	/** Whether the request reaches the other side. */
	arrives: boolean;
	end: End;
	/** How often it is drawn: n8n → service, service → n8n. */
	weights: [requests: number, deliveries: number];
	isDelayed?: boolean;
	/** After so many milliseconds the same request comes again. */
	repeatedAfter?: number;
}

/**
 * What goes wrong with a request. A proxy for TCP, such as Toxiproxy, cannot do most of it: *carried out, answer
 * lost* and the statuses of gateways need one that knows HTTP. http-proxy has no faults. So it is our own.
 */
const FAULTS: Record<string, Fault> = {
	delayed: { arrives: true, end: 'whole', isDelayed: true, weights: [6, 10] },
	'answer dripping': { arrives: true, end: 'dripping', weights: [3, 1] },
	'answer cut': { arrives: true, end: 'cut', weights: [3, 2] },
	'reset before it arrived': { arrives: false, end: 'reset', weights: [4, 3] },
	'reset after it arrived': { arrives: true, end: 'reset', weights: [4, 3] },
	'status before': { arrives: false, end: 'status', weights: [4, 2] },
	'status after': { arrives: true, end: 'status', weights: [4, 1] },
	refused: { arrives: false, end: 'refused', weights: [1, 0] },
	'HTML with 200 before': { arrives: false, end: 'HTML', weights: [1, 0] },
	'HTML with 200 after': { arrives: true, end: 'HTML', weights: [2, 0] },
	'empty 200 before': { arrives: false, end: 'empty', weights: [1, 0] },
	'empty 200 after': { arrives: true, end: 'empty', weights: [2, 0] },
	'repeated at once': { arrives: true, end: 'whole', weights: [0, 5], repeatedAfter: 0 },
	'repeated later': { arrives: true, end: 'whole', weights: [0, 4], repeatedAfter: 8_000 },
	'lost in a partition': { arrives: false, end: 'reset', weights: [0, 0] },
};

const FAITHFUL: Fault = { arrives: true, end: 'whole', weights: [0, 0] };
const MAX_DELAY_MS = 3_000;
const PARTITION_MS = { from: 1_000, to: 5_000 };
const DRIPS = 8;
/** Before the change only: the node repeats a request after 429. */
const STATUSES_BEFORE = [408, 429, 499, 502, 503, 504];
const STATUSES_AFTER = [408, 499, 502, 503, 504];
const PAGE = '<!doctype html><title>Please wait</title><p>One moment, please.</p>';

interface Reply {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

const reply = (status: number, text: string, headers: IncomingHttpHeaders = {}): Reply => ({
	status,
	headers: { 'content-type': 'text/html', ...headers },
	body: Buffer.from(text),
});

/** A request that reached the other side. */
export interface Exchange {
	headers: IncomingHttpHeaders;
	/** milliseconds since 1970 */
	at: number;
	/** until the end of the answer */
	ms?: number;
	/** undefined when the other side closed the connection */
	answered?: { status: number; body: string };
}

/**
 * Starts a proxy in front of a web server. It is faithful until `begin`.
 *
 * @param direction of its requests: n8n → service (0), service → n8n (1)
 * @param random decides what goes wrong with the next request
 * @param share of the requests that meet a fault
 */
export async function startFaultyProxy(
	{ direction, random, share }: { direction: 0 | 1; random: Random; share: number },
	cleanup: Cleanup,
) {
	let target = '';
	let isBad = false;
	let partitionUntil = 0;
	let isRefusingNext = false;
	const counts = new Map<string, number>();
	const exchanges: Exchange[] = [];
	const lottery = Object.entries(FAULTS).flatMap(([name, { weights }]) =>
		Array.from({ length: weights[direction] }, () => name),
	);

	const draw = (method?: string): string | undefined => {
		if (isRefusingNext && method === 'POST') {
			isRefusingNext = false;
			return 'refused';
		}
		if (!isBad) return undefined;
		if (Date.now() < partitionUntil) return 'lost in a partition';
		return random.next() < share ? random.pick(lottery) : undefined;
	};

	async function forward({ url, method, headers }: IncomingMessage, body: Buffer): Promise<Reply> {
		const exchange: Exchange = { headers, at: Date.now() };
		exchanges.push(exchange);
		try {
			const outgoing = send(`${target}${url}`, { method, headers, agent: false });
			outgoing.end(body);
			const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
			const whole = await buffer(incoming);
			const { statusCode: status = 0 } = incoming;
			exchange.answered = { status, body: whole.toString() };
			return { status, headers: incoming.headers, body: whole };
		} finally {
			exchange.ms = Date.now() - exchange.at;
		}
	}

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await buffer(request);
		const name = draw(request.method);
		if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
		const { arrives, end, isDelayed = false, repeatedAfter } = FAULTS[name ?? ''] ?? FAITHFUL;
		// All are drawn, so that the next request meets what the seed has for it.
		const ms = random.integer(100, MAX_DELAY_MS);
		const status = random.pick(arrives ? STATUSES_AFTER : STATUSES_BEFORE);
		if (isDelayed) await delay(ms);
		if (name === 'lost in a partition') await delay(Math.max(0, partitionUntil - Date.now()));
		if (repeatedAfter !== undefined) {
			const again = delay(repeatedAfter).then(async () => await forward(request, body));
			// Its sender is the same, and gets the other answer.
			again.catch(() => {});
		}
		const own = arrives ? await forward(request, body) : reply(200, '');
		await END[end](response, own, { ms, status });
	}

	const server = await listenOnLoopback((request, response) => {
		handle(request, response).catch(() => response.destroy());
	});
	await cleanup.defer(server.close);

	return {
		url: server.origin,
		/** How often each fault was met. */
		counts,
		exchanges,
		setTarget: (url: string): void => {
			target = url;
		},
		begin: (): void => {
			isBad = true;
		},
		/** From now on each request arrives, and its answer too. */
		heal: (): void => {
			isBad = false;
		},
		/** For some seconds nothing gets through. */
		partition: (): void => {
			partitionUntil = Date.now() + random.integer(PARTITION_MS.from, PARTITION_MS.to);
		},
		/** Refuses the next POST, which does not arrive. */
		refuseNext: (): void => {
			isRefusingNext = true;
		},
	};
}

/** @param length of the body, if not that of the reply */
function begin(response: ServerResponse, { status, headers, body }: Reply, length = body.length) {
	const kept = Object.entries(headers).filter(([name]) => !/^(transfer-enc|connec)/.test(name));
	response.writeHead(status, { ...Object.fromEntries(kept), 'content-length': length });
}

function sendReply(response: ServerResponse, whole: Reply): void {
	begin(response, whole);
	response.end(whole.body);
}

const END: Record<
	End,
	(response: ServerResponse, own: Reply, drawn: { ms: number; status: number }) => unknown
> = {
	whole: sendReply,
	dripping: async (response, own, { ms }) => {
		begin(response, own);
		const size = Math.ceil(own.body.length / DRIPS);
		for (let at = 0; at < own.body.length; at += size) {
			response.write(own.body.subarray(at, at + size));
			await delay(ms / DRIPS);
		}
		response.end();
	},
	cut: (response, own) => {
		begin(response, own, own.body.length + 1);
		response.write(own.body, () => response.destroy());
	},
	reset: (response) => response.destroy(),
	status: (response, _, { status }) =>
		sendReply(response, reply(status, PAGE, status === 429 ? { 'retry-after': '1' } : {})),
	refused: (response) =>
		sendReply(
			response,
			reply(422, '{"message":"Not today."}', { 'content-type': 'application/json' }),
		),
	HTML: (response) => sendReply(response, reply(200, PAGE)),
	empty: (response) => sendReply(response, reply(200, '')),
};
