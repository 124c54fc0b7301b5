import { once } from 'node:events';
import { get, type ClientRequest } from 'node:http';
import { get as getOverTls } from 'node:https';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { isOfProxy } from '../../../../nodes/shared/client/proxy.ts';
import { useKeyStore } from '../../../support/n8n/keyStore.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { issuedByUnknown, selfSigned } from '../../../support/selfSigned.mts';

const sockets = new Set<Socket>();
const servers: Server[] = [];
afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	sockets.clear();
	await Promise.all(servers.splice(0).map((server) => once(server.close(), 'close')));
});
const store = useKeyStore();
beforeAll(store.install);
beforeEach(store.clear);

/** What happens to each connection. */
type Handler = (socket: Socket) => void;

async function listen(server: Server): Promise<number> {
	servers.push(server);
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

const onData =
	(act: (socket: Socket, data: Buffer) => void): Handler =>
	(socket) =>
		socket.once('data', (data) => act(socket, data));

const close: Handler = (socket) => socket.end();
const reset: Handler = (socket) => socket.resetAndDestroy();
const send = (bytes: string | Buffer) => (socket: Socket) => socket.end(bytes);

/** Creates a lead. @returns its error, and what became of it */
async function getError(
	baseUrl: string,
	requestOptions: INodeParameters = {},
): Promise<IDataObject> {
	const { output } = await n8nWith({ baseUrl, apiToken: 'a-token' }).runNode({
		parameters: { ...leadPerItem, requestOptions },
		items: people(1),
		settings: { onError: 'continueErrorOutput' },
	});
	return output[1][0]?.json.error as IDataObject;
}

const NOT_RECEIVED = {
	result: 'failed',
	message: expect.stringMatching(/could not be reached|refused/),
};
const UNKNOWN = { result: 'unknown', message: expect.stringMatching(/may have been carried out$/) };

describe('a connection that breaks before the handshake is over: the service received nothing', () => {
	it.each<[string, Handler]>([
		['closed at once', close],
		['reset at once', reset],
		['closed after the greeting', onData(close)],
		['reset after the greeting', onData(reset)],
		['answered by an alert', onData(send(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])))],
		['answered by http', onData(send('HTTP/1.1 400 Bad Request\r\n\r\n'))],
		['not answered in time', () => undefined],
	])('%s', async (_what, handler) => {
		const port = await listen(createServer(handler));
		expect(await getError(`https://127.0.0.1:${port}/api`, { timeout: 500 })).toMatchObject({
			...NOT_RECEIVED,
			description: expect.stringContaining('Check the Base URL'),
		});
	});

	it.each(['TLSv1.2', 'TLSv1.3'] as const)('a certificate that is refused, %s', async (version) => {
		let bytes = 0;
		const options = { ...issuedByUnknown(), minVersion: version, maxVersion: version };
		const server = createTlsServer(options, (socket) => {
			socket.on('error', () => undefined).on('data', (data: Buffer) => (bytes += data.length));
		});
		const port = await listen(server);
		const closed = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
		expect(await getError(`https://127.0.0.1:${port}/api`)).toMatchObject({
			result: 'failed',
			message:
				'The service could not be reached safely: its certificate is not trusted by this n8n',
			description: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
			httpCode: 'INVALID_PURPOSE',
		});
		await closed;
		expect(bytes).toBe(0);
	});
});

describe('a connection that breaks after the request may have left: nobody knows', () => {
	it.each<[string, Handler]>([
		['closed', onData(close)],
		['reset', onData(reset)],
	])('%s, without TLS', async (_what, handler) => {
		const port = await listen(createServer(handler));
		expect(await getError(`http://127.0.0.1:${port}/api`)).toMatchObject(UNKNOWN);
	});

	const cases = (['TLSv1.2', 'TLSv1.3'] as const).flatMap((version) =>
		(
			[
				['closed', close],
				['reset', reset],
				['followed by garbage', send('HTTP/1.1 400 Bad Request\r\n\r\n')],
			] as Array<[string, Handler]>
		).map(([what, act]) => ({ version, what, act })),
	);
	it.each(cases)('$what, with $version', async ({ version, act }) => {
		const options = { ...selfSigned(), minVersion: version, maxVersion: version };
		let raw: Socket | undefined;
		const server = createTlsServer(options, (socket: TLSSocket) => {
			socket.on('error', () => undefined).once('data', () => raw && act(raw));
		});
		const inner = await listen(server);
		// In front of it, so that the bytes of the connection itself can be touched.
		const port = await listen(
			createServer((socket) => {
				raw = socket;
				const behind = connect(inner, '127.0.0.1');
				sockets.add(behind);
				behind.on('error', () => undefined).pipe(socket, { end: false });
				socket.pipe(behind);
			}),
		);
		const error = await getError(`https://127.0.0.1:${port}/api`, { allowUnauthorizedCerts: true });
		expect(error).toMatchObject(UNKNOWN);
	});
});

