import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Connection } from './fuzz/connection.mts';
import { WRONG_IDS } from './fuzz/wrongValues.mts';
import { errorBodyViolations, operationAt, operations } from './support/contract.mts';
import { getState, writes, type WriteOperation } from './support/raw.mts';
import { ALICE } from './support/seed.mts';
import { startTestService } from './support/testService.mts';
import { sampled } from '../../test/support/sample.mts';

const service = await startTestService();

// Whatever comes, the data stay as they are, and the service still answers.
let before: unknown;
beforeEach(async () => {
	before = await getState(service);
});
afterEach(async () => {
	expect(await getState(service)).toEqual(before);
	expect((await service.control.request('GET', '/health')).status).toBe(200);
});

/** Sends path and body unchanged. */
async function raw(method: string, path: string, body: string | Buffer = '', headers = {}) {
	using connection = new Connection(service.url);
	const { text, ...response } = await connection.send({
		method,
		path,
		headers: { authorization: `Bearer ${ALICE}`, 'content-type': 'application/json', ...headers },
		body: Buffer.from(body),
	});
	return { ...response, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** The response has one of these statuses, and the service's error shape. */
function expectRefused(
	what: string,
	response: Awaited<ReturnType<typeof raw>>,
	...statuses: number[]
): void {
	const violations = errorBodyViolations(response.body);
	expect({ what, violations, ...response }).toMatchObject({
		violations: [],
		contentType: expect.stringMatching(/^application\/json/),
	});
	expect(statuses).toContain(response.status);
}

const readText = ({ valid }: WriteOperation): string => JSON.stringify(valid);
const deep = (open: string, inside: string, close: string): string =>
	`${open.repeat(10_000)}${inside}${close.repeat(10_000)}`;
/** A body with this JSON as one of its fields. */
const withJson = ({ valid }: WriteOperation, json: string): string =>
	JSON.stringify({ ...valid, note: '|' }).replace('"|"', () => json);

type Row = [
	what: string,
	status: number,
	body: (write: WriteOperation) => string | Buffer,
	headers?: Record<string, string>,
];

// `npm run test:fuzz` sends bodies like these at random, and compares the responses with the contract.
const bodies: Row[] = [
	...['text/plain', 'multipart/form-data; boundary=x', 'application/jsonx', ''].map((type): Row => [
		`the content type "${type}"`,
		415,
		readText,
		{ 'content-type': type },
	]),
	['a list in JSON', 422, () => '[]', { 'content-type': 'Application/JSON;charset=UTF-8' }],
	['a compressed body', 400, (write) => gzipSync(readText(write)), { 'content-encoding': 'gzip' }],
	['nothing at all', 400, () => ''],
	['half an object', 400, (write) => readText(write).slice(0, -1)],
	['an object and something more', 400, (write) => `${readText(write)}}`],
	['half a character', 400, () => Buffer.from([0x22, 0xe2, 0x82, 0x22])],
	['null', 422, () => 'null'],
	['a text', 422, () => '"text"'],
	['10,000 nested objects', 400, () => deep('{"a":', '1', '}')],
	['10,000 nested lists in a field', 400, (write) => withJson(write, deep('[', '', ']'))],
	['a body of 10 MB', 413, (write) => withJson(write, `"${'x'.repeat(10 << 20)}"`)],
];

it.each(bodies)('every operation refuses %s → %d', async (_what, status, body, headers = {}) => {
	for (const write of sampled(writes)) {
		const response = await raw(write.method, write.path, body(write), headers);
		expectRefused(write.operationId, response, status);
	}
});

it('headers that are too long → 431, and the next request has a new connection', async () => {
	const long = { 'x-long': 'x'.repeat(20_000) };
	expectRefused('long headers', await raw('GET', '/user/calls', '', long), 431);
	using connection = new Connection(service.url);
	for (const [more, status] of [
		[long, 431],
		[{ expect: 'nothing' }, 200],
	] as const) {
		const headers = { authorization: `Bearer ${ALICE}`, ...more };
		const request = { method: 'GET', path: '/user/calls', headers, body: undefined };
		expect((await connection.send(request)).status).toBe(status);
	}
});

it.each([
	['/user/assistant/', 'Assistant not found'],
	['/user/leads/', 'Lead not found'],
	['/user/tools/', 'Tool not found'],
])('%s and no id of one of Alice’s records → 404 %s', async (path, message) => {
	for (const id of WRONG_IDS) {
		const response = await raw('PUT', path + id, '{}');
		expect({ id, ...response }).toMatchObject({ id, status: 404, body: { message } });
	}
});

it.each([
	...['/user/assistant/../leads/1', '/user/assistant/..', '/user/assistant/./1'],
	...['/user/assistant/1/', '/user/assistant/1%2f2', '/user/assistant/%2e%2e%2fleads%2f1'],
	...['/user/assistant//1', '/user/assistant/%zz', '/user/assistant/%c0%af', '/USER/assistant/1'],
	`/user/assistant/${'1'.repeat(5000)}`,
])('%s only looks like a path of the service', async (path) => {
	const response = await raw('PUT', path, '{"assistant_name":"Reached"}');
	expectRefused(path, response, 400, 404, 405, 414);
});

it.each(['/', '', '/user', '/user/sms/1', '/user/lead/1', '/__sandbox/health'])(
	'there is no path "%s" → 404',
	async (path) => {
		expectRefused(path, await raw('GET', path), 404);
	},
);

it('a path with a method that it does not have → 405', async () => {
	for (const path of new Set(operations.map((operation) => operation.path))) {
		for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
			const address = path.replace('{id}', '1');
			if (operationAt(method, address)) continue;
			const body = method === 'GET' ? '' : '{}';
			expectRefused(`${method} ${path}`, await raw(method, address, body), 405);
		}
	}
});
