import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
	errorBreaches,
	operations,
	wrongTypes,
	type JsonObject,
} from '../support/sandbox-contract.mts';
import { startService, type Service } from '../support/sandbox-service.mts';
import { ALICE, newAssistant, newTool } from '../support/sandbox-world.mts';

let service: Service;
let before: unknown;

/** Everything the service shows of both users. */
const state = async () =>
	Promise.all(
		[service.alice, service.bob].flatMap((user) =>
			['/user/assistants/get', '/user/calls'].map(async (path) => (await user.get(path)).body),
		),
	);

beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => {
	await service.reset();
	before = await state();
});
// After every test of this file: nothing has changed, and the service is well.
afterEach(async () => {
	expect(await state()).toEqual(before);
	expect((await service.control.request('GET', '/health')).status).toBe(200);
});
afterAll(() => service.close());

/** An operation that takes a body, with a path and a body that it accepts. */
interface Write {
	readonly operationId: string;
	readonly method: string;
	readonly path: string;
	readonly valid: JsonObject;
}
const writes: Write[] = [
	{
		operationId: 'createLead',
		method: 'POST',
		path: '/user/lead',
		valid: { campaign_id: 1, phone_number: '+4915112345699' },
	},
	{
		operationId: 'updateLead',
		method: 'PUT',
		path: '/user/leads/1',
		valid: { status: 'completed' },
	},
	{
		operationId: 'updateCampaignStatus',
		method: 'POST',
		path: '/user/campaigns/update-status',
		valid: { campaign_id: 1, action: 'start' },
	},
	{ operationId: 'createAssistant', method: 'POST', path: '/user/assistant', valid: newAssistant },
	{
		operationId: 'updateAssistant',
		method: 'PUT',
		path: '/user/assistant/1',
		valid: { assistant_name: 'Changed' },
	},
	{
		operationId: 'disableWebhook',
		method: 'POST',
		path: '/user/assistants/disable-webhook',
		valid: { assistant_id: 1 },
	},
	{
		operationId: 'enableInboundWebhook',
		method: 'POST',
		path: '/user/assistants/enable-inbound-webhook',
		valid: { assistant_id: 1, webhook_url: 'https://example.com' },
	},
	{
		operationId: 'disableInboundWebhook',
		method: 'POST',
		path: '/user/assistants/disable-inbound-webhook',
		valid: { assistant_id: 1 },
	},
	{ operationId: 'createTool', method: 'POST', path: '/user/tools', valid: newTool },
	{ operationId: 'updateTool', method: 'PUT', path: '/user/tools/1', valid: { timeout: 3 } },
	{
		operationId: 'sendSms',
		method: 'POST',
		path: '/user/sms',
		valid: { from: 1, to: '+4915112345699', body: 'Hello' },
	},
];

/** The answer has one of these statuses, and the service's error shape. */
function expectRefused(what: string, answer: RawAnswer, ...statuses: number[]): void {
	const { status, body, contentType } = answer;
	expect({
		what,
		status,
		asExpected: statuses.includes(status),
		breaches: errorBreaches(body),
		contentType,
	}).toEqual({
		what,
		status,
		asExpected: true,
		breaches: [],
		contentType: expect.stringMatching(/^application\/json\b/),
	});
}

interface RawAnswer {
	readonly status: number;
	readonly contentType: string;
	readonly body: unknown;
}

/**
 * Sends bytes as they are: the path is not tidied up, and an answer counts even where the service
 * gives it before it has read the whole body.
 */
function raw(
	method: string,
	path: string,
	body: string | Buffer = '',
	headers: Record<string, string> = {},
): Promise<RawAnswer> {
	const { hostname, port } = new URL(service.url);
	return new Promise((resolve, reject) => {
		const request = httpRequest(
			{
				hostname,
				port,
				method,
				path: `/api${path}`,
				headers: {
					Authorization: `Bearer ${ALICE}`,
					'Content-Type': 'application/json',
					'Content-Length': Buffer.byteLength(body),
					...headers,
				},
				timeout: 10_000,
			},
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('end', () => {
					const text = Buffer.concat(chunks).toString();
					resolve({
						status: response.statusCode ?? 0,
						contentType: response.headers['content-type'] ?? '',
						body: text === '' ? undefined : JSON.parse(text),
					});
				});
			},
		);
		request.on('timeout', () => request.destroy(new Error('no answer')));
		request.on('error', reject);
		request.end(body);
	});
}

