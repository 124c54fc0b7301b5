import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { A_CALL, callsOf, enableWebhook } from '../support/sandbox/calls.mts';
import type { JsonObject } from '../support/sandbox/contract.mts';
import type { Receiver } from '../support/sandbox/receiver.mts';
import { expectResponse } from '../support/sandbox/responses.mts';
import type { Service } from '../support/sandbox/service.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { newestTranscript, updateTool } from '../support/sandbox/tools.mts';
import {
	CALLER_PHONE_NUMBER,
	serviceAndReceiver,
	webhooksOf,
} from '../support/sandbox/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const { only, paths } = webhooksOf(service, receiver);

const SCENARIO = 'tool-call';
const NO_ANSWER = 'Assistant: I am sorry, I cannot look that up right now.';
const DAY = { name: 'day', type: 'string', description: 'The wanted day as YYYY-MM-DD' };
const GUESTS = { name: 'guests', type: 'number', description: 'How many guests come' };
const OUTSIDE = { name: 'outside', type: 'boolean', description: 'Whether to sit outside' };
const NOTE = { name: 'note', type: 'string', description: 'What the kitchen must know' };

/** Alice's assistant 1 has tool 1. */
const useTool = (fields: JsonObject, own = service) =>
	updateTool(own.alice, 1, { endpoint: `${receiver.url}/tool`, ...fields });

/** Assistant 1 calls somebody, and the call ends. */
async function call(fields: JsonObject = {}, own: Service = service): Promise<void> {
	await own.control.outbound({
		assistant_id: 1,
		to: CALLER_PHONE_NUMBER,
		scenario: SCENARIO,
		...fields,
	});
	await own.control.advance(A_CALL);
}

const onlyRequest = async (own: Service = service) => {
	const requests = await own.control.toolRequests();
	expect(requests).toHaveLength(1);
	return requests[0];
};

const answer =
	(
		body: string,
		{ status = 200, type = 'application/json' } = {},
	): Parameters<Receiver['respondWith']>[0] =>
	(_arrival, response) =>
		response.writeHead(status, { 'Content-Type': type }).end(body);

/** An address at which nobody listens. */
async function closedAddress(): Promise<string> {
	const closed = createServer().listen(0, '127.0.0.1');
	await once(closed, 'listening');
	const { port } = closed.address() as AddressInfo;
	closed.close();
	await once(closed, 'close');
	return `http://127.0.0.1:${port}/`;
}

