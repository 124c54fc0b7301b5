import type { IncomingMessage, OutgoingHttpHeaders, RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { listenOnLoopback, type LoopbackServer } from '../../../support/loopback.mts';
import { byId } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { pageOf } from '../../../support/n8n/stubService.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { holdTime, passTime, skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { onlyInFull } from '../../../support/sample.mts';

const TOKEN = 'sk-very-secret-4711';
const startServer = stubServersPerTest();

const hosts: LoopbackServer[] = [];
const protection = Container.get(SsrfProtectionConfig);
afterEach(async () => {
	useRealTime();
	protection.enabled = false;
	delete process.env.HTTP_PROXY;
	await Promise.all(hosts.splice(0).map((host) => host.close()));
});

const BEGIN = 'The recording could not be downloaded: ';
const SOUND = Buffer.from('ID3 a short sound');

const reply =
	(
		status: number,
		headers: OutgoingHttpHeaders = {},
		body: string | Buffer = '',
	): RequestListener =>
	(_request, response) =>
		response.writeHead(status, headers).end(body);

const redirectTo = (Location: string) => reply(302, { Location });

/** Sends the sound as an MP3. */
const sendSound = reply(200, { 'Content-Type': 'audio/mpeg' }, SOUND);

/** A host of recordings, and the headers of the requests that arrive there. */
async function startHost(respond: RequestListener) {
	const requests: Array<{ url: string; headers: IncomingMessage['headers'] }> = [];
	const host = await listenOnLoopback((request, response) => {
		requests.push({ url: request.url ?? '', headers: request.headers });
		respond(request, response);
	});
	hosts.push(host);
	return { origin: host.origin, requests };
}

const DOWNLOAD = { resource: 'call', operation: 'downloadRecording', callId: byId(42) };

/** Starts a service with these calls. It gives one alone, unless there are several. */
async function listing(calls: IDataObject[], onRequest = () => {}) {
	const [call, ...others] = calls;
	const server = await startServer(({ url }) => {
		onRequest();
		if (url.includes('?')) return { body: pageOf(calls) };
		return others.length > 0 ? { status: 404 } : { body: call };
	});
	return { server, n8n: n8nWith({ baseUrl: `${server.origin}/api`, apiToken: TOKEN }) };
}

const completed = (recording_url: unknown, fields: object = {}) =>
	({ id: 42, status: 'completed', recording_url, ...fields }) as IDataObject;

/** Downloads the recording of one call. */
async function download(recordingUrl: unknown, fields: INodeParameters = {}, call: object = {}) {
	const { n8n } = await listing([completed(recordingUrl, call)]);
	return await n8n.runNode({ parameters: { ...DOWNLOAD, ...fields } });
}

describe('a recording', () => {
	it.each([
		['/a/b.mp3', 'audio/mpeg; charset=binary', 'call-42.mp3', 'audio/mpeg'],
		['/download?id=42', 'audio/mpeg', 'call-42.mp3', 'audio/mpeg'],
		['/download.php', 'audio/x-wav', 'call-42.wav', 'audio/x-wav'],
		['/b.WAV?signature=1', 'application/octet-stream', 'call-42.wav', 'audio/wav'],
		['/b.ogg', '', 'call-42.ogg', 'audio/ogg'],
		['/b', 'audio/mp4', 'call-42.m4a', 'audio/mp4'],
		['/b', 'binary/octet-stream', 'call-42', 'application/octet-stream'],
	])('at %s with the type %j is named %s', async (path, type, fileName, mimeType) => {
		const host = await startHost(reply(200, type ? { 'Content-Type': type } : {}, SOUND));
		const { output } = await download(host.origin + path, { binaryPropertyName: 'sound' });
		expect(output[0][0]?.binary).toEqual({
			sound: expect.objectContaining({ fileName, mimeType, data: SOUND.toString('base64') }),
		});
	});

	onlyInFull(it)(
		'is downloaded for each of 200 items, while the list of calls is read once',
		async () => {
			let atOnce = 0;
			let most = 0;
			const host = await startHost((request, response) => {
				most = Math.max(most, ++atOnce);
				response.once('close', () => atOnce--);
				sendSound(request, response);
			});
			const items = Array.from({ length: 200 }, (_, index) => ({ id: index + 1 }));
			const calls = items.map(({ id }) => completed(`${host.origin}/${id}.mp3`, { id }));
			const { n8n, server } = await listing(calls);
			const parameters = { ...DOWNLOAD, callId: byId('={{ $json.id }}') };
			const { output } = await n8n.runNode({ parameters, items });
			expect(output[0].map(({ binary }) => binary?.data?.fileName)).toEqual(
				items.map(({ id }) => `call-${id}.mp3`),
			);
			expect(host.requests).toHaveLength(200);
			expect(most).toBeLessThanOrEqual(10);
			expect(server.requests.filter(({ url }) => url.includes('?'))).toHaveLength(1);
			expect(server.requests.length).toBeLessThan(30);
		},
	);
});

describe('the token', () => {
	const expectNoToken = (headers: IncomingMessage['headers']) => {
		expect(headers.authorization).toBeUndefined();
		expect(JSON.stringify(headers)).not.toContain(TOKEN);
	};

	it('does not go to the host of the recording', async () => {
		const host = await startHost(sendSound);
		const { run } = await download(`${host.origin}/42.mp3`);
		expect(host.requests).toHaveLength(1);
		for (const { headers } of host.requests) expectNoToken(headers);
		expect(inspect(run, { depth: Infinity, showHidden: true })).not.toContain(TOKEN);
	});

	it('goes nowhere after redirects, not even to the service itself', async () => {
		const last = await startHost(sendSound);
		const server = await startServer(({ url }) =>
			url.startsWith('/api')
				? { body: completed(`${first.origin}/42.mp3`) }
				: { status: 307, headers: { Location: `${last.origin}/42.mp3` } },
		);
		const first = await startHost((request, response) =>
			redirectTo(`${server.origin}/files/42.mp3`)(request, response),
		);
		const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: TOKEN });
		const { output, error } = await n8n.runNode({ parameters: DOWNLOAD });
		expect(error).toBeUndefined();
		expect(output[0][0]?.binary?.data).toMatchObject({ fileName: 'call-42.mp3' });
		expect(server.requests.map(({ authorization }) => authorization)).toEqual([
			`Bearer ${TOKEN}`,
			undefined,
		]);
		for (const { headers } of [...first.requests, ...last.requests]) expectNoToken(headers);
	});
});