it('every operation with a body is in the table', () => {
	expect(writes.map((write) => write.operationId).sort()).toEqual(
		operations
			.filter((operation) => operation.method !== 'GET')
			.map((operation) => operation.operationId)
			.sort(),
	);
});

/** Sends the same thing to every operation that takes a body; all of them must refuse it. */
async function expectAllRefuse(
	statuses: number[],
	bodyFor: (write: Write) => string | Buffer,
	headers: Record<string, string> = {},
): Promise<void> {
	for (const write of writes) {
		const answer = await raw(write.method, write.path, bodyFor(write), headers);
		expectRefused(write.operationId, answer, ...statuses);
	}
}

const text = ({ valid }: Write): string => JSON.stringify(valid);

describe('every operation with a body, given', () => {
	it.each([
		'text/plain',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'application/xml',
		'application/jsonx',
		'json',
		'',
	])('the content type "%s" → 415', async (type) => {
		await expectAllRefuse([415], text, { 'Content-Type': type });
	});

	it('a compressed body → 400 or 415', async () => {
		await expectAllRefuse([400, 415], (write) => gzipSync(text(write)), {
			'Content-Encoding': 'gzip',
		});
	});

	it.each<[string, (json: string) => string]>([
		['nothing at all', () => ''],
		['a space', () => ' '],
		['a word', () => 'hello'],
		['half an object', (json) => json.slice(0, -1)],
		['an object and something more', (json) => `${json}}`],
		['single quotes', (json) => json.replaceAll('"', "'")],
		['a comma too many', (json) => json.replace('}', ',}')],
		['a comment', (json) => `/* hi */${json}`],
		['NaN', () => '{"campaign_id": NaN}'],
		['a form', () => 'campaign_id=1'],
		['HTML', () => '<html></html>'],
		['a zero byte', () => '\0'],
	])('%s instead of JSON → 400', async (_what, broken) => {
		await expectAllRefuse([400], (write) => broken(text(write)));
	});

	it.each([
		['a lone continuation byte', [0x80]],
		['half a character', [0xe2, 0x82]],
		['an overlong slash', [0xc0, 0xaf]],
		['a surrogate', [0xed, 0xa0, 0x80]],
		['a byte that UTF-8 does not have', [0xff]],
	])('invalid UTF-8 (%s) in a text → 400', async (_what, bytes) => {
		await expectAllRefuse([400], ({ valid }) => {
			const [head, tail] = JSON.stringify({ ...valid, note: '|' }).split('|');
			return Buffer.concat([Buffer.from(head ?? ''), Buffer.from(bytes), Buffer.from(tail ?? '')]);
		});
	});

	it.each(['[]', '[{}]', '"text"', '7', 'true', 'null'])(
		'%s instead of an object → 422',
		async (value) => {
			await expectAllRefuse([422], () => value);
		},
	);

	it('a body of 10 MB → 413', async () => {
		const note = 'x'.repeat(10 * 1024 * 1024);
		await expectAllRefuse([413], ({ valid }) => JSON.stringify({ ...valid, note }));
	});

	it.each([
		['objects', '{"a":', '1', '}'],
		['arrays', '[', '', ']'],
	])('10,000 nested %s → 400', async (_what, open, inside, close) => {
		const deep = `${open.repeat(10_000)}${inside}${close.repeat(10_000)}`;
		await expectAllRefuse([400], () => deep);
		for (const field of ['variables', 'note', 'schema']) {
			await expectAllRefuse([400], ({ valid }) =>
				JSON.stringify({ ...valid, [field]: '|' }).replace('"|"', () => deep),
			);
		}
	});

	it.each(writes)(
		'the wrong type for each field ($operationId) → 422 that names it',
		async ({ operationId, method, path, valid }) => {
			const cases = wrongTypes(operationId);
			expect(cases.length).toBeGreaterThan(5);
			for (const { field, body } of cases) {
				const answer = await service.alice.request(method, path, { json: { ...valid, ...body } });
				// contract: Errors – an unreadable phone number in a lead update is told in the message alone.
				const inMessageAlone = operationId === 'updateLead' && field === 'phone_number';
				expect({ body, status: answer.status, answer: answer.body }).toEqual({
					body,
					status: 422,
					answer: inMessageAlone
						? { message: 'Invalid phone number' }
						: {
								message: expect.any(String),
								errors: expect.objectContaining({
									[field]: expect.arrayContaining([expect.any(String)]),
								}),
							},
				});
			}
		},
	);
});

