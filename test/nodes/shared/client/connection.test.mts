import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NodeApiError, UserError, type INode } from 'n8n-workflow';
import { connectionFailure } from '../../../../nodes/shared/client/connection.ts';
import { toServiceError } from '../../../../nodes/shared/client/failure.ts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';

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
			for (const error of [blocked, wrapped(blocked), { cause: { cause: blocked } }]) {
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
	const { parameters } = operationNamed('lead: create');

	it('https to an http server: the service received nothing', async () => {
		const server = await startServer(() => ({ body: {} }));
		const baseUrl = `${server.origin.replace('http:', 'https:')}/api`;
		const { error } = await n8nWith({ baseUrl, apiToken: 'a-token' }).runNode({ parameters });
		expect(error).toMatchObject({
			message: 'The service could not be reached safely: its address does not answer over https',
			description: CHECK_ADDRESS,
		});
		expect(server.requests).toEqual([]);
	});

	it('a server without HTTP: the message names no error code', async () => {
		const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		server.unref();
		const { port } = server.address() as AddressInfo;
		const baseUrl = `http://127.0.0.1:${port}/api`;
		const { error } = await n8nWith({ baseUrl, apiToken: 'a-token' }).runNode({ parameters });
		expect(error).toMatchObject({
			message: UNREADABLE,
			description: expect.stringContaining('The service may have carried out the request'),
		});
		server.close();
	});
});