describe('redirects', () => {
	it.each([
		[5, undefined],
		[6, `${BEGIN}its host redirects too often`],
	])('%i in a row: %j', async (count, message) => {
		const host = await startHost((request, response) => {
			const step = Number(request.url?.slice(1)) + 1;
			// Both forms that RFC 9110 (10.2.2) allows.
			const next = step % 2 ? `/${step}` : `http://${request.headers.host}/${step}`;
			(step > count ? sendSound : redirectTo(next))(request, response);
		});
		const { error } = await download(`${host.origin}/0`);
		expect(error?.message).toBe(message);
		expect(host.requests).toHaveLength(6);
	});

	it.each([
		...['file:///etc/passwd', 'ftp://example.com/42.mp3', 'http://', 'http://[/'],
		'http://ada:hunter2@example.com/42.mp3',
	])('to %s are not followed', async (location) => {
		const host = await startHost(redirectTo(location));
		const { error } = await download(host.origin);
		expect(error?.message).toBe(
			`${BEGIN}the address to which its host redirected does not start with https:// or http://, or has a user name or a password in it`,
		);
	});

	/**
	 * Downloads with a Base URL on the internet, which a proxy stands for. @returns the hosts that were requested
	 */
	async function fromInternet(location: string) {
		const asked: string[] = [];
		const proxy = await startHost((request, response) => {
			const { host, pathname } = new URL(request.url ?? '');
			asked.push(host);
			const call = completed('http://files.example.com/42.mp3');
			if (pathname.startsWith('/api'))
				reply(200, JSON_TYPE, JSON.stringify(call))(request, response);
			else if (asked.length === 2) redirectTo(location)(request, response);
			else sendSound(request, response);
		});
		process.env.HTTP_PROXY = proxy.origin;
		const n8n = n8nWith({ baseUrl: 'http://calls.example.com/api', apiToken: TOKEN });
		const { error } = await n8n.runNode({ parameters: DOWNLOAD });
		return { error, asked };
	}

	const JSON_TYPE = { 'Content-Type': 'application/json' };

	// isPrivate has a test with more of them.
	it.each([
		...['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.0.1'],
		...['169.254.169.254', '0.0.0.0', 'localhost', 'LOCALHOST.', '[::1]', '[::ffff:10.0.0.1]'],
		...['[fc00::1]', '%31%32%37.0.0.1'],
	])('to %s are not followed from the internet', async (host) => {
		const { error, asked } = await fromInternet(`http://${host}:8080/latest/meta-data?key=secret`);
		const { hostname } = new URL(`http://${host}`);
		expect(error).toMatchObject({
			message: `${BEGIN}its host redirected to a private address (${hostname}), where the node did not go`,
			description:
				'Ask your provider for a public address. A redirect to a private one is followed only if the Base URL of the credential has a private address too.',
		});
		expect(asked).toEqual(['calls.example.com', 'files.example.com']);
	});

	it.each(['cdn.example.com', '172.32.0.1', '[2001:db8::1]'])(
		'to %s are followed',
		async (host) => {
			const { error, asked } = await fromInternet(`http://${host}/42.mp3`);
			expect(error).toBeUndefined();
			expect(asked).toEqual(['calls.example.com', 'files.example.com', host]);
		},
	);
});

