import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NodeApiError, type INode } from 'n8n-workflow';
import { connectionFailure } from '../../../../nodes/shared/client/connection.ts';
import { toServiceError } from '../../../../nodes/shared/client/failedRequest.ts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { forAny } from '../../../support/forAny.mts';

const CHECK_SCHEME =
	'Check the Base URL in the credential: a service on your own machine or network may need http:// in place of https://.';

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

/** The texts of a failure as n8n 2.0 gives it. */
const oldForm = (httpCode: string | null, text: string) => ({ httpCode, messages: [text, text] });

describe('a connection that was never made', () => {
	// The list of nodejs.org/api/tls.html (X509 certificate error codes), and what stands for all others.
	const CERTIFICATE = [
		...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_CRL', 'UNABLE_TO_DECRYPT_CERT_SIGNATURE'],
		...['UNABLE_TO_DECRYPT_CRL_SIGNATURE', 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY'],
		...[
			'CERT_SIGNATURE_FAILURE',
			'CRL_SIGNATURE_FAILURE',
			'CERT_NOT_YET_VALID',
			'CERT_HAS_EXPIRED',
		],
		...['CRL_NOT_YET_VALID', 'CRL_HAS_EXPIRED', 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 'OUT_OF_MEM'],
		...['ERROR_IN_CERT_NOT_AFTER_FIELD', 'ERROR_IN_CRL_LAST_UPDATE_FIELD'],
		...['ERROR_IN_CRL_NEXT_UPDATE_FIELD', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
		...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_REVOKED'],
		...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_CHAIN_TOO_LONG', 'INVALID_CA', 'CERT_REJECTED'],
		...['PATH_LENGTH_EXCEEDED', 'INVALID_PURPOSE', 'CERT_UNTRUSTED', 'HOSTNAME_MISMATCH'],
		...['ERR_TLS_CERT_ALTNAME_INVALID', 'UNSPECIFIED'],
	];
	const CERTIFICATE_ADVICE = /NODE_EXTRA_CA_CERTS|clock of n8n's server|Base URL/;

	it.each<[string, RegExp, boolean, RegExp]>([
		['ECONNREFUSED', REACH, true, /whether this n8n can reach that host\. If .*HTTPS_PROXY/],
		['ENOTFOUND', REACH, true, /HTTPS_PROXY/],
		['EAI_AGAIN', REACH, true, /HTTPS_PROXY/],
		['EPROTO', SAFELY, false, /may need http:\/\/ in place of https:\/\//],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', SAFELY, false, /Base URL/],
		[
			'ERR_INVALID_URL',
			/^The Base URL of the credential is not a valid address$/,
			false,
			/Base URL/,
		],
		...CERTIFICATE.map((code): [string, RegExp, boolean, RegExp] => [
			code,
			/^The service could not be reached safely: its certificate /,
			false,
			CERTIFICATE_ADVICE,
		]),
	])('%s: the service received nothing', (code, words, retryable, advice) => {
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
				nextStep: expect.stringMatching(advice),
				outcomeUnknown: false,
			});
		}
	});

	// n8n 2.0.0 on Node 20 and 24, each with a server or a proxy that does this.
	it.each([
		['ECONNRESET', 'connect ECONNRESET 10.0.0.1:443'],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443'],
		['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443 - Local (10.0.0.2:4711)'],
		[
			'ECONNRESET',
			'Client network socket disconnected before secure TLS connection was established',
		],
		[null, 'Proxy connection ended before receiving CONNECT response'],
	])('%s with "%s": n8n 2.0 tells it by its text alone', (code, text) => {
		expect(connectionFailure(oldForm(code, text))).toMatchObject({
			message: expect.stringMatching(REACH),
			received: 'no',
		});
	});
});

