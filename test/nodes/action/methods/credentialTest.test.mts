import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CredentialTestContext } from 'n8n-core';
import { CREDENTIAL_TYPE } from '../../../../host/n8n/names.mts';
import { credentialTest } from '../../../../nodes/VoiceAssistantCalling/methods/credentialTest.ts';
import { listenOnLoopback, type LoopbackServer } from '../../../support/loopback.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';

const TOKEN = 'sk-very-secret-0815';
const NOT_IN_TIME =
	'The service did not answer in time. Try again later. If it fails again, ask your provider.';

const startServer = stubServersPerTest();
const hosts: LoopbackServer[] = [];
afterEach(async () => {
	jest.restoreAllMocks();
	delete process.env.HTTP_PROXY;
	await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** Clicks *Test* of a credential. */
const test = (origin: string) =>
	credentialTest.testCredential.call(new CredentialTestContext(), {
		id: '1',
		name: 'Voice Assistant Calling API',
		type: CREDENTIAL_TYPE,
		data: { baseUrl: `${origin}/api`, apiToken: TOKEN },
	});

async function startHost(respond: RequestListener): Promise<string> {
	const host = await listenOnLoopback(respond);
	hosts.push(host);
	return host.origin;
}

/** Lets the test of a credential reach its time limit when the function that it returns is called. */
function holdTimeLimit(): () => void {
	const limit = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
	// `AbortSignal.timeout` aborts with this error.
	return () => limit.abort(new DOMException('The operation timed out', 'TimeoutError'));
}

describe('a service that sends slowly', () => {
	it('in the middle of its answer is left at the time limit', async () => {
		const reachTimeLimit = holdTimeLimit();
		const begun = Promise.withResolvers<undefined>();
		const closed = Promise.withResolvers<undefined>();
		const origin = await startHost((_request, response) => {
			response.once('close', () => closed.resolve(undefined));
			response.writeHead(200, { 'Content-Type': 'application/json' });
			const drip = () => {
				if (response.destroyed) return;
				response.write(' ', drip);
				begun.resolve(undefined);
			};
			drip();
		});
		const result = test(origin);
		await begun.promise;
		reachTimeLimit();
		expect(await result).toEqual({ status: 'Error', message: NOT_IN_TIME });
		await closed.promise;
	});

	it('in the middle of its headers is left at the time limit, and so is its answer', async () => {
		const reachTimeLimit = holdTimeLimit();
		const arrived = Promise.withResolvers<Socket>();
		const server = createServer((socket) => {
			socket.once('data', () => {
				socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
				arrived.resolve(socket);
			});
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const result = test(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		const socket = await arrived.promise;
		reachTimeLimit();
		expect(await result).toEqual({ status: 'Error', message: NOT_IN_TIME });
		const closed = once(socket, 'close');
		socket.write('x\r\nContent-Length: 1000\r\n\r\n{');
		await closed;
		server.close();
	});
});

describe('a service that sends too much', () => {
	it('is left after 100 MB, unpacked', async () => {
		const packed = gzipSync(Buffer.alloc(1_000_000, ' '));
		const origin = await startHost((_request, response) => {
			response.writeHead(200, { 'Content-Encoding': 'gzip' });
			const sendMore = () => {
				if (!response.destroyed) response.write(packed, sendMore);
			};
			sendMore();
		});
		expect(await test(origin)).toEqual({
			status: 'Error',
			message: 'The service sent more than 100 MB. Ask your provider about it.',
		});
	});

	it('about 50,000 fields is shown in part', async () => {
		const fields = Array.from({ length: 50_000 }, (_, index) => [
			`field_${index}`,
			'x'.repeat(900),
		]);
		const body = { message: 'x'.repeat(9_000), errors: Object.fromEntries(fields) as unknown };
		const server = await startServer(() => ({ status: 422, body }));
		const { status, message } = await test(server.origin);
		expect(status).toBe('Error');
		expect(message.length).toBeLessThan(12_000);
		expect(message).toMatch(/ then try again\. The service reports 49,980 more\.$/);
	});
});

it('a token that the service repeats is not shown', async () => {
	const server = await startServer(({ authorization }) => ({
		status: 400,
		body: { message: `Odd header: ${authorization}` },
	}));
	expect(await test(server.origin)).toEqual({
		status: 'Error',
		message: 'Odd header: Bearer ***. Fix the problem that the service reports, then try again.',
	});
});

it("n8n's outgoing proxy is used", async () => {
	const proxy = await startServer(() => ({ body: { data: [] } }));
	process.env.HTTP_PROXY = proxy.origin;
	expect(await test('http://calls.example.com')).toEqual({
		status: 'OK',
		message: 'The service accepted the API token',
	});
	expect(proxy.requests).toMatchObject([
		{ method: 'GET', url: 'http://calls.example.com/api/user/calls?per_page=1' },
	]);
});
