import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { listenOnLoopback, type LoopbackServer } from '../../../support/loopback.mts';
import { byId } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const TOKEN = 'sk-very-secret-4711';
const sandbox = await startTestEnvironment();
const startServer = stubServersPerTest();

const hosts: LoopbackServer[] = [];
const protection = Container.get(SsrfProtectionConfig);
afterEach(async () => {
	protection.enabled = false;
	await Promise.all(hosts.splice(0).map((host) => host.close()));
});

const SOUND = Buffer.from('ID3 a short sound');

/** Sends the sound as an MP3. */
const sendSound = (_request: IncomingMessage, response: ServerResponse) =>
	response.writeHead(200, { 'Content-Type': 'audio/mpeg' }).end(SOUND);

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

/** Downloads the recordings of calls that a service lists. */
async function download(
	calls: IDataObject[],
	fields: INodeParameters = {},
	items: IDataObject[] = [{}],
) {
	const server = await startServer(() => ({ body: { data: calls, total: calls.length } }));
	const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: TOKEN });
	const outcome = await n8n.runNode({
		parameters: {
			resource: 'call',
			operation: 'downloadRecording',
			callId: byId(calls[0]?.id),
			...fields,
		},
		items,
	});
	return { ...outcome, server };
}

const completed = (recording_url: unknown, fields: IDataObject = {}) =>
	({ id: 42, status: 'completed', recording_url, ...fields }) as IDataObject;

/** Downloads from a host that responds so. @returns what the user is told */
async function refusal(respond: RequestListener, fields: INodeParameters = {}) {
	const host = await startHost(respond);
	const { error, output } = await download([completed(`${host.origin}/42.mp3`)], fields);
	expect(output[0]).toEqual([]);
	return error?.message;
}

describe('a recording', () => {
	it('of the sandbox arrives as a file', async () => {
		const { output, error } = await sandbox.n8n.runNode({
			parameters: { resource: 'call', operation: 'downloadRecording', callId: byId('1') },
		});
		expect(error).toBeUndefined();
		const [item] = output[0];
		expect(item?.pairedItem).toEqual({ item: 0 });
		expect(item?.json).toMatchObject({ id: 1, outcome: 'answered' });
		const { data, ...file } = item?.binary?.data ?? { data: '' };
		expect(file).toMatchObject({
			fileName: 'call-1.wav',
			mimeType: 'audio/wav',
			fileExtension: 'wav',
			fileType: 'audio',
		});
		expect(Buffer.from(data, 'base64').toString('latin1', 0, 4)).toBe('RIFF');
	});

	it.each([
		['/a/b.mp3', 'audio/mpeg; charset=binary', 'call-42.mp3', 'audio/mpeg'],
		['/download?id=42', 'audio/mpeg', 'call-42.mp3', 'audio/mpeg'],
		['/download.php', 'audio/x-wav', 'call-42.wav', 'audio/x-wav'],
		['/b.WAV?signature=1', 'application/octet-stream', 'call-42.wav', 'audio/wav'],
		['/b.ogg', '', 'call-42.ogg', 'audio/ogg'],
		['/b', 'binary/octet-stream', 'call-42', 'application/octet-stream'],
	])('at %s with the type %j is named %s', async (path, type, fileName, mimeType) => {
		const host = await startHost((_request, response) => {
			if (type) response.setHeader('Content-Type', type);
			response.end(SOUND);
		});
		const { output } = await download([completed(host.origin + path)], {
			binaryPropertyName: 'sound',
		});
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
		const calls = Array.from({ length: 200 }, (_, index) =>
			completed(`${host.origin}/${index + 1}.mp3`, { id: index + 1 }),
		);
		const { output, server } = await download(
			calls,
			{ callId: byId('={{ $json.id }}') },
			calls.map(({ id }) => ({ id })),
		);
		expect(output[0].map(({ binary }) => binary?.data?.fileName)).toEqual(
			calls.map((_, index) => `call-${index + 1}.mp3`),
		);
		expect(host.requests).toHaveLength(200);
		expect(most).toBeLessThanOrEqual(10);
		expect(server.requests).toHaveLength(1);
	});
});

