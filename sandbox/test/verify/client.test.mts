import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listenOnLoopback } from '../../../test/support/loopback.mts';
import { Client, type ClientOptions } from '../../src/verify/client.mts';

type Reply = [status: number, headers?: { [name: string]: string }];

/**
 * A client of a service that gives these responses, one after the other, and the last one for ever. With
 * the status 0 it closes the connection.
 */
async function clientOf(replies: Reply[], options: Partial<ClientOptions> = {}) {
	const received: string[] = [];
	let open = 0;
	let mostOpen = 0;
	const server = await listenOnLoopback((request, response) => {
		const [status, headers] = replies[Math.min(received.length, replies.length - 1)] ?? [200];
		received.push(`${request.method} ${request.url}`);
		open += 1;
		mostOpen = Math.max(mostOpen, open);
		// At the end of the request: a second one could have begun by then.
		request.resume().on('end', () => {
			open -= 1;
			if (status > 0) response.writeHead(status, headers).end('{}');
			else response.destroy();
		});
	});
	const interrupt = new AbortController();
	const { signal } = interrupt;
	const client = new Client({
		baseUrl: server.origin,
		token: 'token',
		signal,
		pause: 0,
		...options,
	});
	return { ...server, client, received, interrupt, mostOpen: () => mostOpen };
}

const AT_ONCE = { 'Retry-After': '0' };

it('one request at a time, and the same GET once', async () => {
	await using own = await clientOf([[200], [200], [200], [422]]);
	const { client } = own;
	const paths = ['/a', '/b', '/a', '/c'];
	await Promise.all([...paths.map((path) => client.get(path)), client.refused('POST', '/a', {})]);
	expect(own.received).toEqual(['GET /a', 'GET /b', 'GET /c', 'POST /a']);
	expect(own.mostOpen()).toBe(1);
	expect(client.requestCount).toBe(4);
});

it('a 429 is obeyed: reads and writes are sent again after the wait, twice at most', async () => {
	await using own = await clientOf([[429, AT_ONCE], [429, AT_ONCE], [422]]);
	expect((await own.client.refused('POST', '/a', {})).status).toBe(422);
	await using never = await clientOf([[429, AT_ONCE]]);
	expect((await never.client.refused('POST', '/a', {})).status).toBe(429);
	expect(never.received).toHaveLength(3);
	await expect(never.client.get('/a')).rejects.toThrow('The service answered 429 again and again.');
	expect(never.received).toHaveLength(6);
});

it.each(['3600', new Date(Date.now() + 3_600_000).toUTCString()])(
	'a 429 that asks for a long wait (%s) ends the run',
	async (wait) => {
		await using own = await clientOf([[429, { 'Retry-After': wait }]]);
		await expect(own.client.get('/a')).rejects.toThrow(
			'The service asks for a pause of more than 90 seconds. Try again later.',
		);
	},
);

it('a write whose response is lost is not sent again', async () => {
	await using own = await clientOf([[0]]);
	await expect(own.client.refused('POST', '/a', {})).rejects.toThrow('closed the connection');
	expect(own.received).toEqual(['POST /a']);
});

describe('a proxy of the environment', () => {
	const before = { ...process.env };
	afterEach(() => {
		process.env = { ...before };
	});

	it('resolves the name of the service, unless NO_PROXY has it', async () => {
		await using service = await clientOf([[200]]);
		const asked: string[] = [];
		const forwarder = createServer().on('connect', (request, socket) => {
			asked.push(request.url ?? '');
			const { port } = new URL(service.origin);
			const onward = connect(Number(port), '127.0.0.1', () => {
				socket.write('HTTP/1.1 200 OK\r\n\r\n');
				onward.pipe(socket).pipe(onward);
			});
		});
		await using proxy = await listenOnLoopback(forwarder);
		process.env.http_proxy = proxy.origin;
		const baseUrl = 'http://voice.invalid';
		const { signal } = new AbortController();
		const client = new Client({ baseUrl, token: 'token', signal, pause: 0 });
		expect((await client.get('/a')).status).toBe(200);
		expect(asked).toEqual(['voice.invalid:80']);
		// This machine needs no proxy.
		expect((await service.client.get('/a')).status).toBe(200);
		process.env.no_proxy = 'voice.invalid';
		const direct = new Client({ baseUrl, token: 'token', signal, pause: 0 });
		await expect(direct.get('/a')).rejects.toThrow('There is no host voice.invalid.');
		expect(asked).toHaveLength(1);
	});
});

it('a run that would send too many requests ends', async () => {
	await using own = await clientOf([[200]], { maxReads: 2 });
	await Promise.all([own.client.get('/a'), own.client.get('/b')]);
	await expect(own.client.get('/c')).rejects.toThrow('No more than 2 requests are sent.');
});

it('nothing is sent after an interruption', async () => {
	await using own = await clientOf([[200]]);
	await own.client.get('/a');
	own.interrupt.abort();
	await expect(own.client.get('/b')).rejects.toThrow('The verification was interrupted');
	expect(own.received).toEqual(['GET /a']);
});

it('another host is refused before anything is sent', async () => {
	await using own = await clientOf([[200]]);
	await using other = await clientOf([[200]]);
	expect(() => own.client.getWithoutToken(`${other.origin}/a`)).toThrow('is on another host');
	expect(other.received).toEqual([]);
});