describe('a proxy', () => {
	const BASE_URL = 'https://calls.example.com/api';
	const through = async (handler: Handler) => ({
		proxy: `http://127.0.0.1:${await listen(createServer(handler))}`,
	});
	const PROXY = expect.stringMatching(
		/proxy is set by .*HTTPS_PROXY.*NO_PROXY.*Request Options → Proxy/,
	);

	const REFUSED = /^The proxy refused the connection to the service/;

	it.each([403, 407, 500, 502, 503, 504])(
		'that refuses with %i: nothing was sent',
		async (status) => {
			const answer = `HTTP/1.1 ${status} No\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nnone`;
			expect(await getError(BASE_URL, await through(onData(send(answer))))).toMatchObject({
				result: 'failed',
				message: `The proxy refused the connection to the service (status ${status})`,
				description: PROXY,
				httpCode: 'ERR_PROXY_TUNNEL',
			});
		},
	);

	it.each<[string, Handler]>([
		['closes', onData(close)],
		['resets', onData(reset)],
		['answers with garbage', onData(send('hello\r\n\r\n'))],
		['does not answer', () => undefined],
	])('that %s: nothing was sent', async (_what, handler) => {
		const options = { ...(await through(handler)), timeout: 500 };
		expect(await getError(BASE_URL, options)).toMatchObject({
			result: 'failed',
			message: expect.stringMatching(/^The proxy could not be reached: /),
			description: PROXY,
		});
	});

	it('that is down is told as the proxy, not as the service', async () => {
		expect(await getError(BASE_URL, { proxy: 'http://127.0.0.1:1' })).toMatchObject({
			result: 'failed',
			message: 'The proxy could not be reached: its host refused the connection',
			description: PROXY,
			httpCode: 'ECONNREFUSED',
		});
	});

	it.each(['https://calls.example.com/api', 'http://calls.example.com/api'])(
		'of the environment that is down is told as the proxy: %s',
		async (baseUrl) => {
			const { env } = process;
			process.env = { ...env, HTTPS_PROXY: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1' };
			try {
				expect(await getError(baseUrl)).toMatchObject({
					result: 'failed',
					message: 'The proxy could not be reached: its host refused the connection',
					description: PROXY,
				});
			} finally {
				process.env = env;
			}
		},
	);

	it('is told from the service by the connection of the answer (n8n 2.0)', async () => {
		const head = 'HTTP/1.1 502 No\r\n\r\n';
		const plain = await listen(createServer(onData(send(head))));
		const tls = createTlsServer(selfSigned(), (socket) => {
			socket.once('data', () => socket.end(head));
		});
		const secure = await listen(tls);
		const isOf = async (url: string, request: ClientRequest) => {
			const [body] = (await once(request, 'response')) as [never];
			return isOfProxy(url, { body, statusCode: 502, headers: {} });
		};
		const overTls = { rejectUnauthorized: false };
		const plainUrl = `http://127.0.0.1:${plain}`;
		expect(await isOf(BASE_URL, getOverTls(`https://127.0.0.1:${secure}`, overTls))).toBe(false);
		expect(await isOf(BASE_URL, get(plainUrl))).toBe(true);
		expect(await isOf(plainUrl, get(plainUrl))).toBe(false);
	});

	it('that refuses leaves no key of Only Once Per: the next execution sends', async () => {
		let connections = 0;
		const refuse = onData((socket) => {
			connections++;
			socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		});
		const n8n = n8nWith({ baseUrl: BASE_URL, apiToken: 'a-token' });
		const run = {
			parameters: {
				...leadPerItem,
				options: { onlyOnce: '={{ $json.phone }}' },
				requestOptions: await through(refuse),
			},
			items: people(1),
			mode: 'trigger' as const,
		};
		for (const count of [1, 2]) {
			expect((await n8n.runNode(run)).error).toMatchObject({
				message: expect.stringMatching(REFUSED),
			});
			expect(connections).toBe(count);
		}
	});
});

it('a server error that is the service’s own stays unknown, and keeps its words', async () => {
	const body = JSON.stringify({ message: 'Out of order.' });
	const server = createTlsServer(selfSigned(), (socket) => {
		const head = `HTTP/1.1 502 Bad Gateway\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
		socket.once('data', () => socket.end(`${head}\r\n\r\n${body}`));
	});
	const port = await listen(server);
	const options = { allowUnauthorizedCerts: true };
	expect(await getError(`https://127.0.0.1:${port}/api`, options)).toMatchObject({
		result: 'unknown',
		message: 'Out of order; the request may have been carried out',
		httpCode: '502',
	});
});
