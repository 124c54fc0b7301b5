import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION } from '../../../../host/n8n/names.mts';
import { toRequestPath } from '../../../../nodes/VoiceAssistantCalling/resources/customApiCall/toRequest.ts';
import { listenOnLoopback, type LoopbackServer } from '../../../support/loopback.mts';
import { executeNode } from '../../../support/n8n/executeNode.mts';
import { ACTION_AS_TOOL, type NodeRun } from '../../../support/n8n/n8n.mts';
import { OPERATIONS } from '../../../support/n8n/operations.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { n8nAt } from '../../../support/n8n/stubService.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { sampled, sampledRuns } from '../../../support/sample.mts';

const { n8n, sent, fault } = await startTestEnvironment();
const startServer = stubServersPerTest();

const NOT_SENT = 'Nothing was sent for this item.';
const NOT_SENT_AGAIN =
	'The request was not sent again. Check in your account at the provider before you try again.';

const custom = (fields: object): INodeParameters => ({
	resource: 'customApiCall',
	operation: 'sendRequest',
	...fields,
});

const json = (items: Array<{ json: IDataObject }>) => items.map((item) => item.json);

const errorsOf = (items: Array<{ json: IDataObject }>) => json(items).map(({ error }) => error);

/** Sends one request, as the last node of a workflow with an error output. */
const run = async (fields: object, more: Partial<NodeRun> = {}) =>
	await n8n.runNode({
		parameters: custom(fields),
		settings: { onError: 'continueErrorOutput' },
		...more,
	});

/** Sends one request to a service that gives this response. */
async function answered(response: StubResponse, fields: object = {}) {
	const server = await startServer(() => response);
	const outcome = await n8nAt(server, 'secret-token-4711').runNode({
		parameters: custom({ path: '/user/x', ...fields }),
		settings: { onError: 'continueErrorOutput' },
	});
	return { ...outcome, requests: server.requests };
}

describe('a request of the contract arrives as from its own operation', () => {
	it.each(sampled(OPERATIONS, 4))('$name', async ({ request }) => {
		const { method, path, query, body } = request;
		const { error } = await run({
			method,
			path: path.replace('/api', ''),
			query: JSON.stringify(query ?? {}),
			body: method === 'GET' ? '' : JSON.stringify(body),
		});
		expect(error).toBeUndefined();
		expect(await sent()).toEqual([
			expect.objectContaining({ method, path, query: query ?? {}, body }),
		]);
	});
});

describe('what is sent', () => {
	const servers: LoopbackServer[] = [];
	afterEach(async () => {
		await Promise.all(servers.splice(0).map((server) => server.close()));
	});

	/** Sends one request. @returns it as it arrived */
	async function arrived(fields: object) {
		const requests: Array<{ line: string; headers: IncomingHttpHeaders; body: string }> = [];
		const server = await listenOnLoopback((request, response) => {
			void text(request).then((body) => {
				requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
				response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
			});
		});
		servers.push(server);
		const { error } = await n8nAt(server).runNode({ parameters: custom(fields) });
		expect(error).toBeUndefined();
		expect(requests).toHaveLength(1);
		return requests[0];
	}

	it.each<[string, string]>([
		['/user/calls', '/user/calls'],
		['user/calls', '/user/calls'],
		[' /user/calls/7 ', '/user/calls/7'],
		['/user/calls/', '/user/calls/'],
		['/user/by-email/ada@example.com', '/user/by-email/ada%40example.com'],
		['/user/notes/a b', '/user/notes/a%20b'],
		['/user/notes/a%20b', '/user/notes/a%20b'],
		['/user/notes/Größe', '/user/notes/Gr%C3%B6%C3%9Fe'],
		['/user/notes/100%25', '/user/notes/100%25'],
		['/user/notes/why%3F', '/user/notes/why%3F'],
		['/user/apis', '/user/apis'],
		['/apis', '/apis'],
		['/user/...', '/user/...'],
	])('the path %j is sent as %j', async (path, url) => {
		expect((await arrived({ path }))?.line).toBe(`GET /api${url}`);
	});

	it('the token, and what each expression gives', async () => {
		const [request] = [
			await arrived({
				method: '={{ "PATCH" }}',
				path: '={{ "/user/calls/" + 7 }}',
				query: '={{ { city: "New York & more" } }}',
				body: '={{ { day: new Date(0), list: [1] } }}',
			}),
		];
		expect(request?.line).toBe('PATCH /api/user/calls/7?city=New%20York%20%26%20more');
		expect(request?.headers).toMatchObject({
			authorization: 'Bearer a-token',
			accept: 'application/json',
			'content-type': 'application/json',
		});
		expect(request?.body).toBe('{"day":"1970-01-01T00:00:00.000Z","list":[1]}');
	});

	it.each<[string, unknown, string]>([
		['an object', '{"id": 12345678901234567890}', '{"id": 12345678901234567890}'],
		['a list', '[{"id": 1}]', '[{"id": 1}]'],
		['an empty object', '{}', '{}'],
		['a list of an expression', '={{ [1, "a"] }}', '[1,"a"]'],
		['nothing', '', ''],
	])('%s as the body', async (_what, body, expected) => {
		for (const method of ['DELETE', 'PATCH', 'POST', 'PUT']) {
			const request = await arrived({ method, path: '/user/x', body });
			expect([request?.line, request?.body]).toEqual([`${method} /api/user/x`, expected]);
			expect('content-type' in (request?.headers ?? {})).toBe(expected !== '');
		}
	});

	it('no body with GET, and a query of all kinds of values', async () => {
		const request = await arrived({
			path: '/user/calls',
			body: '{"a": 1}',
			query: '{"id": 12345678901234567890, "on": true, "status": ["busy", "failed"]}',
		});
		expect(request?.body).toBe('');
		expect(decodeURIComponent(request?.line ?? '')).toBe(
			'GET /api/user/calls?id=12345678901234567890&on=true&status[]=busy&status[]=failed',
		);
	});
});

