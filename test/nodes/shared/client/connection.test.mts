import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NodeApiError, UserError, type INode, type INodeParameters } from 'n8n-workflow';
import { connectionFailure } from '../../../../nodes/shared/client/connection.ts';
import { toServiceError } from '../../../../nodes/shared/client/failure.ts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';

const CHECK_ADDRESS =
	'Check the Base URL in the credential, and whether this n8n can reach that host.';

const UNKNOWN = 'The connection failed before the service answered';
const CLOSED = 'The connection to the service was closed before it answered';
const UNREADABLE = 'The service sent an answer that cannot be read';

/** Wraps an error as the HTTP helper of n8n 2.41 does. */
function wrapped(error: Error): NodeApiError {
	const node = { name: 'Voice Assistant Calling', parameters: {} } as Partial<INode> as INode;
	return new NodeApiError(node, error as never);
}

/** An error of Node or of the HTTP client, with its code. */
const withCode = (code: string) => Object.assign(new Error(`Something ${code}`), { code });

const REACH = /^The service could not be reached: /;
const SAFELY = /^The service could not be reached safely: /;

describe('a connection that was never made', () => {
	it.each<[string, RegExp, boolean]>([
		['ECONNREFUSED', REACH, true],
		['ENOTFOUND', REACH, true],
		['EAI_AGAIN', REACH, true],
		['EPROTO', SAFELY, false],
		['CERT_HAS_EXPIRED', SAFELY, false],
		['DEPTH_ZERO_SELF_SIGNED_CERT', SAFELY, false],
		['SELF_SIGNED_CERT_IN_CHAIN', SAFELY, false],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', SAFELY, false],
		['ERR_TLS_CERT_ALTNAME_INVALID', SAFELY, false],
		['ERR_INVALID_URL', /^The Base URL of the credential is not a valid address$/, false],
	])('%s: the service received nothing', (code, words, retryable) => {
		for (const error of [
			{ code },
			{ httpCode: code },
			{ cause: { cause: { code } } },
			wrapped(withCode(code)),
		]) {
			const failure = connectionFailure(error);
			expect(failure.message).toMatch(words);
			expect(failure.message).not.toContain(code);
			expect(failure).toMatchObject({ httpCode: code, received: 'no', retryable });
			expect(toServiceError('POST', failure)).toMatchObject({
				nextStep: CHECK_ADDRESS,
				outcomeUnknown: false,
			});
		}
	});

	it.each([
		'The request was blocked because it resolves to a restricted IP address',
		'The request was blocked because the destination hostname is restricted',
	])(
		"n8n's protection against requests to its own network: the service received nothing: %s",
		(message) => {
			class SsrfBlockedIpError extends UserError {}
			const blocked = new SsrfBlockedIpError(message);
			const redirected = Object.assign(new Error('Redirected request failed'), {
				code: 'ERR_FR_REDIRECTION_FAILURE',
				cause: blocked,
			});
			for (const error of [
				blocked,
				wrapped(blocked),
				{ cause: { cause: blocked } },
				redirected,
				wrapped(redirected),
			]) {
				const failure = connectionFailure(error);
				expect(failure).toMatchObject({
					message: 'This n8n does not allow requests to the host of the Base URL',
					received: 'no',
				});
				expect(failure.retryable).toBeFalsy();
				expect(toServiceError('POST', failure)).toMatchObject({
					nextStep:
						'Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
					outcomeUnknown: false,
				});
			}
		},
	);
});

describe('a connection that failed', () => {
	it.each<[string, unknown, string, boolean]>([
		[
			'EHOSTUNREACH',
			{ code: 'EHOSTUNREACH' },
			'The service could not be reached: there is no route to its host',
			true,
		],
		[
			'ENETUNREACH',
			{ code: 'ENETUNREACH' },
			'The service could not be reached: there is no route to its network',
			true,
		],
		['ECONNABORTED', { code: 'ECONNABORTED' }, 'The service did not answer in time', true],
		['ETIMEDOUT', { code: 'ETIMEDOUT' }, 'The service did not answer in time', true],
		[
			'the reason of a time limit',
			{ name: 'TimeoutError', code: 23 },
			'The service did not answer in time',
			true,
		],
		[
			'ERR_CANCELED',
			{ code: 'ERR_CANCELED' },
			'The execution was canceled before the service answered',
			false,
		],
		['ECONNRESET', { code: 'ECONNRESET' }, CLOSED, true],
		['EPIPE', { code: 'EPIPE' }, CLOSED, true],
		['ERR_BAD_RESPONSE', { code: 'ERR_BAD_RESPONSE' }, UNREADABLE, false],
		['HPE_INVALID_CONSTANT', { code: 'HPE_INVALID_CONSTANT' }, UNREADABLE, false],
		['an unknown code', { code: 'ESOMETHING' }, UNKNOWN, false],
		['no code', new Error('socket hang up'), UNKNOWN, false],
		['no code, wrapped by n8n', wrapped(new Error('something broke')), UNKNOWN, false],
		['a text', 'nonsense', UNKNOWN, false],
		['nothing', undefined, UNKNOWN, false],
	])('with %s: the outcome of a write is unknown', (_what, error, message, retryable) => {
		const failure = connectionFailure(error);
		expect(failure).toMatchObject({ message, received: 'maybe', retryable });
		expect(failure.message).not.toMatch(/[A-Z]{3}/);
		expect(toServiceError('POST', failure).outcomeUnknown).toBe(true);
		expect(toServiceError('GET', failure).outcomeUnknown).toBe(false);
	});

	it('shows no text of the HTTP client', () => {
		const TOKEN = 'sk-very-secret-0815';
		fc.assert(
			fc.property(fc.anything(), fc.constantFrom('GET', 'POST'), (anything, method) => {
				const error = Object.assign(new Error(`Bearer ${TOKEN}`), {
					code: TOKEN,
					config: { headers: { Authorization: `Bearer ${TOKEN}` } },
					cause: anything,
				});
				const failure = connectionFailure(error);
				for (const kept of [failure, toServiceError(method, failure)]) {
					expect(inspect(kept, { depth: Infinity, showHidden: true })).not.toContain(TOKEN);
				}
			}),
		);
	});
});

