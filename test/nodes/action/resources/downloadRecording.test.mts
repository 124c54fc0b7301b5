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

const TOKEN = 'sk-very-secret-4711';
const startServer = stubServersPerTest();

const hosts: LoopbackServer[] = [];
const protection = Container.get(SsrfProtectionConfig);
afterEach(async () => {
	useRealTime();
	protection.enabled = false;
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
		['/b', 'binary/octet-stream', 'call-42', 'application/octet-stream'],
	])('at %s with the type %j is named %s', async (path, type, fileName, mimeType) => {
		const host = await startHost(reply(200, type ? { 'Content-Type': type } : {}, SOUND));
		const { output } = await download(host.origin + path, { binaryPropertyName: 'sound' });
		expect(output[0][0]?.binary).toEqual({
			sound: expect.objectContaining({ fileName, mimeType, data: SOUND.toString('base64') }),
		});
	});

	it('is downloaded for each of 200 items, while the list of calls is read once', async () => {
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
	});
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

describe('an address is refused', () => {
	it.each([
		'file:///etc/passwd',
		'ftp://example.com/42.mp3',
		'data:audio/mpeg;base64,AAAA',
		'/42.mp3',
		'somewhere',
	])('that is no web address: %s', async (url) => {
		const { error, output } = await download(url);
		expect(error?.message).toBe(`${BEGIN}its address does not start with https:// or http://`);
		expect(output[0]).toEqual([]);
	});

	it('with a password, which the message does not show', async () => {
		const host = await startHost(sendSound);
		const { error, run } = await download(host.origin.replace('http://', 'http://ada:hunter2@'));
		expect(error?.message).toBe(`${BEGIN}its address contains a user name or a password`);
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

it.each([
	['completed', 'The call has no recording'],
	['no-answer', 'The call has no recording'],
	['in-progress', 'The call is not over'],
	['cancelled', 'The call has no recording'],
])('a call without a recording that is %s: %s', async (status, message) => {
	for (const url of [undefined, null, '']) {
		expect((await download(url, {}, { status })).error?.message).toBe(message);
	}
});

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
		...[403, 404, 425, 429, 500, 503].map((status): [string, RequestListener] => [
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
			message: 'The recording is not ready yet: its host answered with status 404',
			description:
				'Try again some minutes after the end of the call, or put a Wait node before this one. If the call ended earlier, the recording may be deleted, or its address may have expired.',
		});
		expect(host.requests).toHaveLength(requests);
		expect(Date.now() - start).toBe(waited);
	});

	const AGES: Array<[string, boolean, () => object]> = [
		['ended 4 minutes ago', true, () => ({ updated_at: timeAgo(4 * MINUTE) })],
		['ended 6 minutes ago', false, () => ({ updated_at: timeAgo(6 * MINUTE) })],
		['ended a minute ahead of n8n', true, () => ({ updated_at: timeAgo(-MINUTE) })],
		['ended 3 minutes ahead of n8n', false, () => ({ updated_at: timeAgo(-3 * MINUTE) })],
		['ended just now in UTC−8', true, () => ({ updated_at: timeAgo(8 * HOUR + 10_000) })],
		['ended just now in UTC+5:45', true, () => ({ updated_at: timeAgo(-5.75 * HOUR + 10_000) })],
		['ended just now in UTC−12', true, () => ({ updated_at: timeAgo(12 * HOUR + 10_000) })],
		['ended just now in UTC+14', true, () => ({ updated_at: timeAgo(-14 * HOUR + 10_000) })],
		['ended 13 hours ago', false, () => ({ updated_at: timeAgo(13 * HOUR) })],
		['ended a day ago', false, () => ({ updated_at: timeAgo(24 * HOUR) })],
		['will end in a day', false, () => ({ updated_at: timeAgo(-24 * HOUR) })],
		[
			'began 20 minutes ago and took 19',
			true,
			() => ({ created_at: timeAgo(20 * MINUTE), duration: 19 * 60 }),
		],
		[
			'began 20 minutes ago',
			true,
			() => ({ created_at: timeAgo(20 * MINUTE), updated_at: timeAgo(0) }),
		],
		['has no time', false, () => ({})],
		['has a time that is none', false, () => ({ created_at: 'soon', updated_at: 'soon' })],
		['nobody answered just now', false, () => ({ ...justEnded(), status: 'no-answer' })],
	];

	it.each(AGES)('of a call that %s is waited for: %j', async (_what, isWaitedFor, call) => {
		const host = await late(1, notFound);
		skipWaits();
		const { error } = await download(`${host.origin}/42.mp3`, {}, call());
		expect(error?.message).toBe(
			isWaitedFor ? undefined : `${BEGIN}its host answered with status 404`,
		);
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

	it.each([
		['completed', 'The recording is not ready yet'],
		['no-answer', 'The call has no recording'],
		['in-progress', 'The call is not over'],
	])('has no address after a call that is %s: %s', async (status, message) => {
		const { error } = await download(undefined, {}, { ...justEnded(), status });
		expect(error?.message).toBe(message);
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
	const NO_FILE = 'its host sent a page or text';
	const NOT_USABLE = 'its host redirected to an address that cannot be used';
	const NOT_IN_TIME = 'it was not complete after 1 seconds';

	it.each<Row>([
		...rows([403, 404, 410, 500], (status) => [
			`status ${status}`,
			`its host answered with status ${status}`,
			reply(status, {}, '{"token": "x"}'),
		]),
		...rows(['text/html; charset=utf-8', 'application/json', 'text/plain'], (type) => [
			type,
			`${NO_FILE} (${type.split(';')[0]}) instead of a file`,
			page(type),
		]),
		...rows(['text/sk-very-secret-4711', `text/${'x'.repeat(8_000)}`], (type) => [
			`an odd type of ${type.length} characters`,
			`${NO_FILE} instead of a file`,
			page(type),
		]),
		...rows(
			['file:///etc/passwd', 'ftp://example.com/42.mp3', 'http://', 'http://[/'],
			(Location) => [`a redirect to ${Location}`, NOT_USABLE, redirectTo(Location)],
		),
		['a redirect in a circle', 'its host redirects without end', redirectTo('/again')],
		['a redirect to nobody', 'its host could not be reached', redirectTo('http://127.0.0.1:1/')],
		[
			'a redirect to https where there is none',
			'its host could not be reached safely',
			(request, response) => redirectTo(`https://${request.headers.host}/`)(request, response),
		],
		['a closed connection', 'its host closed the connection', ({ socket }) => socket.destroy()],
		[
			'no HTTP',
			'its host sent an answer that cannot be read',
			({ socket }) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
		],
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