describe('paths', () => {
	const ids = [
		'abc',
		'0',
		'-1',
		'+1',
		'1.0',
		'1.5',
		'1e3',
		'1e0',
		'0x1',
		'01',
		'%201',
		'1%20',
		'1,2',
		'1;2',
		'1%00',
		'null',
		'undefined',
		'NaN',
		'Infinity',
		'true',
		'[1]',
		'%E2%82%81',
		'99999999999999999999',
		'9007199254740993',
		'1%0A',
		"1'--",
		'1%27%20OR%201=1',
		'$1',
		'%2e%2e',
	];
	it.each([
		['/user/assistant/', 'Assistant not found'],
		['/user/leads/', 'Lead not found'],
		['/user/tools/', 'Tool not found'],
	])('%s and an id that is none → 404 %s', async (path, message) => {
		for (const id of ids) {
			const answer = await raw('PUT', path + id, '{}');
			expectRefused(id, answer, 404);
			expect({ id, body: answer.body }).toEqual({ id, body: { message } });
		}
	});

	it('that only look like one of the service’s → an error in the service’s shape', async () => {
		for (const path of [
			'/user/assistant/../leads/1',
			'/user/assistant/1/../../leads/1',
			'/user/assistant/..',
			'/user/assistant/../',
			'/user/assistant/./1',
			'/user/assistant/1/',
			'/user/assistant/1/2',
			'/user/assistant/1%2f2',
			'/user/assistant/%2e%2e%2fleads%2f1',
			'/user/assistant/',
			'/user/assistant//1',
			'/user/assistant/%',
			'/user/assistant/%zz',
			'/user/assistant/%c0%af',
			'/user//assistant/1',
			'/../api/user/assistant/1',
			`/user/assistant/${'1'.repeat(5000)}`,
			'/user/Assistant/1',
			'/USER/assistant/1',
		]) {
			expectRefused(
				path,
				await raw('PUT', path, '{"assistant_name":"Reached"}'),
				400,
				404,
				405,
				414,
			);
		}
	});

	it('that there are none of → 404', async () => {
		for (const path of [
			'/',
			'',
			'/user',
			'/user/calls/1',
			'/user/assistants',
			'/user/leads',
			'/nothing',
			'/__sandbox/health',
		]) {
			expectRefused(path, await raw('GET', path), 404);
		}
		expectRefused(
			'enable webhook',
			await raw('POST', '/user/assistants/enable-webhook', '{}'),
			404,
		);
	});

	it('with a method that they do not have → 405', async () => {
		for (const [method, path] of [
			['GET', '/user/lead'],
			['DELETE', '/user/leads/1'],
			['PATCH', '/user/leads/1'],
			['GET', '/user/leads/1'],
			['POST', '/user/leads/1'],
			['GET', '/user/assistant'],
			['GET', '/user/assistant/1'],
			['DELETE', '/user/assistant/1'],
			['GET', '/user/tools'],
			['POST', '/user/calls'],
			['PUT', '/user/calls'],
			['GET', '/user/sms'],
			['POST', '/user/assistants/get'],
			['GET', '/user/campaigns/update-status'],
		] as const) {
			expectRefused(
				`${method} ${path}`,
				await raw(method, path, method === 'GET' ? '' : '{}'),
				405,
			);
		}
	});

	it('without a token are no secret, and no crash', async () => {
		expectRefused('/nothing', await raw('GET', '/nothing', '', { Authorization: '' }), 401, 404);
	});
});