describe('a connection that failed', () => {
	const NOT_IN_TIME = 'The service did not answer in time';
	const CANCELED = 'The execution was canceled before the service answered';
	/** As Node tells it (nodejs.org/api/tls.html, `authorized` and `encrypted`). */
	const OPEN = { protocol: 'https:', socket: { encrypted: true, authorized: true } };
	const UNCHECKED = {
		protocol: 'https:',
		socket: {
			encrypted: true,
			authorized: false,
			authorizationError: 'DEPTH_ZERO_SELF_SIGNED_CERT',
		},
	};
	const NO_ROUTE = 'The service could not be reached: there is no route to its';

	it.each<[string, unknown, string, boolean]>([
		['EHOSTUNREACH', { code: 'EHOSTUNREACH' }, `${NO_ROUTE} host`, true],
		['ENETUNREACH', { code: 'ENETUNREACH' }, `${NO_ROUTE} network`, true],
		['ECONNABORTED', { code: 'ECONNABORTED' }, NOT_IN_TIME, true],
		['ETIMEDOUT', { code: 'ETIMEDOUT' }, NOT_IN_TIME, true],
		['the reason of a time limit', { name: 'TimeoutError', code: 23 }, NOT_IN_TIME, true],
		['ERR_CANCELED', { code: 'ERR_CANCELED' }, CANCELED, false],
		['the reason of a cancellation', { name: 'AbortError', code: 20 }, CANCELED, false],
		['EPROTO of an open connection', { code: 'EPROTO', request: OPEN }, UNKNOWN, false],
		['ECONNRESET of an open connection', { code: 'ECONNRESET', request: OPEN }, CLOSED, true],
		[
			'ECONNRESET of a connection whose certificate is not checked',
			{ code: 'ECONNRESET', request: UNCHECKED },
			CLOSED,
			true,
		],
		['ECONNRESET', { code: 'ECONNRESET' }, CLOSED, true],
		['ECONNRESET of n8n 2.0', oldForm('ECONNRESET', 'read ECONNRESET'), CLOSED, true],
		['a text of the service', withCode('ESOMETHING connect ECONNRESET'), UNKNOWN, false],
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

	it('shows no text of the HTTP client', async () => {
		const TOKEN = 'sk-very-secret-0815';
		await forAny(fc.tuple(fc.anything(), fc.constantFrom('GET', 'POST')), ([anything, method]) => {
			const error = Object.assign(new Error(`Bearer ${TOKEN}`), {
				code: TOKEN,
				config: { headers: { Authorization: `Bearer ${TOKEN}` } },
				cause: anything,
			});
			const failure = connectionFailure(error);
			for (const kept of [failure, toServiceError(method, failure)]) {
				expect(inspect(kept, { depth: Infinity, showHidden: true })).not.toContain(TOKEN);
			}
		});
	});
});

describe("through n8n's HTTP helper", () => {
	const sockets = new Set<Socket>();
	const servers: Server[] = [];
	afterEach(async () => {
		useRealTime();
		for (const socket of sockets) socket.destroy();
		await Promise.all(servers.splice(0).map((server) => once(server.close(), 'close')));
	});

	/** Starts a server that answers each connection with bytes. */
	async function startTcpServer(bytes: string | Buffer) {
		let connections = 0;
		const server = createServer((socket) => {
			connections++;
			sockets.add(socket);
			socket.on('error', () => undefined).once('data', () => socket.end(bytes));
		});
		servers.push(server);
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		return { host: `127.0.0.1:${port}`, connections: () => connections };
	}

	/** Runs an operation without waiting between its tries. @returns the error of its item */
	async function getError(baseUrl: string, name: string) {
		skipWaits();
		const { output } = await n8nWith({ baseUrl, apiToken: 'a-token' }).runNode({
			parameters: operationNamed(name).parameters,
			settings: { onError: 'continueErrorOutput' },
		});
		useRealTime();
		return output[1][0]?.json.error;
	}

	it('a read is not repeated when the server does not speak HTTP', async () => {
		const { host, connections } = await startTcpServer('SSH-2.0-OpenSSH_9.6\r\n');
		const error = await getError(`http://${host}/api`, 'call: getAll');
		expect(error).toMatchObject({ message: UNREADABLE });
		expect(connections()).toBe(1);
	});

	it('nothing is repeated when the server does not speak https: it received nothing', async () => {
		const { host, connections } = await startTcpServer('HTTP/1.1 400 Bad Request\r\n\r\n');
		for (const name of ['call: getAll', 'lead: create']) {
			expect(await getError(`https://${host}/api`, name)).toMatchObject({
				result: 'failed',
				message: 'The service could not be reached safely: its address does not answer over https',
				description: CHECK_SCHEME,
				httpCode: 'EPROTO',
			});
		}
		expect(connections()).toBe(2);
	});

	const CUT_OFF = 'The connection was closed in the middle of the answer';
	const NOT_PACKED = 'The service sent an answer that cannot be unpacked';
	const HALF = gzipSync('{}').subarray(0, 12);
	const response = (headers: string, body: string | Buffer) =>
		Buffer.concat([
			Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`),
			Buffer.from(body),
		]);

	it.each<[string, string, string | Buffer, string, number]>([
		['with a length', 'Content-Length: 100', '{"data": [', CUT_OFF, 4],
		['in chunks', 'Transfer-Encoding: chunked', '5\r\n{"dat\r\n', CUT_OFF, 4],
		['packed', 'Content-Encoding: gzip\r\nContent-Length: 100', HALF, CUT_OFF, 4],
		[
			'that is not packed as it says',
			'Content-Encoding: gzip\r\nConnection: close',
			'{"data": []}',
			NOT_PACKED,
			1,
		],
	])('an answer %s is named, and a read asks again if that can help', async (...row) => {
		const [, headers, body, message, tries] = row;
		const { host, connections } = await startTcpServer(response(headers, body));
		const baseUrl = `http://${host}/api`;
		expect(await getError(baseUrl, 'call: getAll')).toMatchObject({
			result: 'failed',
			message,
			httpCode: null,
		});
		expect(connections()).toBe(tries);
		expect(await getError(baseUrl, 'lead: create')).toMatchObject({
			result: 'unknown',
			message: `${message}; the request may have been carried out`,
			description: expect.stringContaining('The request was not sent again.'),
		});
		expect(connections()).toBe(tries + 1);
	});
});