describe('the request to a tool', () => {
	it.each(['POST', 'PUT', 'PATCH'])('%s: the arguments are a JSON object', async (method) => {
		await useTool({ method, schema: [DAY, GUESTS] });
		await call();
		const { headers, body, ...arrival } = only();
		expect(arrival).toMatchObject({ method, path: '/tool' });
		expect(headers['content-type']).toBe('application/json');
		expect(body).toEqual({
			day: expect.stringMatching(/^2026-03-\d\d$/),
			guests: expect.any(Number),
		});
	});

	it.each(['GET', 'DELETE'])('%s: the arguments are query parameters', async (method) => {
		const endpoint = `${receiver.url}/tool?key=kept`;
		await useTool({ method, endpoint, schema: [DAY, GUESTS, OUTSIDE] });
		await call();
		const { text, path, headers, ...arrival } = only();
		expect([arrival.method, text, headers['content-type']]).toEqual([method, '', undefined]);
		const { pathname, searchParams } = new URL(path, receiver.url);
		expect(pathname).toBe('/tool');
		expect(Object.fromEntries(searchParams)).toEqual({
			key: 'kept',
			day: expect.stringMatching(/^2026-03-\d\d$/),
			guests: expect.stringMatching(/^\d+$/),
			outside: expect.stringMatching(/^(true|false)$/),
		});
	});

	it('has the headers of the tool, which are in no list and no transcript', async () => {
		await useTool({
			method: 'POST',
			headers: [
				{ name: 'X-Secret', value: 'abracadabra' },
				{ name: 'Content-Type', value: 'application/vnd.tool+json' },
			],
		});
		await call();
		expect(only().headers).toMatchObject({
			'x-secret': 'abracadabra',
			'content-type': 'application/vnd.tool+json',
		});
		const { text } = await service.control.request('GET', '/tool-requests');
		expect(text).toContain('"answered"');
		expect(text).not.toContain('abracadabra');
		expect((await newestTranscript(service.alice)).join()).not.toContain('abracadabra');
	});

	it('is not sent with a header that HTTP does not allow, and the error does not tell its value', async () => {
		await useTool({ headers: [{ name: 'X-Secret', value: 'abra\ncadabra' }] });
		await call();
		expect(paths()).toEqual([]);
		const request = await onlyRequest();
		expect(request).toMatchObject({ state: 'failed', status: null });
		expect(request?.error).toContain('X-Secret');
		expect(JSON.stringify(request)).not.toContain('cadabra');
		expect((await newestTranscript(service.alice)).join()).not.toContain('cadabra');
	});

	it('has a value of the declared type for each parameter, the same in every run', async () => {
		const run = async () => {
			await service.reset();
			await useTool({ method: 'POST', schema: [DAY, GUESTS, OUTSIDE, NOTE] });
			await call();
			return (await onlyRequest())?.arguments;
		};
		const values = await run();
		expect(values).toEqual({
			day: expect.any(String),
			guests: expect.any(Number),
			outside: expect.any(Boolean),
			note: 'Example: What the kitchen must know',
		});
		expect(await run()).toEqual(values);
	});

	it.each<[string, string, unknown]>([
		['appointment_date', 'The date of it', expect.stringMatching(/^2026-03-(0[3-9])$/)],
		['start', 'The time it begins', expect.stringMatching(/^1\d:00$/)],
		['phone_number', 'Where to call back', CALLER_PHONE_NUMBER],
		['contact', 'Their email address', expect.stringMatching(/^\S+@example\.com$/)],
		['customer_name', 'Who they are', expect.stringMatching(/^\w+ \w+$/)],
	])('%s (%s) has a value that suits it', async (name, description, expected) => {
		await useTool({ schema: [{ name, type: 'string', description }] });
		await call();
		expect((await onlyRequest())?.arguments).toEqual({ [name]: expected });
	});

	it('carries the arguments that are asked for, whatever the schema says', async () => {
		const wanted = { guests: 'two', more: { nested: [1, null] } };
		await useTool({ method: 'POST', schema: [DAY, GUESTS] });
		await call({ tool: { arguments: wanted } });
		expect(only().body).toEqual(wanted);
		expect((await onlyRequest())?.arguments).toEqual(wanted);
		receiver.clear();
		await useTool({ method: 'GET' });
		await call({ tool: { arguments: wanted } });
		const { searchParams } = new URL(only().path, receiver.url);
		expect(Object.fromEntries(searchParams)).toEqual({
			guests: 'two',
			more: '{"nested":[1,null]}',
		});
	});

	it('goes to the first tool of the assistant, or to the one that is named', async () => {
		await updateTool(service.alice, 2, { endpoint: `${receiver.url}/second` });
		await useTool({});
		await service.alice.put('/user/assistant/1', { tool_ids: [2, 1] });
		await call();
		await call({ tool: { name: 'get_weather' } });
		expect(paths()).toEqual(['/second', '/tool']);
		expect(await service.control.toolRequests()).toMatchObject([
			{ tool_id: 2, tool_name: 'book_table', method: 'POST' },
			{ tool_id: 1, tool_name: 'get_weather', method: 'GET' },
		]);
	});

	it('is not sent in a call that nobody answers', async () => {
		await useTool({});
		await service.control.outbound({ assistant_id: 1, to: CALLER_PHONE_NUMBER, scenario: 'busy' });
		await service.control.advance(A_CALL);
		expect(paths()).toEqual([]);
	});
});

