import { inspect } from 'node:util';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../../../../host/n8n/names.mts';
import { credentialTest } from '../../../../nodes/VoiceAssistantCalling/methods/credentialTest.ts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import {
	startStubServer,
	stubServersPerTest,
	type StubResponse,
} from '../../../support/n8n/stubServer.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { authenticate } from '../../../support/n8n/package.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';

const { n8n, sent, service } = await startTestEnvironment();

const startServer = stubServersPerTest();
afterEach(() => {
	jest.restoreAllMocks();
});

const HOW_IT_LOOKS =
	'Enter the address that your provider gives you, such as https://calls.example.com/api.';

/** Base URLs that the node refuses, and the end of the message. HOST is replaced by a server's host. */
const REFUSED: Array<[baseUrl: string, what: string]> = [
	['', 'is empty'],
	['   ', 'is empty'],
	['///', 'is empty'],
	['HOST/api', 'does not start with https:// or http://'],
	['//HOST/api', 'does not start with https:// or http://'],
	['http:/HOST/api', 'does not start with https:// or http://'],
	['ftp://HOST/api', 'does not start with https:// or http://'],
	['javascript:alert(1)//api', 'does not start with https:// or http://'],
	['http://', 'does not start with https:// or http://'],
	['http://:80/api', 'is not a valid address'],
	['http://HO ST/api', 'is not a valid address'],
	['http://HOST', 'does not end in /api'],
	['http://HOST/', 'does not end in /api'],
	['http://HOST/apis', 'does not end in /api'],
	['http://HOST/my-api', 'does not end in /api'],
	['http://HOST/API', 'does not end in /api'],
	['http://HOST/api/user', 'does not end in /api'],
	['http://HOST/api/..', 'does not end in /api'],
	['http://HOST/api?x=1', 'must not contain a user name, a question mark or a number sign'],
	['http://HOST/?/api', 'must not contain a user name, a question mark or a number sign'],
	['http://HOST/api?', 'must not contain a user name, a question mark or a number sign'],
	['http://HOST/api#top', 'must not contain a user name, a question mark or a number sign'],
	['http://HOST/#/api', 'must not contain a user name, a question mark or a number sign'],
	['http://ada:pass@HOST/api', 'must not contain a user name, a question mark or a number sign'],
];