describe('an address is refused', () => {
	const WRONG_ADDRESS =
		'its address does not start with https:// or http://, or has a user name or a password in it';

	it.each([
		'file:///etc/passwd',
		'ftp://example.com/42.mp3',
		'data:audio/mpeg;base64,AAAA',
		'/42.mp3',
		'somewhere',
	])('that is no web address: %s', async (url) => {
		const { error, output } = await download(url);
		expect(error?.message).toBe(BEGIN + WRONG_ADDRESS);
		expect(output[0]).toEqual([]);
	});

	it.each([
		['a password', ':hunter2@'],
		['a name', 'hunter2@'],
		['both', 'ada:hunter2@'],
	])('with %s, which the message does not show', async (_, user) => {
		const host = await startHost(sendSound);
		const { error, run } = await download(host.origin.replace('http://', `http://${user}`));
		expect(error?.message).toBe(BEGIN + WRONG_ADDRESS);
		expect(JSON.stringify(run)).not.toContain('hunter2');
		expect(host.requests).toEqual([]);
	});

	it("by n8n's SSRF protection", async () => {
		const host = await startHost(sendSound);
		// The service itself is allowed, and the next request is not.
		const { n8n } = await listing([completed(`${host.origin}/42.mp3`)], () => {
			protection.enabled = true;
		});
		const { error } = await n8n.runNode({ parameters: DOWNLOAD });
		expect(error).toMatchObject({
			message: `${BEGIN}this n8n does not allow requests to its host`,
			description:
				'Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
		});
		expect(host.requests).toEqual([]);
	});
});

it.each(['completed', 'no-answer', 'in-progress'])(
	'a call that is %s and names no recording has none',
	async (status) => {
		for (const url of [undefined, null, '']) {
			const { error } = await download(url, {}, { status });
			expect(error?.message).toBe('The call has no recording');
		}
	},
);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A time of a record: `2026-03-02 09:30:00`. @param ageMs how long ago it is, in UTC */
const timeAgo = (ageMs: number) =>
	new Date(Date.now() - ageMs).toISOString().slice(0, 19).replace('T', ' ');

/** A call that has just ended. */
const justEnded = () => ({ updated_at: timeAgo(10_000) });