describe('the token', () => {
	const withoutToken = (headers: IncomingMessage['headers']) => {
		expect(headers.authorization).toBeUndefined();
		expect(JSON.stringify(headers)).not.toContain(TOKEN);
	};

	it('does not go to the host of the recording', async () => {
		const host = await startHost(sendSound);
		const { run } = await download([completed(`${host.origin}/42.mp3`)]);
		expect(host.requests).toHaveLength(1);
		for (const { headers } of host.requests) withoutToken(headers);
		expect(inspect(run, { depth: Infinity, showHidden: true })).not.toContain(TOKEN);
	});

	it('goes nowhere after redirects, not even to the service itself', async () => {
		const last = await startHost(sendSound);
		const server = await startServer(({ url, authorization }) => {
			if (url.startsWith('/api')) {
				expect(authorization).toBe(`Bearer ${TOKEN}`);
				return { body: { data: [completed(`${first.origin}/42.mp3`)], total: 1 } };
			}
			expect(authorization).toBeUndefined();
			return { status: 307, headers: { Location: `${last.origin}/42.mp3` } };
		});
		const first = await startHost((_request, response) =>
			response.writeHead(302, { Location: `${server.origin}/files/42.mp3` }).end(),
		);
		const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: TOKEN });
		const { output, error } = await n8n.runNode({
			parameters: { resource: 'call', operation: 'downloadRecording', callId: byId('42') },
		});
		expect(error).toBeUndefined();
		expect(output[0][0]?.binary?.data).toMatchObject({ fileName: 'call-42.mp3' });
		expect(server.requests.map(({ authorization }) => authorization)).toEqual([
			`Bearer ${TOKEN}`,
			undefined,
		]);
		for (const { headers } of [...first.requests, ...last.requests]) withoutToken(headers);
	});
});

describe('an address that is no web address is refused', () => {
	const SCHEME =
		'The recording could not be downloaded: its address does not start with https:// or http://';

	it.each([
		['file:///etc/passwd', SCHEME],
		['ftp://example.com/42.mp3', SCHEME],
		['data:audio/mpeg;base64,AAAA', SCHEME],
		['/42.mp3', SCHEME],
		['somewhere', SCHEME],
	])('%s', async (url, message) => {
		const { error, output } = await download([completed(url)]);
		expect(error?.message).toBe(message);
		expect(output[0]).toEqual([]);
	});

	it('with a password, which the message does not show', async () => {
		const host = await startHost(sendSound);
		const url = host.origin.replace('http://', 'http://ada:hunter2@');
		const { error, run } = await download([completed(url)]);
		expect(error?.message).toBe(
			'The recording could not be downloaded: its address contains a user name or a password',
		);
		expect(JSON.stringify(run)).not.toContain('hunter2');
		expect(host.requests).toEqual([]);
	});

	it('behind a redirect', async () => {
		expect(
			await refusal((_request, response) =>
				response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
			),
		).toMatch(/^The recording could not be downloaded: /);
	});

	it("by n8n's SSRF protection", async () => {
		const host = await startHost(sendSound);
		const server = await startServer(() => {
			// The service itself is allowed, and the next request is not.
			protection.enabled = true;
			return { body: { data: [completed(`${host.origin}/42.mp3`)], total: 1 } };
		});
		const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: TOKEN });
		const { error } = await n8n.runNode({
			parameters: { resource: 'call', operation: 'downloadRecording', callId: byId('42') },
		});
		expect(error).toMatchObject({
			message:
				'The recording could not be downloaded: this n8n does not allow requests to its host',
			description:
				'Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
		});
		expect(host.requests).toEqual([]);
	});
});

describe('a call without a recording', () => {
	it.each([
		['completed', 'The call has no recording'],
		['no-answer', 'The call has no recording'],
		['in-progress', 'The call is not over'],
	])('that is %s: %s', async (status, message) => {
		for (const url of [undefined, null, '']) {
			const { error } = await download([completed(url, { status })]);
			expect(error?.message).toBe(message);
		}
	});
});