const test = (data: ICredentialDataDecryptedObject) =>
	credentialTest.testCredential.call(new CredentialTestContext(), {
		id: '1',
		name: 'Voice Assistant Calling API',
		type: CREDENTIAL_TYPE,
		data,
	});

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
		expect(await test({ baseUrl, apiToken: 'a-token' })).toEqual({
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
	const list = {
		data: [{ id: 5, name: 'Elsewhere', type: 'inbound' }],
		current_page: 1,
		last_page: 1,
	};

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
		expect(server.requests.map(({ url }) => url.split('?')[0])).toEqual([
			'/api/v2/my-assistants',
			'/api/v2/my-assistants',
		]);
	});

	it.each([
		'/',
		'user/assistants',
		'//other.example.com/list',
		'https://other.example.com/list',
		'@other.example.com/list',
		'/user/../../admin',
		'/user/assistants?all=1',
		'/user/assistants#x',
		'/user/%2e%2e/x',
		'/user assistants',
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
		expect((await sent()).map(({ path }) => path)).toEqual([
			'/api/user/assistants/get',
			'/api/user/assistants/get',
		]);
	});

	it('does not matter for other operations', async () => {
		n8n.credential = { ...n8n.credential, assistantListPath: '//' };
		const { error } = await n8n.runNode({ parameters: operationNamed('lead: create').parameters });
		expect(error).toBeUndefined();
		expect(await test({ ...n8n.credential })).toMatchObject({ status: 'OK' });
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

	it.each(REFUSED_TOKENS)('%j is refused before anything is sent', async (apiToken, message) => {
		n8n.credential = { ...n8n.credential, apiToken };
		for (const name of ['lead: create', 'call: getAll']) {
			const { error } = await n8n.runNode({ parameters: operationNamed(name).parameters });
			expect(error).toMatchObject({ message, description: COPY });
		}
		await expect(n8n.listSearch('searchAssistants')).rejects.toThrow(`${message}. ${COPY}`);
		const result = await test({ ...n8n.credential });
		expect(result).toEqual({ status: 'Error', message: `${message}. ${COPY}` });
		expect(await sent()).toEqual([]);
	});

	const request = {
		url: 'http://127.0.0.1/api/user/lead',
		headers: { Accept: 'application/json' },
	};

	it.each(REFUSED_TOKENS)('%j is refused by the credential itself', async (apiToken, message) => {
		await expect(authenticate({ apiToken }, CREDENTIAL_TYPE, request)).rejects.toThrow(message);
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

	it('accepts the right token, by reading one call', async () => {
		expect(await test({ baseUrl: service.url, apiToken: service.alice.token })).toEqual({
			status: 'OK',
			message: 'The service accepted the API token',
		});
		expect(await sent()).toEqual([
			expect.objectContaining({ method: 'GET', path: '/api/user/calls', query: { per_page: '1' } }),
		]);
	});

	it('names a wrong token', async () => {
		expect(await test({ baseUrl: service.url, apiToken: TOKEN })).toEqual({
			status: 'Error',
			message:
				'The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
		});
	});

	it.each<[string, StubResponse, string]>([
		[
			'a web site',
			{ body: '<!DOCTYPE html><title>Welcome</title>' },
			'The service answered with a web page or text instead of data (status 200). Check the Base URL in the credential: it must be the address of the API and end in /api.',
		],
		[
			'a web site without such a page',
			{ status: 404, body: '<html>Not Found</html>' },
			'The service answered with a web page instead of data (status 404). Check the Base URL in the credential: it must be the address of the API and end in /api.',
		],
		[
			'an API without such a path',
			{ status: 404, body: {} },
			'The service refused the request (status 404). Check the Base URL in the credential: it must be the address of the API and end in /api.',
		],
		[
			'an empty answer',
			{ body: '' },
			'The service answered without content (status 200). Try again later. If it fails again, ask your provider.',
		],
		[
			'a failure of the service',
			{ status: 500, body: { message: `It broke with ${'x'.repeat(10)}` } },
			'It broke with xxxxxxxxxx. Try again later. If it fails again, ask your provider.',
		],
	])('names %s', async (_what, answer, message) => {
		const server = await startServer(() => answer);
		expect(await test(data(server.origin))).toEqual({ status: 'Error', message });
		expect(server.requests).toHaveLength(1);
	});

	it.each([301, 302, 307, 308])('does not send the token to another host (%i)', async (status) => {
		const other = await startServer(() => ({ body: { data: [] } }));
		const Location = `${other.origin}/api/user/calls`;
		const server = await startServer(() => ({ status, headers: { Location } }));
		expect(await test(data(server.origin))).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^The service redirected the request to another address \(/),
		});
		expect(other.requests).toEqual([]);
	});

	it('names a host that refuses the connection', async () => {
		const stopped = await startStubServer(() => ({}));
		await stopped.close();
		expect(await test(data(stopped.origin))).toEqual({
			status: 'Error',
			message:
				'The service could not be reached: its host refused the connection. Check the Base URL in the credential, and whether this n8n can reach that host.',
		});
	});

	it.each(['pasted…token', 'two words', 'zwei\nZeilen'])(
		'names an invalid token: %j',
		async (apiToken) => {
			expect(await test({ baseUrl: service.url, apiToken })).toEqual({
				status: 'Error',
				message:
					'The API Token of the credential contains a character that is not allowed. Copy the token from your provider again.',
			});
			expect(await sent()).toEqual([]);
		},
	);

	it('names a rate limit without other requests of a run', async () => {
		const server = await startServer(() => ({ status: 429, body: { message: 'Slow down.' } }));
		expect(await test(data(server.origin))).toEqual({
			status: 'Error',
			message:
				'The service is receiving too many requests: Slow down. Try again later, or send fewer requests at once.',
		});
	});

	it('names a connection that closes', async () => {
		await service.control.fault({ drop: 'before' });
		expect(await test({ baseUrl: service.url, apiToken: TOKEN })).toEqual({
			status: 'Error',
			message:
				'The connection to the service was closed before it answered. Try again later. If it fails again, ask your provider.',
		});
	});

	it('does not wait longer than 15 seconds', async () => {
		const server = await startServer(() => new Promise(() => undefined));
		const limit = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
		const result = test(data(server.origin));
		await server.arrived(1);
		// `AbortSignal.timeout` aborts with this error.
		limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
		expect(await result).toEqual({
			status: 'Error',
			message:
				'The service did not answer in time. Try again later. If it fails again, ask your provider.',
		});
		expect(timeout).toHaveBeenCalledWith(15_000);
	});

	it.each<[string, ICredentialDataDecryptedObject]>([
		['nothing', {}],
		['no token', { baseUrl: 'http://127.0.0.1:1/api' }],
		['numbers', { baseUrl: 7, apiToken: 8 }],
		['an odd token', { baseUrl: 'http://127.0.0.1:1/api', apiToken: 'tök…en\n' }],
	])('never throws: %s', async (_what, values) => {
		expect(await test(values)).toMatchObject({ status: 'Error', message: expect.any(String) });
	});

	it('never shows the token', async () => {
		const hosts = [service.url.replace('/api', ''), 'http://127.0.0.1:1'];
		for (const host of hosts) {
			expect(inspect(await test(data(host)))).not.toContain(TOKEN);
		}
	});
});
