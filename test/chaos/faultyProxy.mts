import { once } from 'node:events';
import * as http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import type { Cleanup } from '../../host/process/cleanup.mts';
import type { Random } from '../../sandbox/src/base/random.mts';
import { listenOnLoopback } from '../support/loopback.mts';

/** How the sender's connection ends. */
type End = 'whole' | 'cut' | 'reset' | 'status' | 'refused' | 'HTML' | 'empty';
type Fault = [arrives: boolean, end: End, requests: number, deliveries: number];

/**
 * What goes wrong with a request, and how often: n8n → service, service → n8n. The sandbox's own faults give no
 * status of a gateway after a change, and do nothing to tool calls. A proxy for TCP, such as Toxiproxy, does
 * not know HTTP, and http-proxy has no faults. So it is our own.
 */
const FAULTS: Record<string, Fault> = {
	delayed: [true, 'whole', 6, 10],
	'answer cut': [true, 'cut', 3, 2],
	'reset before it arrived': [false, 'reset', 4, 3],
	'reset after it arrived': [true, 'reset', 4, 3],
	'status before': [false, 'status', 4, 2],
	'status after': [true, 'status', 4, 1],
	refused: [false, 'refused', 2, 0],
	'HTML with 200 before': [false, 'HTML', 1, 0],
	'HTML with 200 after': [true, 'HTML', 2, 0],
	'empty 200 before': [false, 'empty', 1, 0],
	'empty 200 after': [true, 'empty', 2, 0],
	'repeated at once': [true, 'whole', 0, 5],
	'repeated later': [true, 'whole', 0, 4],
	'lost in a partition': [false, 'reset', 0, 0],
};
const FAITHFUL: Fault = [true, 'whole', 0, 0];

/** Of the requests that meet a fault. */
const SHARES = [0.3, 0.4] as const;
const MAX_DELAY_MS = 3_000;
const REPEATED_LATER_MS = 8_000;
const PARTITION_MS = [1_000, 5_000] as const;
const STATUSES = [408, 499, 502, 503, 504];
const PAGE = '<!doctype html><title>Please wait</title><p>One moment, please.</p>';

interface Reply {
	status: number;
	headers: http.IncomingHttpHeaders;
	body: Buffer;
}

/** A request that reached the other side. */
export interface Exchange {
	headers: http.IncomingHttpHeaders;
	/** milliseconds since 1970 */
	at: number;
	/** until the end of the answer */
	ms?: number;
	/** undefined when the other side closed the connection */
	answered?: Reply;
}

/**
 * Starts a proxy in front of a web server. It is faithful until `begin`.
 *
 * @param direction of its requests: n8n → service (0), service → n8n (1)
 * @param random decides what goes wrong with the next request
 */
export async function startFaultyProxy(direction: 0 | 1, random: Random, cleanup: Cleanup) {
	let target = '';
	let isBad = false;
	let partitionUntil = 0;
	const counts = new Map<string, number>();
	const exchanges: Exchange[] = [];
	const lottery = Object.entries(FAULTS).flatMap(([name, [, , ...weights]]) =>
		Array.from({ length: weights[direction] }, () => name),
	);

	const draw = (): string | undefined => {
		if (!isBad) return undefined;
		if (Date.now() < partitionUntil) return 'lost in a partition';
		return random.next() < SHARES[direction] ? random.pick(lottery) : undefined;
	};

	async function forward(
		{ url, method, headers }: http.IncomingMessage,
		body: Buffer,
	): Promise<Reply> {
		const exchange: Exchange = { headers, at: Date.now() };
		exchanges.push(exchange);
		try {
			const outgoing = http.request(`${target}${url}`, { method, headers, agent: false });
			outgoing.end(body);
			const [incoming] = (await once(outgoing, 'response')) as [http.IncomingMessage];
			const { statusCode: status = 0, headers: own } = incoming;
			return (exchange.answered = { status, headers: own, body: await buffer(incoming) });
		} finally {
			exchange.ms = Date.now() - exchange.at;
		}
	}

	async function handle(
		request: http.IncomingMessage,
		response: http.ServerResponse,
	): Promise<void> {
		const body = await buffer(request);
		const name = draw() ?? '';
		if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
		const [arrives, end] = FAULTS[name] ?? FAITHFUL;
		const ms = random.integer(100, MAX_DELAY_MS);
		// The node repeats a request after 429, so it comes before the change only.
		const status = random.pick(arrives ? STATUSES : [...STATUSES, 429]);
		if (name === 'delayed') await delay(ms);
		if (name === 'lost in a partition') await delay(Math.max(0, partitionUntil - Date.now()));
		if (name.startsWith('repeated')) {
			const wait = name === 'repeated later' ? REPEATED_LATER_MS : 0;
			// Its sender is the same, and gets the other answer.
			void delay(wait).then(() => forward(request, body).catch(() => {}));
		}
		const own = arrives ? await forward(request, body) : { status, headers: {}, body };
		answer(response, end, own, status);
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
		/** From now on requests meet faults, or none does. */
		setBad: (bad: boolean): void => {
			isBad = bad;
		},
		/** For some seconds nothing gets through. */
		partition: (): void => {
			partitionUntil = Date.now() + random.integer(...PARTITION_MS);
		},
	};
}

/**
 * Ends the sender's connection.
 *
 * @param own the answer of the other side
 * @param status of a gateway
 */
function answer(response: http.ServerResponse, end: End, own: Reply, status: number): void {
	const reply = (code: number, text: string) => response.writeHead(code).end(text);
	if (end === 'reset') response.destroy();
	else if (end === 'refused') reply(422, '{"message":"Not today."}');
	else if (end === 'HTML') reply(200, PAGE);
	else if (end === 'empty') reply(200, '');
	else if (end === 'status') {
		if (status === 429) response.setHeader('retry-after', '1');
		reply(status, PAGE);
	} else {
		const kept = Object.entries(own.headers).filter(([key]) => !/^(transfer-enc|connec)/.test(key));
		const length = own.body.length + (end === 'cut' ? 1 : 0);
		response.writeHead(own.status, { ...Object.fromEntries(kept), 'content-length': length });
		if (end === 'whole') response.end(own.body);
		else response.write(own.body, () => response.destroy());
	}
}