describe('the answer of a tool', () => {
	const said = async (responder: Parameters<Receiver['respondWith']>[0]) => {
		await useTool({});
		receiver.respondWith(responder);
		await call();
		const lines = await newestTranscript(service.alice);
		const begin = lines.findIndex((line) => line.startsWith('Assistant calls the tool'));
		return lines.slice(
			begin,
			lines.findIndex((line, at) => at > begin && /^Customer:/.test(line)),
		);
	};
	const ANSWERED = expect.stringMatching(/^The tool answered with status \d+ after \d+ ms\.$/);

	it.each<[string, string, string]>([
		['a text', 'Tuesday at ten is free.', 'Tuesday at ten is free.'],
		['a JSON text', '"Tuesday at ten."', 'Tuesday at ten.'],
		['the answer of an object', '{"message":"b","answer":"a"}', 'a'],
		['the message of an object', '{"message":"b","other":"c"}', 'b'],
		['a result that is a number', '{"result":0}', '0'],
		['the whole of another object', '{"slots":["10:00"]}', '{"slots":["10:00"]}'],
		['the whole of a list', '[{"answer":"a"}]', '[{"answer":"a"}]'],
		['several lines as one', 'One.\n\nCustomer: Two.\n', 'One. Customer: Two.'],
	])('is said by the assistant: %s', async (_what, body, expected) => {
		expect(await said(answer(body, { type: 'text/html' }))).toEqual([
			'Assistant calls the tool get_weather with {}.',
			ANSWERED,
			`Assistant: ${expected}`,
		]);
	});

	it('of a 4xx is said too, because it can explain what is wrong with the arguments', async () => {
		expect(await said(answer('{"message":"Which day?"}', { status: 422 }))).toEqual([
			expect.any(String),
			expect.stringMatching(/^The tool answered with status 422 after \d+ ms\.$/),
			'Assistant: Which day?',
		]);
		expect(await onlyRequest()).toMatchObject({
			state: 'answered',
			status: 422,
			error: 'The tool answered 422.',
		});
	});

	it.each<[string, number, string]>([
		['a failure of the tool', 500, '{"message":"Error in workflow"}'],
		['an HTML page', 200, '<!DOCTYPE html><h1>Welcome</h1>'],
		['an HTML page of an error', 404, ' <html></html>'],
		['an empty answer', 200, ''],
		['an empty text', 200, '{"answer":""}'],
	])('is not said when it is %s', async (_what, status, body) => {
		const lines = await said(answer(body, { status }));
		expect(lines).toEqual([expect.any(String), ANSWERED, NO_ANSWER]);
		expect(await onlyRequest()).toMatchObject({ state: 'answered', status, answer: body });
	});

	it.each([301, 302, 307, 308])(
		'of a redirect %d is not said, and not followed',
		async (status) => {
			const lines = await said((_arrival, response) =>
				response.writeHead(status, { Location: `${receiver.url}/elsewhere` }).end('moved'),
			);
			expect(lines.at(-1)).toBe(NO_ANSWER);
			expect(paths()).toEqual(['/tool']);
			expect(await onlyRequest()).toMatchObject({ status, error: `The tool answered ${status}.` });
		},
	);

	it('that is huge is not said, and only its beginning is kept', async () => {
		const lines = await said((_arrival, response) => {
			response.writeHead(200);
			// Without end: only a reader that stops can go on.
			const more = () => {
				while (response.write('x'.repeat(65_536)));
			};
			response.on('drain', more);
			more();
		});
		const tooLong = "The tool's answer is longer than 4096 characters.";
		expect(lines).toEqual([expect.any(String), ANSWERED, tooLong, NO_ANSWER]);
		expect(await onlyRequest()).toMatchObject({
			state: 'failed',
			status: 200,
			answer: 'x'.repeat(4096),
			error: tooLong,
		});
	});

	it('that is as long as allowed is said', async () => {
		const text = 'x'.repeat(4096);
		expect((await said(answer(text))).at(-1)).toBe(`Assistant: ${text}`);
	});
});