describe("through n8n's HTTP helper", () => {
	const startServer = stubServersPerTest();
	const WRITE = operationNamed('lead: create').parameters;
	const READ = operationNamed('call: getAll').parameters;

	const sockets = new Set<Socket>();
	const servers: Server[] = [];
	afterEach(async () => {
		useRealTime();
		for (const socket of sockets) socket.destroy();
		await Promise.all(servers.splice(0).map((server) => once(server.close(), 'close')));
	});

	/** Starts a server that gets the bytes of a connection. */
	async function startTcpServer(respond: (socket: Socket) => void) {
		let connections = 0;
		const server = createServer((socket) => {
			connections++;
			sockets.add(socket);
			socket.on('error', () => undefined).once('data', () => respond(socket));
		});
		servers.push(server);
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		return { host: `127.0.0.1:${port}`, connections: () => connections };
	}

	/** Runs an operation without waiting between its tries. */
	async function run(baseUrl: string, parameters: INodeParameters) {
		skipWaits();
		const n8n = n8nWith({ baseUrl, apiToken: 'a-token' });
		const { output } = await n8n.runNode({
			parameters,
			settings: { onError: 'continueErrorOutput' },
		});
		useRealTime();
		return output[1][0]?.json.error;
	}

	it('https to an http server: the service received nothing', async () => {
		const server = await startServer(() => ({ body: {} }));
		const baseUrl = `${server.origin.replace('http:', 'https:')}/api`;
		const { error } = await n8nWith({ baseUrl, apiToken: 'a-token' }).runNode({
			parameters: WRITE,
		});
		expect(error).toMatchObject({
			message: 'The service could not be reached safely: its address does not answer over https',
			description: CHECK_ADDRESS,
		});
		expect(server.requests).toEqual([]);
	});

	it('a server without HTTP: the message names no error code', async () => {
		const server = await startTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
		const baseUrl = `http://${server.host}/api`;
		const { error } = await n8nWith({ baseUrl, apiToken: 'a-token' }).runNode({
			parameters: WRITE,
		});
		expect(error).toMatchObject({
			message: UNREADABLE,
			description: expect.stringContaining('The service may have carried out the request'),
		});
	});

	it('a read is not repeated when the server does not speak HTTP', async () => {
		const server = await startTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
		expect(await run(`http://${server.host}/api`, READ)).toMatchObject({ message: UNREADABLE });
		expect(server.connections()).toBe(1);
	});

	it('a read is not repeated when the server does not speak https', async () => {
		const server = await startTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
		expect(await run(`https://${server.host}/api`, READ)).toMatchObject({ httpCode: 'EPROTO' });
		expect(server.connections()).toBe(1);
	});

	const CUT_OFF = 'The connection was closed in the middle of the answer';
	const response = (headers: string, body: string | Buffer) =>
		Buffer.concat([
			Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`),
			Buffer.from(body),
		]);

	it.each<[string, Buffer, string, number]>([
		['with a length', response('Content-Length: 100', '{"data": ['), CUT_OFF, 4],
		['in chunks', response('Transfer-Encoding: chunked', '5\r\n{"dat\r\n'), CUT_OFF, 4],
		[
			'packed',
			response('Content-Encoding: gzip\r\nContent-Length: 100', gzipSync('{}').subarray(0, 12)),
			CUT_OFF,
			4,
		],
		[
			'that is not packed as it says',
			response('Content-Encoding: gzip\r\nConnection: close', '{"data": []}'),
			'The service sent an answer that cannot be unpacked',
			1,
		],
	])(
		'an answer %s is named, and a read asks again if that can help',
		async (_what, bytes, message, tries) => {
			const server = await startTcpServer((socket) => socket.end(bytes));
			const baseUrl = `http://${server.host}/api`;
			expect(await run(baseUrl, READ)).toMatchObject({ result: 'failed', message, httpCode: null });
			expect(server.connections()).toBe(tries);
			expect(await run(baseUrl, WRITE)).toMatchObject({
				result: 'unknown',
				message,
				description: expect.stringContaining('The service may have carried out the request'),
			});
			expect(server.connections()).toBe(tries + 1);
		},
	);
});
