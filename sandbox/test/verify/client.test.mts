import { createServer } from 'node:http';
import { connect } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { listenOnLoopback } from '../../../test/support/loopback.mts';
import { Client } from '../../src/verify/client.mts';

type Reply = [status: number, headers?: { [name: string]: string }];

const clientAt = (baseUrl: string, { signal } = new AbortController()) =>
	new Client({ baseUrl, token: 'token', signal, pause: 0 });

/** A client of a service with these responses, one after the other. With status 0 it closes the connection. */
async function clientOf(...replies: Reply[]) {
	const received: string[] = [];
	const server = await listenOnLoopback((request, response) => {
		const [status, headers] = replies[Math.min(received.length, replies.length - 1)] ?? [200];
		received.push(`${request.method} ${request.url}`);
		if (status > 0) response.writeHead(status, headers).end('\uFEFF{}');
		else response.destroy();
	});
	const interrupt = new AbortController();
	return { ...server, client: clientAt(server.origin, interrupt), received, interrupt };
}

const AT_ONCE = { 'Retry-After': '0' };

it('a 429 is obeyed: reads and writes are sent again after the wait, twice at most', async () => {
	await using own = await clientOf([429, AT_ONCE], [429, AT_ONCE], [422]);
	expect((await own.client.refused('POST', '/a', {})).status).toBe(422);
	await using never = await clientOf([429, AT_ONCE]);
	expect((await never.client.refused('POST', '/a', {})).status).toBe(429);
	expect(never.received).toHaveLength(3);
	await expect(never.client.get('/a')).rejects.toThrow('The service answered 429 again and again.');
	expect(never.received).toHaveLength(6);
});

it('a 429 that asks for a long wait ends the run', async () => {
	await using own = await clientOf([429, { 'Retry-After': '3600' }]);
	await expect(own.client.get('/a')).rejects.toThrow('a pause of more than 90 seconds');
});

it('a write whose response is lost is not sent again', async () => {
	await using own = await clientOf([0]);
	await expect(own.client.refused('POST', '/a', {})).rejects.toThrow('could not be reached');
	expect(own.received).toEqual(['POST /a']);
});

it('nothing is sent after an interruption', async () => {
	await using own = await clientOf([200]);
	// A byte order mark is left out, as the nodes do.
	expect((await own.client.get('/a')).body).toEqual({});
	own.interrupt.abort();
	await expect(own.client.get('/b')).rejects.toThrow('The verification was interrupted');
	expect(own.received).toEqual(['GET /a']);
});

describe('a proxy of the environment', () => {
	const before = { ...process.env };
	afterEach(() => {
		process.env = { ...before };
	});

	it('resolves the name of the service, unless NO_PROXY has it', async () => {
		await using service = await clientOf([200]);
		const asked: string[] = [];
		const forwarder = createServer().on('connect', (request, socket) => {
			asked.push(request.url ?? '');
			const onward = connect(Number(new URL(service.origin).port), '127.0.0.1', () => {
				socket.write('HTTP/1.1 200 OK\r\n\r\n');
				onward.pipe(socket).pipe(onward);
			});
		});
		await using proxy = await listenOnLoopback(forwarder);
		process.env.http_proxy = proxy.origin;
		expect((await clientAt('http://voice.invalid').get('/a')).status).toBe(200);
		expect(asked).toEqual(['voice.invalid:80']);
		// This machine needs no proxy.
		expect((await service.client.get('/a')).status).toBe(200);
		process.env.no_proxy = 'voice.invalid';
		await expect(clientAt('http://voice.invalid').get('/a')).rejects.toThrow(
			'voice.invalid could not',
		);
		expect(asked).toHaveLength(1);
	});
});