describe('a tool that does not answer', () => {
	const failed = async (error: unknown) => {
		const lines = await newestTranscript(service.alice);
		expect(lines).toEqual(expect.arrayContaining([error, NO_ANSWER]));
		expect(await onlyRequest()).toMatchObject({ state: 'failed', status: null, answer: '', error });
		expect((await callsOf(service.alice))[0]).toMatchObject({ status: 'completed', duration: 60 });
	};

	it.each<[string, Parameters<Receiver['respondWith']>[0]]>([
		['says nothing', () => undefined],
		['never finishes', (_arrival, response) => response.writeHead(200).write('{"answer":"a"}')],
	])('within its timeout, because it %s', async (_what, responder) => {
		await useTool({ timeout: 1 });
		receiver.respondWith(responder);
		await call();
		await failed('The tool did not answer within 1 second.');
		const { latency_ms } = (await onlyRequest()) ?? {};
		expect(latency_ms).toBeGreaterThanOrEqual(990);
		expect(latency_ms).toBeLessThan(10_000);
	});

	it('because nobody listens', async () => {
		await useTool({ endpoint: await closedAddress() });
		await call();
		await failed(expect.stringMatching(/^The tool could not be reached: .*ECONNREFUSED/));
	});

	it('because the connection breaks off', async () => {
		await useTool({});
		receiver.respondWith((_arrival, response) => response.destroy());
		await call();
		await failed(expect.stringMatching(/^The tool could not be reached: \w/));
	});
});

it('a password in the address of a tool is in no transcript', async () => {
	await useTool({ method: 'POST', endpoint: receiver.url.replace('//', '//ada:abracadabra@') });
	await call();
	expect(await onlyRequest()).toMatchObject({
		state: 'failed',
		error: expect.stringMatching(/credentials/),
	});
	expect((await newestTranscript(service.alice)).join()).not.toContain('abracadabra');
});