describe('odd values that are valid JSON', () => {
	const hostile = [
		'{"__proto__":{"admin":true}}',
		'{"constructor":{"prototype":{"admin":true}}}',
		'{"assistant_name":{"toString":"x"}}',
		'{"assistant_name":"a","assistant_name":7}',
		'{"voice_id":1e400}',
		'{"voice_id":-1e400}',
		'{"voice_id":9007199254740993}',
		'{"tool_ids":[1e400]}',
		'{"phone_number_id":1e21}',
		'{"speech_speed":1e-400}',
	];
	it.each(hostile)('%s is refused or ignored, and nobody becomes an admin', async (text) => {
		const answer = await raw('PUT', '/user/assistant/1', text);
		expect(answer.status).toBeLessThan(500);
		expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
		await service.reset();
	});
});

describe('anything at all', () => {
	it('every body is answered in the service’s shape, and what is refused changes nothing', async () => {
		const anyField = fc.dictionary(
			fc.constantFrom(
				...writes.flatMap(({ valid }) => Object.keys(valid)),
				'variables',
				'schema',
				'headers',
				'tool_ids',
				'webhook_url',
				'secondary_contacts',
				'post_call_schema',
				'end_call_tool',
				'speech_speed',
				'x',
			),
			fc.jsonValue({ maxDepth: 4 }),
		);
		const body = fc.oneof(fc.jsonValue({ maxDepth: 5 }), anyField);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...writes),
				body,
				fc.boolean(),
				async ({ method, path, valid }, value, onTop) => {
					const unchanged = await state();
					const merged =
						onTop && typeof value === 'object' && value !== null && !Array.isArray(value)
							? { ...valid, ...value }
							: value;
					const answer = await service.alice.request(method, path, { json: merged });
					expect(answer.status).toBeLessThan(500);
					if (answer.status >= 400) {
						expect(errorBreaches(answer.body)).toEqual([]);
						expect(await state()).toEqual(unchanged);
					}
				},
			),
			{ numRuns: 300 },
		);
		await service.reset();
	});

	it('every query is answered in the service’s shape', async () => {
		const name = fc.constantFrom(
			'status',
			'type',
			'phone_number',
			'assistant_id',
			'campaign_id',
			'date_from',
			'date_to',
			'per_page',
			'page',
			'x[]',
			'status[]',
		);
		const value = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.constantFrom('1', '0', '-1', '1e3', 'completed', '2026-01-01', '', 'null'),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom('/user/calls', '/user/assistants/get'),
				fc.dictionary(name, value),
				async (path, query) => {
					const answer = await service.alice.get(path, query);
					expect([200, 422]).toContain(answer.status);
				},
			),
			{ numRuns: 200 },
		);
	});

	it.each([
		'%',
		'%zz',
		'%c0%af',
		'page=%ff',
		'page=1&page=2',
		'=&=&',
		'?page=1',
		'page[]=1',
		'__proto__=1',
		'page=1%00',
	])('GET /user/calls?%s is answered', async (query) => {
		const answer = await raw('GET', `/user/calls?${query}`);
		expect([200, 400, 422]).toContain(answer.status);
		if (answer.status !== 200) expect(errorBreaches(answer.body)).toEqual([]);
	});

	it('bytes of any kind as a body are answered in the service’s shape', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...writes),
				fc.uint8Array({ maxLength: 200 }),
				async ({ method, path }, bytes) => {
					expectRefused(`${method} ${path}`, await raw(method, path, Buffer.from(bytes)), 400, 422);
				},
			),
			{ numRuns: 100 },
		);
	});
});
