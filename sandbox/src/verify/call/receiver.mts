import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { parseJson } from '../../base/parseJson.mts';
import { testPath } from '../randomPart.mts';
import { CannotCheck } from '../stop.mts';
import type { Time } from '../time.mts';
import { isOfActiveCall, readNotification } from './notification.mts';

/** A request that arrived. */
export interface Arrival {
	/** In milliseconds. */
	at: number;
	method: string;
	/** The parameters behind `?`. */
	query: URLSearchParams;
	headers: IncomingMessage['headers'];
	text: string;
	/** The parsed body; undefined when it is not JSON. */
	body: unknown;
}

export interface Receiver {
	/** The public address of a page that says that the receiver is reached. */
	testUrl: string;
	webhookUrl: string;
	toolUrl: string;
	/** What arrived so far, the oldest first. */
	readonly webhooks: readonly Arrival[];
	readonly toolRequests: readonly Arrival[];
	/** Whether somebody has opened the page. */
	isReached(): boolean;
	close(): Promise<void>;
}

interface ReceiverOptions {
	port: number;
	/** Under which the internet reaches the port. */
	publicUrl: string;
	/** Who is called. Webhooks about other calls are answered 200, and not kept. */
	phoneNumber: string;
	time: Time;
	/** Prints a line. */
	tell: (line: string) => void;
}

/** Tunnels run on this machine. */
const LOOPBACK = '127.0.0.1';
const MAX_BYTES = 1_000_000;
const REACHED = 'The receiver is reached. You can close this page.\n';
const TOOL_RESPONSE = JSON.stringify({ answer: 'The test has worked. You can hang up now.' });

/**
 * Starts a web server on this machine, which records and prints the webhooks of a call and the requests
 * of its tool. It answers 500 to webhooks about its end, so that the service repeats them.
 *
 * @throws {CannotCheck} when the port cannot be used
 */
export async function startReceiver({
	port,
	publicUrl,
	phoneNumber,
	time,
	tell,
}: ReceiverOptions): Promise<Receiver> {
	// Nobody else knows the addresses.
	const secret = testPath();
	const webhooks: Arrival[] = [];
	const toolRequests: Arrival[] = [];
	let isReached = false;

	function respond(request: IncomingMessage, text: string, response: ServerResponse): void {
		const [, path, kind, query] = ADDRESS.exec(request.url ?? '') ?? [];
		if (path !== secret) {
			response.writeHead(404).end();
			return;
		}
		const { method = '', headers } = request;
		const arrival: Arrival = {
			at: time.now(),
			method,
			query: new URLSearchParams(query),
			headers,
			text,
			body: parseJson(text),
		};
		switch (kind) {
			case 'webhook':
				if (!isAbout(phoneNumber, arrival)) {
					tell('A webhook about another call came.');
					response.writeHead(200).end();
					return;
				}
				webhooks.push(arrival);
				tell(`Webhook: ${shown(arrival)}`);
				response.writeHead(isOfActiveCall(readNotification(arrival.body)) ? 200 : 500).end();
				return;
			case 'tool':
				toolRequests.push(arrival);
				tell(`Request of the tool: ${shown(arrival)}`);
				response.writeHead(200, { 'Content-Type': 'application/json' }).end(TOOL_RESPONSE);
				return;
			default:
				isReached = true;
				response.writeHead(200, { 'Content-Type': 'text/plain' }).end(REACHED);
		}
	}

	const server = createServer((request, response) => {
		readText(request).then(
			(text) => respond(request, text, response),
			() => response.destroy(),
		);
	});
	try {
		await once(server.listen({ host: LOOPBACK, port }), 'listening');
	} catch (error) {
		throw new CannotCheck(`The receiver cannot listen on port ${port}. Choose another port.`, {
			cause: error,
		});
	}
	const base = `${publicUrl.replace(/\/+$/, '')}/${secret}`;
	return {
		testUrl: `${base}/test`,
		webhookUrl: `${base}/webhook`,
		toolUrl: `${base}/tool`,
		webhooks,
		toolRequests,
		isReached: () => isReached,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** The service may add a slash. */
const ADDRESS = /\/(verify-[\da-f]+)\/(test|webhook|tool)\/?(?:\?(.*))?$/;

async function readText(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_BYTES) throw new Error('The request is too long.');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** The fields of a notification that may say who was called. */
const CALLED = /^(customer|client|callee|to|phone)(_phone)?(_number)?$/;

/** Whether a webhook has a phone number, however it is written, or does not say who was called. */
function isAbout(phoneNumber: string, { body, text }: Arrival): boolean {
	if (digitsOf(text).includes(digitsOf(phoneNumber).slice(-8))) return true;
	const { fields } = readNotification(body);
	return !Object.entries(fields).some(
		([name, value]) => CALLED.test(name) && typeof value === 'string' && digitsOf(value) !== '',
	);
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** A request as one line, without commands for the terminal. */
const shown = ({ method, query, text }: Arrival): string =>
	[method, query.toString(), text].join(' ').replaceAll(/\p{Cc}+/gu, ' ');