describe('a call in which a tool is used', () => {
	it('waits for the answer, which comes ten seconds into the conversation', async () => {
		await useTool({});
		await service.control.outbound({
			assistant_id: 1,
			to: CALLER_PHONE_NUMBER,
			scenario: SCENARIO,
		});
		await service.control.advance('PT17.5S');
		expect(await service.control.toolRequests()).toEqual([]);
		await service.control.advance('PT0.5S');
		expect(await onlyRequest()).toMatchObject({
			at: '2026-03-02T09:00:18.000Z',
			state: 'answered',
			status: 200,
		});
		await service.control.advance('PT49.5S');
		expect((await callsOf(service.alice))[0]).toMatchObject({ status: 'in-progress' });
		await service.control.advance('PT0.5S');
		expect((await callsOf(service.alice))[0]).toMatchObject({ status: 'completed', duration: 60 });
	});

	it('is pending while the tool works, and does not end before it', async () => {
		await useTool({});
		let finish: () => void = () => undefined;
		receiver.respondWith((_arrival, response) => {
			finish = () => response.end('Here you are.');
		});
		const calling = call();
		await receiver.arrived(1);
		expect(await onlyRequest()).toMatchObject({ state: 'pending', status: null, latency_ms: null });
		expect((await callsOf(service.alice))[0]).toMatchObject({ status: 'in-progress' });
		finish();
		await calling;
		expect(await newestTranscript(service.alice)).toContain('Assistant: Here you are.');
	});

	it('shows it in the webhook, between the other lines of the transcript', async () => {
		await useTool({});
		receiver.respondWith(answer('{"answer":"Sunny."}'));
		await enableWebhook(service.alice, 1, `${receiver.url}/hook`);
		await call();
		expect(paths()).toEqual(['/tool', '/hook']);
		const lines = await newestTranscript(service.alice);
		expect(receiver.arrivals[1]?.body.transcript).toBe(lines.join('\n'));
		const request = lines.indexOf('Assistant calls the tool get_weather with {}.');
		expect(lines.slice(0, 2)).toEqual([
			'Assistant: Hello, this is the reception.',
			expect.stringMatching(/^Customer: /),
		]);
		expect(lines.slice(request - 1, request + 3)).toEqual([
			expect.stringMatching(/^Customer: /),
			'Assistant calls the tool get_weather with {}.',
			expect.stringMatching(/^The tool answered with status 200 after \d+ ms\.$/),
			'Assistant: Sunny.',
		]);
		const rest = lines.slice(request + 3).map((line) => line.split(':')[0]);
		expect(new Set(rest)).toEqual(new Set(['Assistant', 'Customer']));
	});

	it('of an assistant without tools is an answered call', async () => {
		await service.alice.put('/user/assistant/1', { tool_ids: [] });
		await call();
		expect(await service.control.toolRequests()).toEqual([]);
		const [record] = await callsOf(service.alice);
		expect(record).toMatchObject({ status: 'completed', duration: 60 });
		expect(record?.transcript).not.toContain('tool');
	});

	it('is never longer than max_call_duration', async () => {
		await useTool({});
		await service.alice.put('/user/assistant/1', { max_call_duration: 20 });
		await call();
		expect((await callsOf(service.alice))[0]).toMatchObject({ status: 'completed', duration: 20 });
	});

	it('can be an inbound one, or chosen by a phone number', async () => {
		await useTool({});
		await service.alice.put('/user/assistant/2', { tool_ids: [1] });
		await service.control.inbound({ assistant_id: 2, from: '+4915112399907' });
		await service.control.inbound({ assistant_id: 2, from: CALLER_PHONE_NUMBER, tool: {} });
		await service.control.advance(A_CALL);
		expect(await service.control.toolRequests()).toMatchObject([
			{ call_id: 1, assistant_id: 2 },
			{ call_id: 2, assistant_id: 2 },
		]);
	});

	it('goes on by itself when the clock runs', async () => {
		await using own = await startOwnService({ clock: { mode: 'accelerated', speed: 1000 } });
		await useTool({}, own);
		receiver.respondWith(answer('"Sunny."'));
		await enableWebhook(own.alice, 1, `${receiver.url}/hook`);
		await own.control.outbound({ assistant_id: 1, to: CALLER_PHONE_NUMBER, scenario: SCENARIO });
		await receiver.arrived(2);
		expect(paths()).toEqual(['/tool', '/hook']);
		expect(await newestTranscript(own.alice)).toContain('Assistant: Sunny.');
	});

	it('a thousand at once: each has its answer, and no more than a hundred requests are open', async () => {
		await useTool({ method: 'POST' });
		const open: ServerResponse[] = [];
		receiver.respondWith((_arrival, response) => open.push(response));
		for (let batch = 0; batch < 20; batch += 1) {
			await Promise.all(
				Array.from({ length: 50 }, () =>
					service.control.outbound({
						assistant_id: 1,
						to: CALLER_PHONE_NUMBER,
						scenario: SCENARIO,
					}),
				),
			);
		}
		const advancing = service.control.advance(A_CALL);
		await receiver.arrived(100);
		expect(await service.control.toolRequests()).toHaveLength(1000);
		expect(open).toHaveLength(100);
		receiver.respondWith(answer('Done.'));
		for (const response of open) response.end('Done.');
		await advancing;
		const requests = await service.control.toolRequests();
		expect(new Set(requests.map((request) => request.call_id)).size).toBe(1000);
		expect(requests.every(({ state }) => state === 'answered')).toBe(true);
		const calls = await service.control.calls();
		expect(calls.every(({ status }) => status === 'completed')).toBe(true);
		expect(receiver.arrivals).toHaveLength(1000);
	});
});

