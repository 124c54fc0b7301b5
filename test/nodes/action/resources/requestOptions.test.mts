import { createServer } from 'node:https';
import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readRunOptions } from '../../../../nodes/VoiceAssistantCalling/transport/readRunOptions.ts';
import { listenOnLoopback } from '../../../support/loopback.mts';
import { leadPerItem, operationNamed, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { created, n8nAt, pageIn, pageOf } from '../../../support/n8n/stubService.mts';
import type { N8n } from '../../../support/n8n/n8n.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { selfSigned } from '../../../support/selfSigned.mts';

const { n8n, sent } = await startTestEnvironment();
const startServer = stubServersPerTest();

const JSON_AND_CLOSE = { 'Content-Type': 'application/json', Connection: 'close' };
const LIST = { resource: 'call', operation: 'getAll', returnAll: true };
const WRITE = operationNamed('lead: create').parameters;

const withOptions = (parameters: INodeParameters, requestOptions: INodeParameters) => ({
	...parameters,
	requestOptions,
});

/** The service's response body to a new lead, or to a list of three pages of one call each. */
function body({ method, url = '' }: { method?: string; url?: string }) {
	if (method !== 'GET') return created();
	const page = pageIn(url);
	return pageOf([{ id: page }], { current_page: page, last_page: 3, total: 3 });
}
const THREE_PAGES = [1, 2, 3];

describe('a wrong option', () => {
	const AT_ONCE =
		"'Settings → Request Options → Max Concurrent Requests' must be a whole number from 1 to 100";
	const TIMEOUT =
		"'Settings → Request Options → Timeout (Milliseconds)' must be a whole number from 1 to 300000";
	const PERCENT = 'has a percent sign in its user name or password that cannot be read';

	it.each<[string, unknown, string]>([
		['maxConcurrentRequests', 0, AT_ONCE],
		['maxConcurrentRequests', 101, AT_ONCE],
		['maxConcurrentRequests', -1, AT_ONCE],
		['maxConcurrentRequests', 'many', AT_ONCE],
		['maxConcurrentRequests', '2.5', AT_ONCE],
		['timeout', 0, TIMEOUT],
		['timeout', 300_001, TIMEOUT],
		['timeout', 'soon', TIMEOUT],
		[
			'allowUnauthorizedCerts',
			'yes',
			"'Settings → Request Options → Ignore SSL Issues (Insecure)' must be true or false",
		],
		['proxy', 'proxy.example.com:3128', "'Settings → Request Options → Proxy' is not an address"],
		[
			'proxy',
			'socks5://proxy.example.com',
			"'Settings → Request Options → Proxy' is not an address",
		],
		['proxy', 'http://', "'Settings → Request Options → Proxy' is not an address"],
		[
			'proxy',
			'http://ada:%ff@proxy.example.com',
			`'Settings → Request Options → Proxy' ${PERCENT}`,
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
});

it('the Default Country Code can differ for each item', async () => {
	n8n.credential.defaultCountryCode = '43';
	const { output } = await n8n.runNode({
		parameters: withOptions(leadPerItem, { defaultCountryCode: '={{ $json.country }}' }),
		items: [
			{ phone: '0151 12345678', country: '49' },
			{ phone: '(415) 555-2671', country: 1 },
			{ phone: '07911 123456', country: '+44' },
			{ phone: '0151 12345679', country: 'Germany' },
			{ phone: '0660 1234567', country: '' },
		],
		settings: { onError: 'continueErrorOutput' },
	});
	const phones = (await sent()).map((request) => (request.body as IDataObject).phone_number);
	expect(phones.sort()).toEqual([
		'+14155552671',
		'+436601234567',
		'+447911123456',
		'+4915112345678',
	]);
	const message =
		"'Settings → Request Options → Default Country Code' must be a country code, such as 49";
	expect(output[1]).toMatchObject([
		{ json: { error: { result: 'not sent', message } }, pairedItem: { item: 3 } },
	]);
});

describe('the options of a run', () => {
	const DEFAULTS = { limit: 10, http: { timeout: 60_000, skipSslCertificateValidation: false } };

	it.each([undefined, {}, { maxConcurrentRequests: '', timeout: '', proxy: '' }])(
		'are the defaults if nothing is set: %j',
		(options) => {
			expect(readRunOptions(options)).toEqual(DEFAULTS);
		},
	);

	const ada = (password: string) => ({ username: 'ada', password });

	it.each([
		['http://proxy.example.com', 'http', 'proxy.example.com', 80, undefined],
		['https://proxy.example.com/', 'https', 'proxy.example.com', 443, undefined],
		['http://ada:p%40ss@10.0.0.1:3128', 'http', '10.0.0.1', 3128, ada('p@ss')],
		['http://ada:50%@10.0.0.1', 'http', '10.0.0.1', 80, ada('50%')],
	])('accept %s as a proxy', (url, protocol, host, port, auth) => {
		const proxy = { protocol, host, port, ...(auth && { auth }) };
		expect(readRunOptions({ proxy: url })).toEqual({
			...DEFAULTS,
			http: { ...DEFAULTS.http, proxy },
		});
	});

	it('are those of the first item', async () => {
		const { error } = await n8n.runNode({
			parameters: withOptions(leadPerItem, { maxConcurrentRequests: '={{ $json.limit }}' }),
			items: people(3).map((person, item) => ({ ...person, limit: item === 0 ? 1 : 'many' })),
		});
		expect(error).toBeUndefined();
		expect((await sent()).map(({ inFlight }) => inFlight)).toEqual([1, 1, 1]);
	});
});

it('the timeout ends a read, which is tried again', async () => {
	const server = await startServer((request, index) =>
		index === 0 ? new Promise(() => undefined) : { body: body(request) },
	);
	const parameters = withOptions(LIST, { timeout: '={{ 500 }}' });
	const { error, output } = await n8nAt(server).runNode({ parameters });
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(3);
	expect(server.requests.length).toBeGreaterThan(3);
});

/** Sends a write and a list with these options, and expects that both succeed. */
async function expectSuccess(node: N8n, options: INodeParameters) {
	const write = await node.runNode({ parameters: withOptions(WRITE, options) });
	expect(write.error).toBeUndefined();
	const { output } = await node.runNode({ parameters: withOptions(LIST, options) });
	expect(output[0].map(({ json }) => json.id)).toEqual(THREE_PAGES);
}

it('the proxy gets every request, with the full URL, user and password', async () => {
	const asked: Array<Array<string | undefined>> = [];
	await using proxy = await listenOnLoopback((request, response) => {
		const { url, headers } = request;
		asked.push([url, headers.authorization, headers['proxy-authorization']]);
		response.writeHead(200, JSON_AND_CLOSE).end(JSON.stringify(body(request)));
	});
	// The proxy responds, so nothing connects to this machine.
	const service = 'http://localhost:1';
	await expectSuccess(n8nAt({ origin: service }), {
		proxy: proxy.origin.replace('//', '//ada:p%40ss@'),
	});
	const basic = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
	const paths = THREE_PAGES.map((page) => `user/calls?page=${page}&per_page=100`);
	expect(asked.sort()).toEqual(
		[...paths, 'user/lead'].map((path) => [`${service}/api/${path}`, 'Bearer a-token', basic]),
	);
});

describe('a proxy that could read the token gets nothing', () => {
	const IGNORED = { allowUnauthorizedCerts: '={{ true }}' };

	it.each<[string, INodeParameters, RegExp]>([
		[
			'http://calls.example.com',
			{},
			/^'.*Proxy' cannot be used with a Base URL that begins with http:/,
		],
		['http://10.0.0.1:4010', {}, /^'.*Proxy' cannot be used with a Base URL/],
		['http://localhost.example.com', {}, /^'.*Proxy' cannot be used with a Base URL/],
		['https://calls.example.com', IGNORED, /^'.*Proxy' cannot be used with 'Ignore SSL Issues/],
		['http://127.0.0.1:1', IGNORED, /^'.*Proxy' cannot be used with 'Ignore SSL Issues/],
	])('%s with %j', async (origin, options, message) => {
		let requests = 0;
		await using proxy = await listenOnLoopback((_request, response) => {
			requests++;
			response.end();
		});
		for (const parameters of [WRITE, LIST]) {
			const { error } = await n8nAt({ origin }).runNode({
				parameters: withOptions(parameters, { ...options, proxy: proxy.origin }),
			});
			expect(error).toMatchObject({
				message: expect.stringMatching(message),
				description: expect.stringContaining('Nothing was sent.'),
			});
		}
		expect(requests).toBe(0);
	});
});

describe('a self-signed certificate', () => {
	/** Starts a service over https. */
	async function secureService() {
		let requests = 0;
		const server = createServer(selfSigned(), (request, response) => {
			requests++;
			response.writeHead(200, JSON_AND_CLOSE).end(JSON.stringify(body(request)));
		});
		const { origin, close } = await listenOnLoopback(server);
		return { node: n8nAt({ origin }), requests: () => requests, [Symbol.asyncDispose]: close };
	}

	it.each([{}, { allowUnauthorizedCerts: false }, { allowUnauthorizedCerts: '={{ "false" }}' }])(
		'is refused with %j',
		async (options) => {
			await using service = await secureService();
			const { error } = await service.node.runNode({ parameters: withOptions(WRITE, options) });
			expect(error?.message).toBe(
				'The service could not be reached safely: its certificate is self-signed',
			);
			expect(service.requests()).toBe(0);
		},
	);

	it.each([true, '={{ "true" }}'])('is accepted for every request with %j', async (value) => {
		await using service = await secureService();
		await expectSuccess(service.node, { allowUnauthorizedCerts: value });
		expect(service.requests()).toBe(4);
	});
});
