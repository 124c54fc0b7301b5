import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../../../../host/n8n/names.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { pageOf } from '../../../support/n8n/stubService.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { authenticate } from '../../../support/n8n/package.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { testCredential } from '../../../support/n8n/testCredential.mts';

const { n8n, sent, service } = await startTestEnvironment();

const startServer = stubServersPerTest();
afterEach(() => {
	jest.restoreAllMocks();
	delete process.env.HTTP_PROXY;
});

const HOW_IT_LOOKS =
	'Enter the address that your provider gives you, such as https://calls.example.com/api.';

const NO_SCHEME = 'does not start with https:// or http://';
const NO_API = 'does not end in /api';
const MORE = 'must not contain a user name, a question mark or a number sign';

/** Base URLs that the node refuses, and the end of the message. HOST is replaced by a server's host. */
const REFUSED: Array<[baseUrl: string, what: string]> = [
	['', 'is empty'],
	['   ', 'is empty'],
	['///', 'is empty'],
	['HOST/api', NO_SCHEME],
	['//HOST/api', NO_SCHEME],
	['http:/HOST/api', NO_SCHEME],
	['ftp://HOST/api', NO_SCHEME],
	['javascript:alert(1)//api', NO_SCHEME],
	['http://', NO_SCHEME],
	['http://:80/api', 'is not a valid address'],
	['http://HO ST/api', 'is not a valid address'],
	['http://HOST', NO_API],
	['http://HOST/', NO_API],
	['http://HOST/apis', NO_API],
	['http://HOST/my-api', NO_API],
	['http://HOST/API', NO_API],
	['http://HOST/api/user', NO_API],
	['http://HOST/api/..', NO_API],
	['http://HOST/api?x=1', MORE],
	['http://HOST/?/api', MORE],
	['http://HOST/api?', MORE],
	['http://HOST/api#top', MORE],
	['http://HOST/#/api', MORE],
	['http://ada:pass@HOST/api', MORE],
];

describe('a Base URL', () => {
	it.each(REFUSED)('%j is refused: it %s', async (template, what) => {
		const server = await startServer(() => ({ body: { message: 'OK', data: [] } }));
		const baseUrl = template.replace('HOST', new URL(server.origin).host);
		const message = `The Base URL of the credential ${what}`;
		for (const name of ['lead: create', 'call: getAll', 'assistant: getAll']) {
			const { error } = await n8nWith({ baseUrl, apiToken: 'a-token' }).runNode({
				parameters: operationNamed(name).parameters,
			});
			expect(error).toMatchObject({ message, description: HOW_IT_LOOKS });
		}
		expect(await testCredential({ baseUrl, apiToken: 'a-token' })).toEqual({
			status: 'Error',
			message: `${message}. ${HOW_IT_LOOKS}`,
		});
		expect(server.requests).toEqual([]);
	});

	it.each(['/api', '/api/', '/api///', ' /api ', '/services/calls/api', '/v1/../api'])(
		'that ends in %j is accepted',
		async (path) => {
			const server = await startServer(() => ({ body: { message: 'OK', data: { id: 1 } } }));
			const baseUrl = path.startsWith(' ') ? ` ${server.origin}/api ` : server.origin + path;
			const { error } = await n8nWith({ baseUrl, apiToken: 'a-token' }).runNode({
				parameters: operationNamed('lead: create').parameters,
			});
			expect(error).toBeUndefined();
			const root = path.startsWith('/services') ? '/services/calls/api' : '/api';
			expect(server.requests.map(({ url }) => url)).toEqual([`${root}/user/lead`]);
		},
	);
});

