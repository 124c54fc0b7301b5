import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { readRunOptions } from '../../../../nodes/VoiceAssistantCalling/transport/readRunOptions.ts';
import { listenOnLoopback } from '../../../support/loopback.mts';
import { leadPerItem, operationNamed, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { selfSigned } from '../../../support/selfSigned.mts';

const { n8n, sent } = await startTestEnvironment();
const startServer = stubServersPerTest();

const LIST = { resource: 'call', operation: 'getAll', returnAll: true };

const withOptions = (parameters: INodeParameters, requestOptions: INodeParameters) => ({
	...parameters,
	requestOptions,
});

/** Three pages of one call each. */
const page = (url: string) => {
	const number = Number(new URL(url, 'http://host').searchParams.get('page'));
	return { data: [{ id: number }], current_page: number, per_page: 1, total: 3 };
};
const THREE_PAGES = [1, 2, 3];

/** The service's response body to a new lead or a list. */
const body = ({ method, url = '' }: { method?: string; url?: string }) =>
	method === 'GET' ? page(url) : { message: 'Lead created successfully', data: { id: 1 } };

describe('a wrong option', () => {
	it.each<[string, unknown, string]>([
		['maxConcurrentRequests', 0, "'Max Concurrent Requests' must be between 1 and 100"],
		['maxConcurrentRequests', 101, "'Max Concurrent Requests' must be between 1 and 100"],
		['maxConcurrentRequests', -1, "'Max Concurrent Requests' must be between 1 and 100"],
		['maxConcurrentRequests', 'many', "'Max Concurrent Requests' must be a number"],
		['maxConcurrentRequests', '2.5', "'Max Concurrent Requests' must be a whole number"],
		['timeout', 0, "'Timeout (Milliseconds)' must be between 1 and 300000"],
		['timeout', 300_001, "'Timeout (Milliseconds)' must be between 1 and 300000"],
		['timeout', 'soon', "'Timeout (Milliseconds)' must be a number"],
		['allowUnauthorizedCerts', 'yes', "'Ignore SSL Issues (Insecure)' must be true or false"],
		['proxy', 'proxy.example.com:3128', "'Proxy' is not an address"],
		['proxy', 'socks5://proxy.example.com', "'Proxy' is not an address"],
		['proxy', 'http://', "'Proxy' is not an address"],
		[
			'proxy',
			'http://ada:%ff@proxy.example.com',
			"'Proxy' has a percent sign in its user name or password that cannot be read",
		],
	])('%s of %j is refused by its name, and nothing is sent', async (name, value, message) => {
		const { error } = await n8n.runNode({
			parameters: withOptions(leadPerItem, { [name]: '={{ $json.value }}' }),
			items: people(3).map((person) => ({ ...person, value: value as string })),
		});
		expect(error).toMatchObject({
			message,
			description: expect.stringMatching(
				/^No item succeeded\.\nNot sent: items 0–2 \(.*\)\.\nItems are counted from 0\.\n/,
			),
		});
		expect(await sent()).toEqual([]);
	});

	it('is an error of each item with continue on fail', async () => {
		const { output } = await n8n.runNode({
			parameters: withOptions(leadPerItem, { maxConcurrentRequests: 0 }),
			items: people(2),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0]).toEqual([]);
		expect(output[1].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(await sent()).toEqual([]);
	});
});

describe('the Default Country Code', () => {
	const byRow = withOptions(leadPerItem, { defaultCountryCode: '={{ $json.country }}' });
	const rows = [
		{ phone: '0151 12345678', country: '49' },
		{ phone: '(415) 555-2671', country: 1 },
		{ phone: '07911 123456', country: '+44' },
		{ phone: '0151 12345679', country: 'Germany' },
		{ phone: '0660 1234567', country: '' },
	];

	it('can differ for each item', async () => {
		n8n.credential.defaultCountryCode = '43';
		const { output } = await n8n.runNode({
			parameters: byRow,
			items: rows,
			settings: { onError: 'continueErrorOutput' },
		});
		const phones = (await sent()).map(
			({ body }) => (body as { phone_number: string }).phone_number,
		);
		expect(phones.sort()).toEqual([
			'+14155552671',
			'+436601234567',
			'+447911123456',
			'+4915112345678',
		]);
		expect(output[1]).toMatchObject([
			{
				json: {
					error: {
						result: 'not sent',
						message: "'Default Country Code' must be a country code, such as 49",
					},
				},
				pairedItem: { item: 3 },
			},
		]);
	});
});

describe('the options of a run', () => {
	const read = readRunOptions;
	const DEFAULTS = { limit: 10, http: { timeout: 60_000, skipSslCertificateValidation: false } };

	it.each([undefined, {}, { maxConcurrentRequests: '', timeout: '', proxy: '' }])(
		'are the defaults if nothing is set: %j',
		(options) => {
			expect(read(options)).toEqual(DEFAULTS);
		},
	);

	it.each([
		['http://proxy.example.com', { protocol: 'http', host: 'proxy.example.com', port: 80 }],
		['https://proxy.example.com/', { protocol: 'https', host: 'proxy.example.com', port: 443 }],
		[
			'http://ada:p%40ss@10.0.0.1:3128',
			{
				protocol: 'http',
				host: '10.0.0.1',
				port: 3128,
				auth: { username: 'ada', password: 'p@ss' },
			},
		],
		[
			'http://ada:50%@10.0.0.1',
			{
				protocol: 'http',
				host: '10.0.0.1',
				port: 80,
				auth: { username: 'ada', password: '50%' },
			},
		],
	])('accept %s as a proxy', (proxy, told) => {
		expect(read({ proxy })).toEqual({ ...DEFAULTS, http: { ...DEFAULTS.http, proxy: told } });
	});

	it('are those of the first item', async () => {
		const { error } = await n8n.runNode({
			parameters: withOptions(leadPerItem, { maxConcurrentRequests: '={{ $json.limit }}' }),
			items: people(3).map((person, item) => ({ ...person, limit: item === 0 ? 1 : 'many' })),
		});
		expect(error).toBeUndefined();
		const requests = await sent();
		expect(requests).toHaveLength(3);
		expect(requests.map(({ inFlight }) => inFlight)).toEqual([1, 1, 1]);
	});
});

describe('the timeout', () => {
	const never = () => startServer(() => new Promise(() => undefined));

	it('ends a write, whose outcome is then unknown', async () => {
		const server = await never();
		const node = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' });
		const { parameters } = operationNamed('lead: create');
		const { error } = await node.runNode({ parameters: withOptions(parameters, { timeout: 100 }) });
		expect(error).toMatchObject({
			message: 'The service did not answer in time',
			description: expect.stringContaining('The service may have carried out the request'),
		});
		expect(server.requests.length).toBeLessThanOrEqual(1);
	});

	it('ends a read, which is tried again', async () => {
		let tries = 0;
		const server = await startServer(({ url }) =>
			++tries === 1 ? new Promise(() => undefined) : { body: page(url) },
		);
		const node = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' });
		const { error, output } = await node.runNode({
			parameters: withOptions(LIST, { timeout: '={{ 1000 }}' }),
		});
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(3);
		expect(server.requests.length).toBeGreaterThan(3);
	});
});

/** Starts a proxy that responds instead of the service, and records its requests. */
async function proxyServer() {
	const asked: Array<{ url: string; authorization: string; proxyAuthorization: string }> = [];
	const { origin, close } = await listenOnLoopback((request, response) => {
		const { url = '', method, headers } = request;
		asked.push({
			url,
			authorization: headers.authorization ?? '',
			proxyAuthorization: headers['proxy-authorization'] ?? '',
		});
		response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' });
		response.end(JSON.stringify(body({ method, url })));
	});
	return { origin, close, asked };
}

describe('the proxy', () => {
	// The proxy responds, so nothing looks up this host name.
	const node = n8nWith({ baseUrl: 'http://calls.example.com/api', apiToken: 'a-token' });

	it('gets every request, with the full URL', async () => {
		const { origin, close, asked } = await proxyServer();
		const options = { proxy: origin };
		const { parameters } = operationNamed('lead: create');
		expect((await node.runNode({ parameters: withOptions(parameters, options) })).error).toBe(
			undefined,
		);
		const { output } = await node.runNode({ parameters: withOptions(LIST, options) });
		expect(output[0].map(({ json }) => json.id)).toEqual(THREE_PAGES);
		expect(asked.map(({ url }) => url).sort()).toEqual(
			[
				'http://calls.example.com/api/user/lead',
				...THREE_PAGES.map(
					(number) => `http://calls.example.com/api/user/calls?page=${number}&per_page=100`,
				),
			].sort(),
		);
		expect(asked.map(({ authorization }) => authorization)).toEqual(
			asked.map(() => 'Bearer a-token'),
		);
		await close();
	});

	it('gets user and password', async () => {
		const { origin, close, asked } = await proxyServer();
		const proxy = origin.replace('//', '//ada:p%40ss@');
		const { error } = await node.runNode({ parameters: withOptions(LIST, { proxy }) });
		expect(error).toBeUndefined();
		const basic = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
		expect(new Set(asked.map(({ proxyAuthorization }) => proxyAuthorization))).toEqual(
			new Set([basic]),
		);
		await close();
	});
});

describe('a self-signed certificate', () => {
	/** Starts a service over https. */
	async function secureService() {
		let requests = 0;
		const answer = (request: IncomingMessage, response: ServerResponse) => {
			requests++;
			response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' });
			response.end(JSON.stringify(body(request)));
		};
		const server = createServer(selfSigned(), answer);
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		server.unref();
		const { port } = server.address() as AddressInfo;
		return {
			node: n8nWith({ baseUrl: `https://127.0.0.1:${port}/api`, apiToken: 'a-token' }),
			requests: () => requests,
			close: () => server.close(),
		};
	}

	const { parameters } = operationNamed('lead: create');

	it.each([{}, { allowUnauthorizedCerts: false }, { allowUnauthorizedCerts: '={{ "false" }}' }])(
		'is refused with %j',
		async (options) => {
			const { node, requests, close } = await secureService();
			const { error } = await node.runNode({ parameters: withOptions(parameters, options) });
			expect(error?.message).toBe(
				'The service could not be reached safely: its certificate is self-signed',
			);
			expect(requests()).toBe(0);
			close();
		},
	);

	it.each([{ allowUnauthorizedCerts: true }, { allowUnauthorizedCerts: '={{ "true" }}' }])(
		'is accepted for every request with %j',
		async (options) => {
			const { node, requests, close } = await secureService();
			expect((await node.runNode({ parameters: withOptions(parameters, options) })).error).toBe(
				undefined,
			);
			const { output } = await node.runNode({ parameters: withOptions(LIST, options) });
			expect(output[0]).toHaveLength(3);
			expect(requests()).toBe(4);
			close();
		},
	);
});
