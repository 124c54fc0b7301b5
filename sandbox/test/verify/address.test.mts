import { describe, expect, it } from '@jest/globals';
import { connectionFailure } from '../../src/verify/connectionFailure.mts';
import { exitStatus } from '../../src/verify/verify.mts';
import { listenOnLoopback } from '../../../test/support/loopback.mts';
import { TOKEN } from './support/account.mts';
import { startProvider, verifyAt } from './support/measure.mts';

const LEVELS = { levels: ['address', 'read'] } as const;

/** Why the run ended before any other check. */
async function stoppedAt(baseUrl: string, token?: string): Promise<string | undefined> {
	const result = await verifyAt(baseUrl, { ...LEVELS, ...(token !== undefined && { token }) });
	expect(result.findings.filter(({ outcome }) => outcome !== 'not checked')).toEqual([]);
	expect(exitStatus(result)).toBe(2);
	return result.stopped;
}

describe('a Base URL at which there is no API', () => {
	it.each([
		['without /api', (url: string) => url.replace(/\/api$/, '')],
		['with a path of the API behind it', (url: string) => `${url}/user/calls`],
		['with /api twice', (url: string) => `${url}/api`],
		['with another path', (url: string) => url.replace(/\/api$/, '/v1')],
	])('%s: says what to enter', async (_, change) => {
		await using provider = await startProvider();
		expect(await stoppedAt(change(provider.url))).toBe(
			`There is no API at ${change(provider.url)}. Enter ${provider.url} as Base URL.`,
		);
	});

	it.each([
		['a page', 200, {}],
		['a page that says 404', 404, {}],
		['a redirect to a login page', 302, { Location: '/login' }],
	])('%s: says that it is a website', async (_, status, headers) => {
		await using website = await startServer(status, headers);
		expect(await stoppedAt(website.origin)).toBe(
			`A website answers at ${website.origin}. Ask your provider for the address of the API.`,
		);
	});

	it('a host that sends everything to another one: says where, and sends it nothing', async () => {
		await using other = await startServer(200, {});
		await using website = await startServer(301, { Location: `${other.origin}/api/user/calls` });
		expect(await stoppedAt(`${website.origin}/api`)).toBe(
			`${website.origin}/api leads to ${other.origin}. Enter ${other.origin}/api as Base URL.`,
		);
		expect(other.requests).toEqual([]);
		expect(website.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
	});

	it('a redirect to a login page on another host: does not say to enter that host', async () => {
		const Location = 'https://login.example/signin?next=/api/user/calls';
		await using website = await startServer(302, { Location });
		expect(await stoppedAt(`${website.origin}/api`)).toBe(
			`A website answers at ${website.origin}/api. Ask your provider for the address of the API.`,
		);
	});

	it('a port where nothing listens, a server without TLS', async () => {
		const website = await startServer(200, {});
		const { host, port } = new URL(website.origin);
		expect(await stoppedAt(`https://${host}/api`)).toBe(
			`${host} does not speak TLS. Check whether the Base URL begins with http or https.`,
		);
		await website.close();
		expect(await stoppedAt(`http://127.0.0.1:${port}/api`)).toBe(
			`Nothing listens at 127.0.0.1:${port}. Check host and port of the Base URL.`,
		);
	});

	it('a service that fails', async () => {
		await using provider = await startProvider();
		await provider.control.fault({ status: 503 });
		expect(await stoppedAt(provider.url)).toBe('The service fails (status 503). Try again later.');
	});
});

describe('a service that asks for a login with a page', () => {
	it.each([
		['status 401', 401, {}],
		['a redirect to its login page', 302, { Location: '/login' }],
	])('%s: is a service, and the report says so', async (_, status, headers) => {
		await using provider = await startProvider();
		const { origin } = new URL(provider.url);
		const server = await listenOnLoopback((request, response) => {
			const { authorization } = request.headers;
			if (authorization !== `Bearer ${TOKEN}`) {
				response
					.writeHead(status, { 'Content-Type': 'text/html', ...headers })
					.end('<p>Log in</p>');
				return;
			}
			void fetch(origin + (request.url ?? ''), { headers: { authorization } }).then(
				async (answer) => response.writeHead(answer.status).end(await answer.text()),
				() => response.destroy(),
			);
		});
		const result = await verifyAt(`${server.origin}/api`, LEVELS);
		await server.close();
		expect(result.stopped).toBeUndefined();
		const seen = (key: string) => result.findings.find((finding) => finding.key === key)?.seen;
		expect(seen('address')).toBe(
			`status ${status} without the token, 200 with it; the refusal is no JSON`,
		);
		expect(seen('unauthenticated')).toContain(`status ${status}`);
	});
});

it('a byte order mark is left out, as the nodes do', async () => {
	await using server = await listenOnLoopback((request, response) => {
		const isAllowed = request.headers.authorization !== undefined;
		response
			.writeHead(isAllowed ? 200 : 401)
			.end(isAllowed ? '\uFEFF{"data":[]}' : '{"message":""}');
	});
	const { findings } = await verifyAt(server.origin, { levels: ['address'] });
	expect(findings).toMatchObject([{ key: 'address', outcome: 'as assumed' }]);
});

it.each([
	['ENOTFOUND', 'There is no host voice.example. Check the Base URL for typing errors.'],
	[
		'CERT_HAS_EXPIRED',
		'The certificate of voice.example is not valid. Check the host of the Base URL, or ask the provider.',
	],
	['ECONNRESET', 'voice.example closed the connection.'],
	['EHOSTUNREACH', 'The connection to voice.example failed (EHOSTUNREACH).'],
])('a connection that fails with %s', (code, sentence) => {
	const error = new TypeError('fetch failed', { cause: { code } });
	expect(connectionFailure(error, new URL('https://voice.example/api'))).toBe(sentence);
});

it('a connection through a proxy that fails names the proxy', () => {
	const error = new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
	const url = new URL('https://voice.example/api');
	expect(connectionFailure(error, url, 'http://proxy.example:3128')).toBe(
		'The proxy proxy.example:3128 did not connect to voice.example (ENOTFOUND). Check HTTPS_PROXY and NO_PROXY, and the Base URL.',
	);
});

it('a token that the service refuses', async () => {
	await using provider = await startProvider();
	expect(await stoppedAt(provider.url, 'another-token')).toBe(
		'The service refuses the API token (status 401). Copy it again from your account there.',
	);
});

/** A website that answers everything in the same way. */
async function startServer(status: number, headers: { [name: string]: string }) {
	const requests: Array<{ authorization: string | undefined }> = [];
	const server = await listenOnLoopback((request, response) => {
		const { authorization } = request.headers;
		requests.push({ authorization });
		response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<p>Welcome</p>');
	});
	return { ...server, requests };
}
