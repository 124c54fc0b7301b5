import { describe, expect, it } from '@jest/globals';
import { createSandboxClient } from '../client.mts';
import { createSandbox } from '../index.mts';
import { sendRequest, serviceClient } from './support/client.mts';
import { processesPerTest } from './support/process.mts';
import { onlyInFull } from '../../test/support/sample.mts';

const { startProcess } = processesPerTest();

/** Starts a sandbox that the network reaches; this machine reaches it as 127.0.0.1. */
async function startOpen() {
	const sandbox = await createSandbox({ port: 0, host: '0.0.0.0', clock: 'manual' });
	const { controlToken: token = '' } = sandbox;
	const get = (path: string, headers: Record<string, string> = {}) =>
		sendRequest(`${sandbox.control}${path}`, { headers });
	return { ...sandbox, token, get, [Symbol.asyncDispose]: () => sandbox.close() };
}

describe('a sandbox that the network reaches', () => {
	it('serves the service, and its control API to whoever has the token, another at each start', async () => {
		await using sandbox = await startOpen();
		const service = serviceClient(sandbox.url, 'sandbox-token');
		expect((await service.get('/user/assistants/get')).status).toBe(200);
		const control = createSandboxClient(sandbox.control, sandbox.token);
		expect(await control.requests()).toHaveLength(1);
		await control.advance('PT1M');
		expect(sandbox.token).toMatch(/^[0-9a-f]{32}$/);
		await using other = await startOpen();
		expect(other.token).not.toBe(sandbox.token);
	});

	it('refuses every page without the token, and does not tell it', async () => {
		await using sandbox = await startOpen();
		for (const path of [
			'/',
			'/health',
			'/requests',
			'/calls',
			'/live',
			'/reference/',
			'/openapi.json',
			'/control.json',
			'/health?token=wrong',
			'/health?token=',
		]) {
			const { status, text, body, headers } = await sandbox.get(path);
			expect({ path, status }).toEqual({ path, status: 401 });
			expect(headers.get('set-cookie')).toBeNull();
			expect(text).not.toContain(sandbox.token);
			expect(body).toEqual({ message: expect.stringContaining('token') });
		}
	});

	it('takes the token once from the address of a page, and then from a cookie', async () => {
		await using sandbox = await startOpen();
		const control = createSandboxClient(sandbox.control, 'wrong');
		expect((await control.request('POST', `/reset?token=${sandbox.token}`)).status).toBe(401);
		const { pathname } = new URL(sandbox.control);
		const first = await sandbox.get(`/?token=${sandbox.token}`);
		expect(first.status).toBe(303);
		expect(first.headers.get('location')).toBe(`${pathname}/`);
		const cookie = first.headers.get('set-cookie') ?? '';
		expect(cookie).toMatch(new RegExp(`; Path=${pathname}; HttpOnly; SameSite=Strict$`));
		const [pair = ''] = cookie.split(';');
		expect((await sandbox.get('/', { cookie: `other=1; ${pair}` })).status).toBe(200);
		expect((await sandbox.get('/', { cookie: `${pair}0` })).status).toBe(401);
	});

	it('leaves a browser signed in to another sandbox on the same host', async () => {
		await using first = await startOpen();
		await using second = await startOpen();
		// A browser sends the cookies of a host to all of its ports.
		const cookies = new Map<string, string>();
		for (const { get, token } of [first, second]) {
			const { headers } = await get(`/?token=${token}`);
			const [, name = '', value = ''] = /^(.+?)=(.+?);/.exec(headers.get('set-cookie') ?? '') ?? [];
			cookies.set(name, value);
		}
		const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
		for (const { get } of [first, second]) expect((await get('/', { cookie })).status).toBe(200);
	});

	it('refuses web pages of others, even with the cookie', async () => {
		await using sandbox = await startOpen();
		const first = await sandbox.get(`/?token=${sandbox.token}`);
		const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';');
		const { origin } = new URL(sandbox.control);
		for (const [page, status] of [
			[origin, 200],
			['http://127.0.0.1:5678', 403],
			['https://example.com', 403],
			['null', 403],
		] as const) {
			const init = { method: 'POST', headers: { cookie, origin: page } };
			expect((await sendRequest(`${sandbox.control}/clock`, init)).status).toBe(status);
		}
	});
});

onlyInFull(describe)('the command line', () => {
	it('warns, and prints the token', async () => {
		const sandbox = await startProcess('--host', '0.0.0.0');
		const { controlToken } = JSON.parse(sandbox.line) as { controlToken?: string };
		expect(controlToken).toMatch(/^[0-9a-f]{32}$/);
		expect(sandbox.stderr()).toMatch(/^Warning: .*Everybody who reaches this machine/ms);
		expect(sandbox.stderr()).toContain('need the control token that is printed.');
	});

	it('does neither on the loopback address', async () => {
		const sandbox = await startProcess('--host', 'localhost');
		expect(Object.keys(JSON.parse(sandbox.line) as object)).not.toContain('controlToken');
		expect(sandbox.stderr()).toBe('');
		expect((await sendRequest(`${sandbox.control}/health`)).status).toBe(200);
	});
});

it.each([
	['', 'The host is empty. Use 127.0.0.1, '],
	['192.0.2.1', 'This machine has no address 192.0.2.1.'],
	['no-such-host.invalid', 'This machine has no address no-such-host.invalid.'],
])('the host "%s" is refused', async (host, words) => {
	await expect(createSandbox({ port: 0, host })).rejects.toThrow(words);
});