describe('what comes out', () => {
	const ROWS = [{ id: 1 }, { id: 2 }];

	it.each<[string, StubResponse, IDataObject[]]>([
		['a record', { body: { message: 'Done', data: { id: 1 } } }, [{ id: 1 }]],
		['a page', { body: { current_page: 1, data: ROWS, total: 9 } }, ROWS],
		['an empty page', { body: { current_page: 1, data: [], total: 0 } }, []],
		['a list', { body: ROWS }, ROWS],
		['an empty list in an envelope', { body: { data: [] } }, []],
		['a record with a field `data`', { body: { id: 5, data: ROWS } }, [{ id: 5, data: ROWS }]],
		['an empty list', { body: [] }, []],
		['a list of texts', { body: ['a', 'b'] }, [{ data: 'a' }, { data: 'b' }]],
		['a message', { body: { message: 'Done', data: [] } }, [{ message: 'Done' }]],
		['a message alone', { body: { message: 'Done' } }, [{ message: 'Done' }]],
		['a message without data', { body: { message: 'Done', data: null } }, [{ message: 'Done' }]],
		['an empty record', { body: {} }, [{}]],
		['one value', { body: { data: 7, unit: 's' } }, [{ data: 7, unit: 's' }]],
		['a record without an envelope', { body: { call_id: 7 } }, [{ call_id: 7 }]],
		['a number', { body: 7 }, [{ data: 7 }]],
		['null', { body: null }, [{ success: true }]],
		['nothing', { status: 204 }, [{ success: true }]],
		['nothing with a status for it', { status: 200, body: '' }, [{ success: true }]],
	])('%s', async (_what, response, expected) => {
		for (const method of ['GET', 'POST', 'DELETE']) {
			const { output, error } = await answered(response, { method });
			expect(error).toBeUndefined();
			expect(output[0]).toEqual(expected.map((each) => ({ json: each, pairedItem: { item: 0 } })));
			expect(output[1]).toEqual([]);
		}
	});

	it('a text is no data; the outcome of a write is unknown then', async () => {
		const response = { body: 'queued', headers: { 'Content-Type': 'text/csv' } };
		const read = await answered(response, { method: 'GET' });
		expect(errorsOf(read.output[1])).toEqual([
			expect.objectContaining({
				result: 'failed',
				message: 'The service answered with a web page or text instead of data (status 200)',
				description:
					"Check 'Path'. For texts and files, use n8n's node HTTP Request with this credential.",
			}),
		]);
		const write = await answered(response, { method: 'POST' });
		expect(errorsOf(write.output[1])).toEqual([
			expect.objectContaining({
				result: 'unknown',
				message: expect.stringContaining('the request may have been carried out'),
				description: expect.stringContaining('The answer begins: queued'),
			}),
		]);
	});

	it('the full response', async () => {
		const page = { current_page: 1, last_page: 3, data: [{ id: 1 }], total: 250 };
		const { output } = await answered({ status: 201, body: page }, { fullResponse: true });
		expect(json(output[0])).toEqual([{ statusCode: 201, body: page }]);
	});
});