describe('the Assistant List Path', () => {
	const { parameters } = operationNamed('assistant: getAll');
	const list = pageOf([{ id: 5, name: 'Elsewhere', type: 'inbound' }]);

	it('is used by node and picker', async () => {
		const server = await startServer(() => ({ body: list }));
		const elsewhere = n8nWith({
			baseUrl: `${server.origin}/api`,
			apiToken: 'a-token',
			assistantListPath: ' /v2/my-assistants ',
		});
		const { output } = await elsewhere.runNode({ parameters });
		expect(output[0].map(({ json }) => json.id)).toEqual([5]);
		const { results } = await elsewhere.listSearch('searchAssistants');
		expect(results).toEqual([{ name: 'Elsewhere (ID 5, inbound)', value: '5' }]);
		const path = '/api/v2/my-assistants';
		expect(server.requests.map(({ url }) => url.split('?')[0])).toEqual([path, path]);
	});

	it.each([
		...['/', 'user/assistants', '//other.example.com/list', 'https://other.example.com/list'],
		...['@other.example.com/list', '/user/../../admin', '/user/%2e%2e/x', '/user assistants'],
		...['/user/assistants?all=1', '/user/assistants#x'],
	])('%j is refused, and nothing is sent', async (assistantListPath) => {
		n8n.credential = { ...n8n.credential, assistantListPath };
		const words = 'The Assistant List Path of the credential is not a path';
		const { error } = await n8n.runNode({ parameters });
		expect(error).toMatchObject({
			message: words,
			description: 'Enter a path such as /user/assistants/get.',
		});
		await expect(n8n.listSearch('searchAssistants')).rejects.toThrow(words);
		expect(await sent()).toEqual([]);
	});

	it.each(['', '  '])('that is blank (%j) is the usual one', async (assistantListPath) => {
		n8n.credential = { ...n8n.credential, assistantListPath };
		expect((await n8n.runNode({ parameters })).error).toBeUndefined();
		await n8n.listSearch('searchAssistants');
		const usual = '/api/user/assistants/get';
		expect((await sent()).map(({ path }) => path)).toEqual([usual, usual]);
	});

	it('does not matter for other operations', async () => {
		n8n.credential = { ...n8n.credential, assistantListPath: '//' };
		const { error } = await n8n.runNode({ parameters: operationNamed('lead: create').parameters });
		expect(error).toBeUndefined();
		expect(await testCredential({ ...n8n.credential })).toMatchObject({ status: 'OK' });
	});
});

describe('an API Token', () => {
	const HOLDS_MORE = 'The API Token of the credential contains a character that is not allowed';
	const IS_EMPTY = 'The API Token of the credential is empty';
	const COPY = 'Copy the token from your provider again.';

	const REFUSED_TOKENS: Array<[token: string, message: string]> = [
		['', IS_EMPTY],
		[' \n', IS_EMPTY],
		['two words', HOLDS_MORE],
		['two\nlines', HOLDS_MORE],
		['two\r\nX-Admin: 1', HOLDS_MORE],
		['pasted…token', HOLDS_MORE],
		['tök', HOLDS_MORE],
		['\u0000', HOLDS_MORE],
		['a\u007f', HOLDS_MORE],
	];

	const request = {
		url: 'http://127.0.0.1/api/user/lead',
		headers: { Accept: 'application/json' },
	};

	it.each(REFUSED_TOKENS)('%j is refused before anything is sent', async (apiToken, message) => {
		n8n.credential = { ...n8n.credential, apiToken };
		for (const name of ['lead: create', 'call: getAll']) {
			const { error } = await n8n.runNode({ parameters: operationNamed(name).parameters });
			expect(error).toMatchObject({ message, description: COPY });
		}
		await expect(n8n.listSearch('searchAssistants')).rejects.toThrow(`${message}. ${COPY}`);
		await expect(authenticate({ apiToken }, CREDENTIAL_TYPE, request)).rejects.toThrow(message);
		const result = await testCredential({ ...n8n.credential });
		expect(result).toEqual({ status: 'Error', message: `${message}. ${COPY}` });
		expect(await sent()).toEqual([]);
	});

	it('is sent without spaces around it', async () => {
		n8n.credential = { ...n8n.credential, apiToken: ` ${service.alice.token}\n` };
		const { error } = await n8n.runNode({ parameters: operationNamed('lead: create').parameters });
		expect(error).toBeUndefined();
		expect(await authenticate({ apiToken: ' a-token ' }, CREDENTIAL_TYPE, request)).toEqual({
			...request,
			headers: { Accept: 'application/json', Authorization: 'Bearer a-token' },
		});
	});
});