describe('a download that fails says why', () => {
	const BEGIN = 'The recording could not be downloaded: ';

	it.each([403, 404, 410, 500])('status %i', async (status) => {
		expect(
			await refusal((_request, response) => response.writeHead(status).end('{"token": "x"}')),
		).toBe(`${BEGIN}its host answered with status ${status}`);
	});

	it.each(['text/html; charset=utf-8', 'application/json', 'text/plain'])(
		'%s in place of a file',
		async (type) => {
			expect(
				await refusal((_request, response) =>
					response.writeHead(200, { 'Content-Type': type }).end('<html>Please sign in</html>'),
				),
			).toBe(`${BEGIN}its host sent a page or text (${type.split(';')[0]}) instead of a file`);
		},
	);

	it('a page whose type is long or odd, without the type', async () => {
		for (const type of ['text/sk-very-secret-4711', `text/${'x'.repeat(8_000)}`]) {
			expect(
				await refusal((_request, response) =>
					response.writeHead(200, { 'Content-Type': type }).end('Please sign in'),
				),
			).toBe(`${BEGIN}its host sent a page or text instead of a file`);
		}
	});

	it.each<[string, string, RequestListener]>([
		[
			'a host that redirects in a circle',
			'its host redirects without end',
			(_request, response) => response.writeHead(302, { Location: '/again' }).end(),
		],
		...['file:///etc/passwd', 'ftp://example.com/42.mp3', 'http://', 'http://[/'].map(
			(Location): [string, string, RequestListener] => [
				`a host that redirects to ${Location}`,
				'its host redirected to an address that cannot be used',
				(_request, response) => response.writeHead(302, { Location }).end(),
			],
		),
		[
			'a host that redirects to a host that nobody reaches',
			'its host could not be reached',
			(_request, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
		],
		[
			'a host that redirects to https where there is none',
			'its host could not be reached safely',
			({ headers }, response) =>
				response.writeHead(302, { Location: `https://${headers.host}/` }).end(),
		],
		[
			'a host that closes the connection',
			'its host closed the connection',
			({ socket }) => socket.destroy(),
		],
		[
			'a host that speaks no HTTP',
			'its host sent an answer that cannot be read',
			({ socket }) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
		],
	])('%s: %s', async (_what, reason, respond) => {
		expect(await refusal(respond)).toBe(BEGIN + reason);
	});

	it('an empty file', async () => {
		expect(await refusal((_request, response) => response.writeHead(200).end())).toBe(
			`${BEGIN}it is empty`,
		);
	});

	it.each([
		['with a length', { 'Content-Length': '1000' }],
		['in chunks', {}],
	])('a file that breaks off, %s', async (_what, headers) => {
		expect(
			await refusal((_request, response) => {
				response.writeHead(200, { 'Content-Type': 'audio/mpeg', ...headers });
				response.write(SOUND, () => response.socket?.resetAndDestroy());
			}),
		).toBe(`${BEGIN}the connection to its host broke off`);
	});

	it('no host', async () => {
		const { error } = await download([completed('http://127.0.0.1:1/42.mp3')]);
		expect(error?.message).toBe(`${BEGIN}its host could not be reached`);
	});

	it('a file whose length is above the limit, without reading it', async () => {
		expect(
			await refusal(
				(_request, response) => {
					response.writeHead(200, { 'Content-Length': '1000001' });
					response.flushHeaders();
				},
				{ options: { maxFileSize: 1 } },
			),
		).toBe(`${BEGIN}it is larger than 1 MB`);
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
			{ options: { maxFileSize: 2 } },
		);
		expect(message).toBe(`${BEGIN}it is larger than 2 MB`);
		expect(sent).toBeLessThan(20);
	});

	it('a host that begins and then is silent, when the time is over', async () => {
		expect(
			await refusal(
				(_request, response) => {
					response.writeHead(200, { 'Content-Type': 'audio/mpeg' });
					response.write(SOUND);
				},
				{ options: { timeLimit: 1 } },
			),
		).toBe(`${BEGIN}it was not complete after 1 seconds`);
	});

	it('a host that never answers, when the time is over', async () => {
		expect(await refusal(() => undefined, { options: { timeLimit: 1 } })).toBe(
			`${BEGIN}it was not complete after 1 seconds`,
		);
	});

	it('an execution that is canceled meanwhile', async () => {
		let cancel = () => {};
		const host = await startHost((_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/mpeg' });
			response.write(SOUND, () => cancel());
		});
		const server = await startServer(() => ({
			body: { data: [completed(`${host.origin}/42.mp3`)], total: 1 },
		}));
		const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: TOKEN });
		const running = n8n.startNode({
			parameters: { resource: 'call', operation: 'downloadRecording', callId: byId('42') },
		});
		cancel = () => running.cancel();
		const { output } = await running.ended;
		expect(output[0]).toEqual([]);
	});
});