describe('a recording that is not there yet', () => {
	/** A host that responds so to the first requests, and then sends the sound. */
	const late = (times: number, respond: RequestListener) => {
		let requests = 0;
		return startHost((request, response) =>
			(requests++ < times ? respond : sendSound)(request, response),
		);
	};

	const notFound = reply(404, { 'Content-Type': 'text/html' }, '<html>Not found</html>');

	it.each<[string, RequestListener]>([
		...[403, 404, 503].map((status): [string, RequestListener] => [
			`status ${status}`,
			reply(status),
		]),
		['a closed connection', ({ socket }) => socket.destroy()],
	])('is requested again after %s, with longer and longer waits', async (_what, respond) => {
		const host = await late(4, respond);
		skipWaits();
		const start = Date.now();
		const { output } = await download(`${host.origin}/42.mp3`, {}, justEnded());
		expect(output[0][0]?.binary?.data).toMatchObject({ data: SOUND.toString('base64') });
		expect(host.requests).toHaveLength(5);
		expect(Date.now() - start).toBe(1_000 + 2_000 + 4_000 + 8_000);
	});

	it.each([
		[undefined, 22, 287_000],
		[30, 5, 15_000],
		[1, 1, 0],
	])('with a time limit of %j s is requested %i times', async (timeLimit, requests, waited) => {
		const host = await startHost(notFound);
		skipWaits();
		const start = Date.now();
		const options = timeLimit === undefined ? {} : { timeLimit };
		const { error } = await download(`${host.origin}/42.mp3`, { options }, justEnded());
		expect(error).toMatchObject({
			message: `${BEGIN}its host answered with status 404`,
			description:
				'The recording may not be ready yet: try again some minutes after the end of the call, or put a Wait node before this one. If it is deleted or its address has expired, ask your provider.',
		});
		expect(host.requests).toHaveLength(requests);
		expect(Date.now() - start).toBe(waited);
	});

	it.each<[string, boolean, () => object]>([
		['just ended', true, justEnded],
		['just ended in UTC−12', true, () => ({ updated_at: timeAgo(12 * HOUR + 10_000) })],
		['just ended in UTC+14', true, () => ({ updated_at: timeAgo(-14 * HOUR + 10_000) })],
		['began today', true, () => ({ created_at: timeAgo(HOUR) })],
		['ended a day ago', false, () => ({ updated_at: timeAgo(24 * HOUR) })],
		['will end in a day', false, () => ({ updated_at: timeAgo(-24 * HOUR) })],
		['has no time', false, () => ({})],
		['has a time that is none', false, () => ({ created_at: 'soon', updated_at: 'soon' })],
	])('of a call that %s is waited for: %j', async (_what, isWaitedFor, call) => {
		const host = await late(1, notFound);
		skipWaits();
		const { error } = await download(`${host.origin}/42.mp3`, {}, call());
		expect(error === undefined).toBe(isWaitedFor);
		expect(host.requests).toHaveLength(isWaitedFor ? 2 : 1);
	});

	it('gives its place to the next item', async () => {
		const paths: string[] = [];
		const host = await startHost((request, response) => {
			paths.push(request.url ?? '');
			(paths.includes('/2.mp3') ? sendSound : notFound)(request, response);
		});
		const calls = [1, 2].map((id) => completed(`${host.origin}/${id}.mp3`, { id, ...justEnded() }));
		const { n8n } = await listing(calls);
		skipWaits();
		const { output } = await n8n.runNode({
			parameters: {
				...DOWNLOAD,
				callId: byId('={{ $json.id }}'),
				requestOptions: { maxConcurrentRequests: 1 },
			},
			items: [{ id: 1 }, { id: 2 }],
		});
		expect(output[0]).toHaveLength(2);
		expect(paths).toEqual(['/1.mp3', '/2.mp3', '/1.mp3']);
	});

	it('is not waited for any longer half a second after a cancellation', async () => {
		let isAsked = () => {};
		const asked = new Promise<void>((resolve) => {
			isAsked = resolve;
		});
		const host = await startHost((request, response) => {
			response.once('close', isAsked);
			notFound(request, response);
		});
		const { n8n } = await listing([completed(`${host.origin}/42.mp3`, justEnded())]);
		holdTime();
		const running = n8n.startNode({ parameters: DOWNLOAD });
		await asked;
		await passTime(400);
		running.cancel();
		await passTime(500);
		const { output } = await running.ended;
		expect(output[0]).toEqual([]);
		expect(host.requests).toHaveLength(1);
	});

	it.each<[string, RequestListener]>([
		['is gone', reply(410)],
		['is a page', reply(200, { 'Content-Type': 'text/html' }, '<html>')],
		['is empty', reply(200)],
		[
			'breaks off when a part of it is stored',
			(_request, response) => {
				response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': '1000' });
				response.write(SOUND, () => response.socket?.resetAndDestroy());
			},
		],
	])('is not requested again when it %s', async (_what, respond) => {
		const host = await late(1, respond);
		skipWaits();
		const { error } = await download(`${host.origin}/42.mp3`, {}, justEnded());
		expect(error?.message).toMatch(BEGIN);
		expect(host.requests).toHaveLength(1);
	});
});