describe('a failure', () => {
	const failure = async (response: StubResponse, fields: object) => {
		const { output } = await answered(response, fields);
		expect(output[0]).toEqual([]);
		return errorsOf(output[1])[0];
	};

	it.each([404, 405])('%i names the method and the path', async (status) => {
		const body = { message: 'The route api/user/x could not be found.' };
		expect(await failure({ status, body }, {})).toEqual({
			result: 'refused',
			message: body.message,
			description:
				"Check 'Method' and 'Path', and the IDs in them. Your provider's documentation has the requests that it offers.",
			httpCode: String(status),
			errors: {},
		});
	});

	it('of several fields is told by the names that the user sent', async () => {
		const errors = { phone_number: ['Wrong.'], 'a.0.b': ['Missing.'] };
		const body = { message: 'Validation failed', errors };
		expect(await failure({ status: 422, body }, { method: 'POST' })).toEqual({
			result: 'refused',
			message: "'phone_number': Wrong.",
			description:
				"'phone_number': Wrong.\n'a.0.b': Missing.\nCorrect these fields, then try again.",
			httpCode: '422',
			errors,
		});
	});

	it.each(['DELETE', 'PATCH', 'POST', 'PUT'])(
		'of %s is no reason to send it again, not even by Retry On Fail',
		async (method) => {
			await fault({ drop: 'after' });
			const { error } = await run(
				{ method, path: '/user/tools/1' },
				{ settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } },
			);
			expect(error?.description).toContain(NOT_SENT_AGAIN);
			expect(await sent()).toHaveLength(1);
		},
	);
});

describe('wrong input is refused by the name of its field, and nothing is sent', () => {
	const BELOW = "'Path' must be only what comes after the Base URL";
	const QUERY = "'Path' must not have a question mark or a number sign";
	const BODY = `'Body (JSON)' must be a JSON object or list, such as {"city": "Berlin"}`;

	it.each<[object, string]>([
		[{ path: '={{ $json.missing }}' }, "'Path' is empty"],
		[{ path: '={{ { a: 1 } }}' }, "'Path' must be text, not an object or a list"],
		[{ path: `/${'x'.repeat(2_000)}` }, "'Path' must have at most 2000 characters, and has 2001"],
		...[
			...['/', 'https://evil.example/user/calls', '//evil.example/user/calls', '/\\evil.example'],
			...['/..', '/user/../../admin', '/user/%2e%2E/admin', '/user/..;x/admin'],
			...['/user/..%20/admin', '/user/.\t./admin', '/user/a%2Fb', '/user/%252e%252e'],
			...['/user//calls', '/user/100%', '/api/user/calls', '/%61pi/user/calls'],
		].map((path): [object, string] => [{ path }, BELOW]),
		[{ path: '/user/calls?status=busy' }, QUERY],
		[{ path: '/user/calls#x' }, QUERY],
		[{ method: '={{ "CONNECT" }}' }, "'Method' must be one of: DELETE, GET, PATCH, POST, PUT"],
		[{ method: 'POST', body: '7' }, BODY],
		[
			{ method: 'POST', body: '{name: 1}' },
			"'Body (JSON)' is not valid JSON: put names and texts in double quotes, and a comma between entries",
		],
		[
			{ query: '[1]' },
			`'Query Parameters (JSON)' must be a JSON object, such as {"city": "Berlin"}`,
		],
		[{ fullResponse: '={{ "maybe" }}' }, "'Full Response' must be true or false"],
	])('%j', async (fields, message) => {
		const { output } = await run({ path: '/user/calls', ...fields });
		const label = /^'(.+?)'/.exec(message)?.[1];
		expect(errorsOf(output[1])).toEqual([
			{
				result: 'not sent',
				message,
				description: expect.stringMatching(/Nothing was sent for this item\.$/),
				httpCode: null,
				errors: { [String(label)]: [message.slice(String(label).length + 3)] },
			},
		]);
		expect(await sent()).toEqual([]);
	});

	it('refuses the whole path of a longer Base URL', () => {
		const baseUrl = 'https://calls.example.com/v1/api';
		expect(() => toRequestPath('/v1/api/user', baseUrl)).toThrow('after the Base URL');
		expect(toRequestPath('/v1/user', baseUrl)).toBe('/v1/user');
	});
});