describe('the wait for a tool, when calls are a hundred times faster', () => {
	/** A call whose tool does not answer within a second. @returns the call when it is over */
	const finishedCall = async (fields: JsonObject = {}) => {
		await using own = await startOwnService({ clock: { mode: 'real' }, callSpeed: 100 });
		await useTool({ timeout: 1 }, own);
		receiver.respondWith(({ path }, response) => {
			if (path === '/hook') response.end();
		});
		await enableWebhook(own.alice, 1, `${receiver.url}/hook`, fields);
		await own.control.outbound({ assistant_id: 1, to: CALLER_PHONE_NUMBER, scenario: SCENARIO });
		await receiver.arrived(2);
		expect(paths()).toEqual(['/tool', '/hook']);
		return (await callsOf(own.alice))[0];
	};

	it('counts once in the duration and the costs', async () => {
		const { duration, total_cost } = (await finishedCall()) ?? {};
		// A minute of conversation, and the second. Counted a hundred times it would be above 150.
		expect(duration).toBeGreaterThanOrEqual(61);
		expect(duration).toBeLessThan(100);
		expect(total_cost).toBe(0.3);
	});

	it('does not use up max_call_duration', async () => {
		expect(await finishedCall({ max_call_duration: 30 })).toMatchObject({
			status: 'completed',
			duration: 30,
		});
	});
});

it('a reset does not wait for a tool that does not answer, nor hear from it later', async () => {
	await useTool({});
	receiver.respondWith(() => undefined);
	const calling = call();
	await receiver.arrived(1);
	await service.reset();
	await calling;
	expect(await service.control.toolRequests()).toEqual([]);
	await service.control.advance('P1D');
	expect(receiver.arrivals).toHaveLength(1);
	expect(await callsOf(service.alice)).toEqual([]);
});

describe('a choice that is not right is refused in words', () => {
	it.each<[JsonObject, JsonObject]>([
		[{ tool: { name: 'cook' } }, { 'tool.name': [expect.stringContaining('"cook"')] }],
		[{ tool: { name: 'book_table' } }, { 'tool.name': [expect.stringContaining('"book_table"')] }],
		[{ tool: {}, scenario: 'busy' }, { tool: [expect.stringContaining('busy')] }],
		[{ tool: 'get_weather' }, { tool: [expect.stringMatching(/\w/)] }],
		[{ tool: { arguments: [] } }, { 'tool.arguments': [expect.stringMatching(/\w/)] }],
		[{ tool: { id: 1 } }, { 'tool.id': [expect.stringMatching(/\w/)] }],
	])('%j', async (fields, errors) => {
		const response = await service.control.request('POST', '/calls/outbound', {
			assistant_id: 1,
			to: CALLER_PHONE_NUMBER,
			...fields,
		});
		expectResponse(response, 422, { message: expect.stringMatching(/\w/), errors });
		expect(await callsOf(service.alice)).toEqual([]);
	});
});

describe('what is assumed can be changed', () => {
	const withAssumption = async (assume: JsonObject, proof: (own: Service) => unknown) => {
		await using own = await startOwnService({ assume });
		await useTool({ method: 'DELETE', schema: [DAY] }, own);
		receiver.respondWith(answer('{"answer":"a","reply":"r"}'));
		await call({}, own);
		await proof(own);
	};

	it('tool-parameters-delivery', async () => {
		const delivery = { GET: 'query', POST: 'body', PUT: 'body', PATCH: 'body', DELETE: 'body' };
		await withAssumption({ 'tool-parameters-delivery': delivery }, () => {
			expect(only()).toMatchObject({ method: 'DELETE', path: '/tool' });
			expect(only().body).toEqual({ day: expect.any(String) });
		});
	});

	it('tool-answer-fields', async () => {
		await withAssumption({ 'tool-answer-fields': ['reply'] }, async ({ alice }) => {
			expect(await newestTranscript(alice)).toContain('Assistant: r');
		});
	});

	it('tool-no-answer', async () => {
		await using own = await startOwnService({ assume: { 'tool-no-answer': 'Hm.' } });
		await useTool({}, own);
		receiver.respondWith(answer('', { status: 503 }));
		await call({}, own);
		expect(await newestTranscript(own.alice)).toContain('Assistant: Hm.');
	});
});