describe('the test of the credential', () => {
	const TOKEN = 'sk-very-secret-0815';
	const data = (url: string) => ({ baseUrl: `${url}/api`, apiToken: TOKEN });
	const CHECK_BASE_URL =
		'Check the Base URL in the credential: it must be the address of the API and end in /api.';
	const TRY_LATER = 'Try again later, and ask your provider if it fails again.';

	const ACCEPTED = { status: 'OK', message: 'The service accepted the API token' };
	const ACCOUNT = { method: 'GET', path: '/api/user/me', query: {} };
	const ONE_CALL = { method: 'GET', path: '/api/user/calls', query: { per_page: '1' } };

	it('accepts the right token, by reading the account', async () => {
		const credential = { baseUrl: service.url, apiToken: service.alice.token };
		expect(await testCredential(credential)).toEqual(ACCEPTED);
		expect(await sent()).toMatchObject([ACCOUNT]);
	});

	it.each<[number, unknown]>([
		[404, { message: 'The route api/user/me could not be found.' }],
		[405, {}],
		[200, { message: 'Hello' }],
		[200, []],
		[200, '<html>Welcome</html>'],
	])('reads one call where the account is answered with %i and %j', async (status, body) => {
		const credential = { baseUrl: service.url, apiToken: service.alice.token };
		await service.control.fault({ operation: 'getAccount', status, body });
		expect(await testCredential(credential)).toEqual(ACCEPTED);
		expect(await sent()).toMatchObject([ACCOUNT, ONE_CALL]);
	});

	it.each([401, 403, 429, 500])('reads nothing else after %i', async (status) => {
		await service.control.fault({ operation: 'getAccount', status });
		const credential = { baseUrl: service.url, apiToken: service.alice.token };
		expect(await testCredential(credential)).toMatchObject({ status: 'Error' });
		expect(await sent()).toMatchObject([ACCOUNT]);
	});

	it.each<unknown>([[], [{ id: 1 }], { data: [] }])('accepts the list %j', async (body) => {
		const server = await startServer(() => ({ body }));
		expect(await testCredential(data(server.origin))).toMatchObject({ status: 'OK' });
	});

	it.each<[string, StubResponse, string]>([
		[
			'a web site without such a page',
			{ status: 404, body: '<html>Not Found</html>' },
			`The service answered with a web page instead of data (status 404). ${CHECK_BASE_URL}`,
		],
		[
			'an API without such a path',
			{ status: 404, body: {} },
			`The service refused the request (status 404). ${CHECK_BASE_URL}`,
		],
		[
			'a failure of the service',
			{ status: 500, body: { message: 'It broke' } },
			`It broke. ${TRY_LATER}`,
		],
		[
			'a rate limit, without other requests of a run',
			{ status: 429, body: { message: 'Slow down.' } },
			'The service is receiving too many requests: Slow down. Try again later, or send fewer requests at once.',
		],
	])('names %s', async (_what, answer, message) => {
		const server = await startServer(() => answer);
		expect(await testCredential(data(server.origin))).toEqual({ status: 'Error', message });
		expect(server.requests).toHaveLength(answer.status === 404 ? 2 : 1);
	});

	it('names https in front of the address of a service without it', async () => {
		const server = await startServer(() => ({ body: { data: [] } }));
		expect(await testCredential(data(server.origin.replace('http:', 'https:')))).toEqual({
			status: 'Error',
			message:
				'The service could not be reached safely: its address does not answer over https. Check the Base URL in the credential: a service on your own machine or network may need http:// in place of https://.',
		});
		expect(server.requests).toEqual([]);
	});

	it.each([301, 302, 307, 308])('does not send the token to another host (%i)', async (status) => {
		const other = await startServer(() => ({ body: { data: [] } }));
		const Location = `${other.origin}/api/user/calls`;
		const server = await startServer(() => ({ status, headers: { Location } }));
		expect(await testCredential(data(server.origin))).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^The service redirected the request to another address \(/),
		});
		expect(other.requests).toEqual([]);
	});

	it('names a wrong token, and a connection that closes, without the token', async () => {
		const credential = { baseUrl: service.url, apiToken: TOKEN };
		expect(await testCredential(credential)).toEqual({
			status: 'Error',
			message:
				'The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
		});
		await service.control.fault({ drop: 'before' });
		expect(await testCredential(credential)).toEqual({
			status: 'Error',
			message: `The connection to the service was closed before it answered. ${TRY_LATER}`,
		});
	});

	/** Lets the test reach its time limit. */
	function holdTimeLimit() {
		const limit = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
		// `AbortSignal.timeout` aborts with this error.
		const error = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
		return { timeout, reachTimeLimit: () => limit.abort(error) };
	}
	const NOT_IN_TIME = {
		status: 'Error',
		message: `The service did not answer in time. ${TRY_LATER}`,
	};

	it('does not wait longer than 15 seconds', async () => {
		const server = await startServer(() => new Promise(() => undefined));
		const { timeout, reachTimeLimit } = holdTimeLimit();
		const result = testCredential(data(server.origin));
		await server.arrived(1);
		reachTimeLimit();
		expect(await result).toEqual(NOT_IN_TIME);
		expect(timeout).toHaveBeenCalledWith(15_000);
	});

	it.each([
		['headers', 'X-Slow: ', 'x\r\nContent-Length: 1000\r\n\r\n{'],
		['body', 'Content-Length: 1000\r\n\r\n{', ' '],
	])('leaves an answer that is slow in its %s at the time limit', async (_part, begin, more) => {
		const begun = Promise.withResolvers<Socket>();
		const closed = Promise.withResolvers<undefined>();
		const server = createServer((socket) => {
			socket.on('error', () => undefined).once('close', () => closed.resolve(undefined));
			const head = `HTTP/1.1 200 OK\r\n${begin}`;
			socket.once('data', () => socket.write(head, () => begun.resolve(socket)));
		});
		await once(server.listen(0, '127.0.0.1'), 'listening');
		const { reachTimeLimit } = holdTimeLimit();
		const { port } = server.address() as AddressInfo;
		const result = testCredential(data(`http://127.0.0.1:${port}`));
		const socket = await begun.promise;
		reachTimeLimit();
		expect(await result).toEqual(NOT_IN_TIME);
		socket.write(more);
		await closed.promise;
		server.close();
	});

	it("uses n8n's outgoing proxy", async () => {
		const proxy = await startServer(() => ({ body: { data: [] } }));
		process.env.HTTP_PROXY = proxy.origin;
		expect(await testCredential(data('http://calls.example.com'))).toMatchObject({ status: 'OK' });
		expect(proxy.requests).toMatchObject([
			{ method: 'GET', url: 'http://calls.example.com/api/user/me' },
			{ method: 'GET', url: 'http://calls.example.com/api/user/calls?per_page=1' },
		]);
	});

	const NOBODY = 'http://127.0.0.1:1/api';

	it.each<[string, ICredentialDataDecryptedObject, unknown]>([
		['nothing', {}, expect.any(String)],
		['no token', { baseUrl: NOBODY }, expect.any(String)],
		['numbers', { baseUrl: 7, apiToken: 8 }, expect.any(String)],
		['an odd token', { baseUrl: NOBODY, apiToken: 'tök…en\n' }, expect.any(String)],
		[
			'a host that refuses the connection',
			{ baseUrl: NOBODY, apiToken: TOKEN },
			'The service could not be reached: its host refused the connection. Check the Base URL in the credential, and whether this n8n can reach that host. If n8n uses a proxy (HTTPS_PROXY, HTTP_PROXY), check that, too.',
		],
	])('never throws: %s', async (_what, values, message) => {
		expect(await testCredential(values)).toEqual({ status: 'Error', message });
	});
});