describe('any path', () => {
	const BASE_URL = 'https://calls.example.com/v1/api';
	const parts = fc.constantFrom(
		...['/', '\\', '.', '..', '//', '%2f', '%5C', '%2e', '%252e', '%', '@', ':', '?', '#', ';'],
		...[
			'user',
			'calls',
			'https:',
			'evil.example',
			'\t',
			'\n',
			'\u0000',
			' ',
			'．',
			'／',
			'é',
			'\ud83d',
		],
	);
	const paths = fc.oneof(
		fc.array(parts, { maxLength: 12 }).map((some) => some.join('')),
		fc.string({ unit: 'binary' }),
		fc.webUrl(),
		fc.webPath(),
	);

	/** Has a byte that ends or divides a request. C1 codes are bytes of UTF-8 here. */
	const hasControl = (text: string) => text.split('').some((one) => one < ' ' || one === '\u007f');

	/** The path as a server reads it that decodes too often. */
	function decodedOften(path: string): string {
		const decoded = path.replaceAll(/%[\da-f]{2}/gi, (code) =>
			String.fromCharCode(parseInt(code.slice(1), 16)),
		);
		return decoded === path ? path : decodedOften(decoded);
	}

	it('is refused, or stays below the Base URL, whoever reads it', () => {
		let accepted = 0;
		fc.assert(
			fc.property(paths, (entered) => {
				let path: string;
				try {
					path = toRequestPath(entered, BASE_URL);
				} catch (error) {
					expect(error).toMatchObject({
						name: 'InvalidInput',
						message: expect.stringMatching(/^'Path' /),
						nextStep: expect.stringMatching(/Nothing was sent for this item\.$/),
					});
					return;
				}
				accepted++;
				const { href } = new URL(BASE_URL + path);
				expect(href).toBe(BASE_URL + path);
				const read = decodedOften(path);
				expect(read).not.toMatch(/\\|\/\//);
				expect(hasControl(read)).toBe(false);
				expect(read.split('/').filter((segment) => /^\s*\.\.?\s*(;.*)?$/.test(segment))).toEqual(
					[],
				);
				expect(toRequestPath(path, BASE_URL)).toBe(path);
			}),
			{ numRuns: sampledRuns(5_000) },
		);
		expect(accepted).toBeGreaterThan(sampledRuns(100));
	});
});

describe('for an AI agent', () => {
	/** Runs the operation as a tool. @returns what the model reads */
	async function asTool(fields: object) {
		const { output, error } = await run(
			{ path: '/user/calls', allowedPaths: '/user/calls*', ...fields },
			{ type: ACTION_AS_TOOL, settings: {} },
		);
		expect(error).toBeUndefined();
		return json(output[0]);
	}

	const NO_METHOD = (method: string) => `'Allowed Methods' does not let an AI agent send ${method}`;
	const NO_PATH = (path: string) => `'Allowed Paths' does not let an AI agent use ${path}`;

	it.each<[object, string, string]>([
		[{ allowedPaths: ' , ' }, NO_PATH('/user/calls'), 'Allowed: none.'],
		[{ method: 'POST' }, NO_METHOD('POST'), 'Allowed: GET.'],
		[
			{ method: 'DELETE', allowedMethods: ['GET', 'POST'] },
			NO_METHOD('DELETE'),
			'Allowed: GET, POST.',
		],
		[{ path: '/user/sms' }, NO_PATH('/user/sms'), 'Allowed: /user/calls*.'],
		[{ path: '/x/user/calls' }, NO_PATH('/x/user/calls'), 'Allowed: /user/calls*.'],
		[{ path: '/User/Calls' }, NO_PATH('/User/Calls'), 'Allowed: /user/calls*.'],
		[
			{ path: '/user/calls/7', allowedPaths: '/user/calls' },
			NO_PATH('/user/calls/7'),
			'Allowed: /user/calls.',
		],
		[
			{ path: '/user/calls/7', allowedPaths: '/user/*/notes' },
			NO_PATH('/user/calls/7'),
			'Allowed: /user/*/notes.',
		],
		[{ path: '/ab', allowedPaths: '/ab*b' }, NO_PATH('/ab'), 'Allowed: /ab*b.'],
		[
			{ method: 'POST', allowedMethods: ['POST'], body: String.raw`{"\u005fmethod": "DELETE"}` },
			NO_METHOD('_method'),
			'Allowed: POST.',
		],
		[{ query: '{"_METHOD": "DELETE"}' }, NO_METHOD('_method'), 'Allowed: GET.'],
		// PHP reads these as _method.
		...['.method', '[method'].map((name): [object, string, string] => [
			{ query: JSON.stringify({ [name]: 'DELETE' }) },
			NO_METHOD('_method'),
			'Allowed: GET.',
		]),
	])('%j is refused', async (fields, message, allowed) => {
		expect(await asTool(fields)).toEqual([
			{
				error: expect.objectContaining({
					result: 'not sent',
					message,
					description: `${allowed} ${NOT_SENT}`,
				}),
			},
		]);
		expect(await sent()).toEqual([]);
	});

	it.each([
		'/user/calls/../sms',
		'/user/calls/%2e%2e/sms',
		'/user/calls%2f..%2fsms',
		'/user/calls\\..\\sms',
	])('an allowed beginning lets nothing else through: %s', async (path) => {
		expect(await asTool({ path })).toEqual([
			{ error: expect.objectContaining({ message: expect.stringMatching(/^'Path' /) }) },
		]);
		expect(await sent()).toEqual([]);
	});

	it('it is off until both fields are filled', async () => {
		const isOff = async (parameters: object) => {
			const tool = { type: ACTION_AS_TOOL, parameters: custom({ method: 'GET', ...parameters }) };
			await expect(n8n.runNode(tool)).rejects.toThrow(
				/Parameter "Allowed (Paths|Methods)" is required/,
			);
			// Some ways to start a workflow skip n8n's check.
			const [item] = await executeNode(n8n, { ...tool, items: [{}] });
			return item?.json.error;
		};
		expect(await isOff({ path: '/user/calls' })).toMatchObject({
			result: 'not sent',
			message: "'Allowed Paths' is empty",
		});
		expect(
			await isOff({ path: '/user/calls', allowedPaths: '*', allowedMethods: [] }),
		).toMatchObject({
			result: 'not sent',
			message: NO_METHOD('GET'),
			description: `Allowed: none. ${NOT_SENT}`,
		});
		expect(await sent()).toEqual([]);
	});

	it.each<[object, string]>([
		[{}, 'GET /api/user/calls'],
		[{ path: 'user/calls' }, 'GET /api/user/calls'],
		[{ path: '/user/%63alls' }, 'GET /api/user/calls'],
		[{ allowedPaths: '/user/sms\n user/calls \n' }, 'GET /api/user/calls'],
		[{ allowedPaths: '/user/sms, *' }, 'GET /api/user/calls'],
		[{ allowedPaths: '/u*r/c*s' }, 'GET /api/user/calls'],
		[
			{ method: 'POST', path: '/user/sms', allowedMethods: ['POST'], allowedPaths: '/user/sms' },
			'POST /api/user/sms',
		],
	])('%j is allowed', async (fields, line) => {
		await asTool(fields);
		expect((await sent()).map(({ method, path }) => `${method} ${path}`)).toEqual([line]);
	});

	it('the model cannot widen what is allowed: those fields take no expression', () => {
		const fields = n8n
			.nodeType(ACTION)
			.description.properties.filter(({ name }) => name.startsWith('allowed'));
		expect(fields.map(({ name, noDataExpression }) => [name, noDataExpression])).toEqual([
			['allowedMethods', true],
			['allowedPaths', true],
		]);
	});
});

describe("n8n's own Custom API Call", () => {
	// n8n adds an entry where `version` equals `defaultVersion` (n8n 2.0, 2.41), and there would be two then.
	it('is not added, because the version is in a list', () => {
		expect(n8n.nodeType(ACTION).description).toMatchObject({ version: [1], defaultVersion: 1 });
	});
});
