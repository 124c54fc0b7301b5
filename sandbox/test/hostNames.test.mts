import { describe, expect, it } from '@jest/globals';
import { completeCall } from './support/calls.mts';
import { Connection } from './fuzz/connection.mts';
import { ALICE } from './support/seed.mts';
import { startOwnService, startTestService } from './support/testService.mts';

const service = await startTestService();
const { origin } = new URL(service.url);

/** Every kind of route: the service, a recording, the control API, the inspector, and none at all. */
const ROUTES = [
	'/api/user/calls',
	'/recordings/call-1.wav',
	'/__sandbox/health',
	'/__sandbox/',
	'/nothing',
];

/** Sends Alice's GET request under a host name, as a browser does for a page of that name. */
async function getUnderHost(url: string, host: string) {
	const { origin, pathname } = new URL(url);
	using connection = new Connection(origin);
	const headers = { host, authorization: `Bearer ${ALICE}` };
	const request = { method: 'GET', path: pathname.slice(1), headers, body: undefined };
	const { status, contentType, text } = await connection.send(request);
	const body: unknown = contentType.startsWith('application/json') ? JSON.parse(text) : text;
	return { status, body };
}

describe('a sandbox on the loopback address', () => {
	it.each([
		'127.0.0.1',
		'127.0.0.1:4010',
		'127.0.0.2:4010',
		'localhost',
		'localhost:4010',
		'[::1]',
		'[::1]:4010',
	])('answers at %s', async (host) => {
		await completeCall(service);
		const statuses = ROUTES.map(async (path) => (await getUnderHost(origin + path, host)).status);
		expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 404]);
	});

	it.each([
		'example.com',
		'sandbox.example.com:4010',
		'127.0.0.1.example.com',
		'localhost.example.com',
		'10.0.0.1',
		'0.0.0.0',
		'[::2]:4010',
		'169.254.169.254',
	])('refuses "%s" on every route (a web page could make a browser send it)', async (host) => {
		for (const path of ROUTES) {
			expect(await getUnderHost(origin + path, host)).toEqual({
				status: 403,
				body: { message: expect.stringMatching(/not at ".*"\. To use it .* --host 0\.0\.0\.0\.$/) },
			});
		}
	});

	it('does nothing and tells nothing of a request that it refuses', async () => {
		await getUnderHost(`${service.url}/user/calls`, 'example.com');
		expect(await service.control.requests()).toEqual([]);
	});
});

it('a sandbox that the network reaches serves the service under any host name', async () => {
	await using open = await startOwnService({ host: '0.0.0.0' });
	for (const host of ['sandbox.example.com', 'host.docker.internal:4010']) {
		expect((await getUnderHost(`${open.url}/user/calls`, host)).status).toBe(200);
	}
});