describe('a download that fails says why', () => {
	/** Downloads from a host that responds so. @returns what the user is told */
	async function refusal(respond: RequestListener, options: INodeParameters) {
		const host = await startHost(respond);
		const { error, output } = await download(`${host.origin}/42.mp3`, { options });
		expect(output[0]).toEqual([]);
		return error?.message;
	}

	const page = (type: string) =>
		reply(200, { 'Content-Type': type }, '<html>Please sign in</html>');

	/** A host that begins, and sends no more. */
	const silent: RequestListener = (_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/mpeg' }).write(SOUND);
	};

	const breakOff =
		(headers: OutgoingHttpHeaders): RequestListener =>
		(_request, response) => {
			response.writeHead(200, headers);
			response.write(SOUND, () => response.socket?.resetAndDestroy());
		};

	type Row = [what: string, reason: string, respond: RequestListener, options?: INodeParameters];
	const rows = <Value,>(values: Value[], toRow: (value: Value) => Row) => values.map(toRow);
	const NO_FILE = 'its host sent a page or text instead of a file';
	const NOT_REACHED = 'its host could not be reached, or closed the connection';
	const NOT_IN_TIME = 'it was not complete after 1 seconds';

	it.each<Row>([
		...rows([404, 410, 500], (status) => [
			`status ${status}`,
			`its host answered with status ${status}`,
			reply(status, {}, '{"token": "x"}'),
		]),
		...rows(['text/html; charset=utf-8', 'application/json', 'text/plain'], (type) => [
			type,
			NO_FILE,
			page(type),
		]),
		['a redirect to nobody', NOT_REACHED, redirectTo('http://127.0.0.1:1/')],
		[
			'a redirect to https where there is none',
			NOT_REACHED,
			(request, response) => redirectTo(`https://${request.headers.host}/`)(request, response),
		],
		['a closed connection', NOT_REACHED, ({ socket }) => socket.destroy()],
		['no HTTP', NOT_REACHED, ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
		['an empty file', 'it is empty', reply(200)],
		[
			'a file with a length that breaks off',
			'the connection to its host broke off',
			breakOff({ 'Content-Type': 'audio/mpeg', 'Content-Length': '1000' }),
		],
		[
			'a file in chunks that breaks off',
			'the connection to its host broke off',
			breakOff({ 'Content-Type': 'audio/mpeg' }),
		],
		[
			'a length above the limit, without reading the file',
			'it is larger than 1 MB',
			(_request, response) =>
				response.writeHead(200, { 'Content-Length': '1000001' }).flushHeaders(),
			{ maxFileSize: 1 },
		],
		['a host that begins and then is silent', NOT_IN_TIME, silent, { timeLimit: 1 }],
		['a host that never answers', NOT_IN_TIME, () => undefined, { timeLimit: 1 }],
	])('%s: %s', async (_what, reason, respond, options = {}) => {
		expect(await refusal(respond, options)).toBe(BEGIN + reason);
	});

	it('a file without a length that never ends, when the limit is reached', async () => {
		let sent = 0;
		const megabyte = Buffer.alloc(1_000_000);
		const message = await refusal(
			(_request, response) => {
				response.writeHead(200, { 'Content-Type': 'audio/mpeg' });
				const sendMore = () => {
					sent++;
					if (!response.destroyed) response.write(megabyte, sendMore);
				};
				sendMore();
			},
			{ maxFileSize: 2 },
		);
		expect(message).toBe(`${BEGIN}it is larger than 2 MB`);
		expect(sent).toBeLessThan(20);
	});

	it('an execution that is canceled meanwhile', async () => {
		let cancel = () => {};
		const host = await startHost((_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/mpeg' });
			response.write(SOUND, () => cancel());
		});
		const { n8n } = await listing([completed(`${host.origin}/42.mp3`)]);
		const running = n8n.startNode({ parameters: DOWNLOAD });
		cancel = () => running.cancel();
		const { output } = await running.ended;
		expect(output[0]).toEqual([]);
	});
});
