import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
	A_CALL,
	CALLER_PHONE_NUMBER,
	getCalls,
	completeCall,
	enableWebhook,
	newestCall,
	startCall,
} from './support/calls.mts';
import type { JsonObject } from './support/contract.mts';
import { closedAddress, type Receiver } from './support/receiver.mts';
import { expectResponse } from './support/responses.mts';
import { schemaField } from './support/seed.mts';
import type { Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { newestTranscript, updateTool } from './support/toolCalls.mts';
import { serviceAndReceiver, getWebhooks } from './support/webhooks.mts';
import { onlyInFull } from '../../test/support/sample.mts';

const { service, receiver } = await serviceAndReceiver();
const { only, paths } = getWebhooks(service, receiver);

type Responder = Parameters<Receiver['respondWith']>[0];

const NO_ANSWER = 'Assistant: I am sorry, I cannot look that up right now.';
const REQUEST = 'Assistant calls the tool get_weather with {}.';
const answered = (status: number) =>
	expect.stringMatching(`^The tool answered with status ${status} after \\d+ ms\\.$`);

const DAY = schemaField('day', 'string', 'The wanted day as YYYY-MM-DD');
const GUESTS = schemaField('guests', 'number', 'How many guests come');
const OUTSIDE = schemaField('outside', 'boolean', 'Whether to sit outside');
const NOTE = schemaField('note', 'string', 'What the kitchen must know');

/** Alice's assistant 1 has tool 1. */
const useTool = (fields: JsonObject, own = service) =>
	updateTool(own.alice, 1, { endpoint: `${receiver.url}/tool`, ...fields });

const TOOL_CALL = { to: CALLER_PHONE_NUMBER, scenario: 'tool-call' };
/** Assistant 1 calls somebody, and the call ends. */
const call = (fields: JsonObject = {}, own: Service = service) =>
	completeCall(own, { ...TOOL_CALL, ...fields });

const onlyRequest = async (own: Service = service) => {
	const requests = await own.control.toolRequests();
	expect(requests).toHaveLength(1);
	return requests[0];
};

it.each([
	['a call that is about a tool', {}, 'has no tool.'],
	['a call with a chosen tool', { tool: { name: 'get_weather' } }, 'has no tool “get_weather”.'],
])('an assistant without its tool says so in %s, which goes on', async (_what, chosen, words) => {
	await startCall(service, { ...TOOL_CALL, ...chosen });
	await service.alice.put('/user/assistant/1', { tool_ids: [] });
	await service.control.advance(A_CALL);
	const [event] = await service.control.events({ kind: 'tool-missing' });
	expect(event).toMatchObject({ level: 'warning', text: expect.stringContaining(words) });
	expect(await service.control.toolRequests()).toEqual([]);
	expect((await service.control.events({ kind: 'call-ended' })).length).toBe(1);
});

describe('the request to a tool', () => {
	it.each(['POST', 'PUT', 'PATCH'])(
		'%s: the arguments are a JSON object, the same in every run',
		async (method) => {
			const run = async () => {
				await service.reset();
				receiver.clear();
				await useTool({ method, schema: [DAY, GUESTS, OUTSIDE, NOTE] });
				await call();
				const { headers, body, ...arrival } = only();
				expect(arrival).toMatchObject({ method, path: '/tool' });
				expect(headers['content-type']).toBe('application/json');
				return body;
			};
			const values = await run();
			expect(values).toEqual({
				day: expect.stringMatching(/^2026-03-\d\d$/),
				guests: expect.any(Number),
				outside: expect.any(Boolean),
				note: 'Example: What the kitchen must know',
			});
			expect(await run()).toEqual(values);
		},
	);

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

	it.each([
		['a header that HTTP does not allow', { headers: [{ name: 'X-Secret', value: 'a\ncadabra' }] }],
		['a password in the URL', { endpoint: receiver.url.replace('//', '//ada:abracadabra@') }],
	])('is not sent with %s, and the error does not tell it', async (_what, fields) => {
		await useTool({ method: 'POST', ...fields });
		await call();
		expect(paths()).toEqual([]);
		const request = await onlyRequest();
		const error = expect.stringMatching(/X-Secret|credentials/);
		expect(request).toMatchObject({ state: 'failed', status: null, error });
		const transcript = await newestTranscript(service.alice);
		expect(`${request?.error} ${transcript.join()}`).not.toContain('cadabra');
	});

	it('goes to the tool with the fewest parameters, where none is chosen', async () => {
		await service.alice.put('/user/assistant/1', { tool_ids: [1, 2] });
		await useTool({ schema: [DAY, GUESTS] });
		await updateTool(service.alice, 2, { endpoint: `${receiver.url}/tool`, schema: [DAY] });
		await call();
		expect(await onlyRequest()).toMatchObject({ tool_id: 2 });
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
});

describe('the headers of a tool', () => {
	const NAMES = [
		'customer_phone',
		'assistant_phone',
		'assistant_id',
		'assistant_name',
		'current_date',
		'current_time',
		'customer_name',
	];
	const headers = NAMES.map((name) => ({ name: `X-${name}`, value: `{{${name}}}` }));
	/** The headers that arrived, by the names of their placeholders. */
	const arrivedHeaders = () =>
		Object.fromEntries(NAMES.map((name) => [name, only().headers[`x-${name}`]]));
	/** What Node makes of a text that is sent as UTF-8. */
	const asBytes = (text: string) => Buffer.from(text).toString('latin1');

	it('say who calls, and keep a placeholder that the service does not know', async () => {
		await useTool({ headers });
		await service.alice.put('/user/assistant/1', {
			assistant_name: 'Zoë 🌍',
			timezone: 'Asia/Tokyo',
		});
		await call();
		expect(arrivedHeaders()).toEqual({
			customer_phone: CALLER_PHONE_NUMBER,
			assistant_phone: '+4915112345601',
			assistant_id: '1',
			assistant_name: asBytes('Zoë 🌍'),
			current_date: '2026-03-02',
			current_time: '18:00',
			customer_name: '{{customer_name}}',
		});
	});

	it('are empty where the call has nothing to say: a suppressed number, no number of its own', async () => {
		await useTool({ headers });
		await service.alice.put('/user/assistant/2', { tool_ids: [1], phone_number_id: null });
		await service.control.inbound({ assistant_id: 2, tool: {} });
		await service.control.advance(A_CALL);
		expect(arrivedHeaders()).toMatchObject({ customer_phone: '', assistant_phone: '' });
		expect(await newestCall(service.alice)).toMatchObject({ client_phone_number: '' });
	});

	it('cannot be added by a value, nor filled a second time', async () => {
		await useTool({ headers });
		const assistant_name = 'Ada\r\nX-Customer_Phone: +1\0{{assistant_id}}';
		await service.alice.put('/user/assistant/1', { assistant_name });
		await call();
		expect(arrivedHeaders()).toMatchObject({
			customer_phone: CALLER_PHONE_NUMBER,
			assistant_name: 'Ada X-Customer_Phone: +1 {{assistant_id}}',
		});
	});

	it('are filled into the URL too, with the parameters in single braces', async () => {
		const endpoint = `${receiver.url}/{day}/{{assistant_name}}/{unknown}?from={{customer_phone}}`;
		await useTool({ method: 'POST', endpoint, schema: [DAY] });
		await service.alice.put('/user/assistant/1', { assistant_name: 'A/{day}' });
		await call({ tool: { arguments: { day: 'Monday 9/10' } } });
		const { path, body } = only();
		const from = encodeURIComponent(CALLER_PHONE_NUMBER);
		expect(path).toBe(`/Monday%209%2F10/A%2F%7Bday%7D/%7Bunknown%7D?from=${from}`);
		expect(body).toEqual({ day: 'Monday 9/10' });
	});

	it('stay as they are with a service that fills in nothing', async () => {
		await using own = await startOwnService({ assume: { 'tool-placeholders': [] } });
		await useTool({ headers }, own);
		await call({}, own);
		const unfilled = Object.fromEntries(NAMES.map((name) => [name, `{{${name}}}`]));
		expect(arrivedHeaders()).toEqual(unfilled);
	});
});

describe('the answer of a tool', () => {
	/** What the transcript has of the tool. */
	const said = async (responder?: Responder) => {
		await useTool({});
		if (responder) receiver.respondWith(responder);
		await call();
		const lines = await newestTranscript(service.alice);
		const begin = lines.findIndex((line) => line.startsWith('Assistant calls the tool'));
		const end = lines.findIndex((line, at) => at > begin && /^Customer:/.test(line));
		return lines.slice(begin, end);
	};

	it.each<[what: string, status: number, body: string, said: string | undefined]>([
		['a text', 200, 'Tuesday at ten is free.', 'Tuesday at ten is free.'],
		['a JSON text', 200, '"Tuesday at ten."', 'Tuesday at ten.'],
		['the answer of an object', 200, '{"message":"b","answer":"a"}', 'a'],
		['the message of an object', 200, '{"message":"b","other":"c"}', 'b'],
		['a result that is a number', 200, '{"result":0}', '0'],
		['the whole of another object', 200, '{"slots":["10:00"]}', '{"slots":["10:00"]}'],
		['the whole of a list', 200, '[{"answer":"a"}]', '[{"answer":"a"}]'],
		['several lines as one', 200, 'One.\n\nCustomer: Two.\n', 'One. Customer: Two.'],
		['as much as is allowed', 200, 'x'.repeat(4096), 'x'.repeat(4096)],
		['a 4xx, which can explain what is wrong', 422, '{"message":"Which day?"}', 'Which day?'],
		['a failure of the tool', 500, '{"message":"Error in workflow"}', undefined],
		['an HTML page', 200, '<!DOCTYPE html><h1>Welcome</h1>', undefined],
		['an HTML page of an error', 404, ' <html></html>', undefined],
		['an empty answer', 200, '', undefined],
		['an empty text', 200, '{"answer":""}', undefined],
		...[301, 302, 307, 308].map((status): [string, number, string, undefined] => [
			'a redirect, which is not followed',
			status,
			'moved',
			undefined,
		]),
	])('that is %s, status %d: %j is said as %j', async (_what, status, body, expected) => {
		receiver.respond(status, body, { 'Content-Type': 'text/html', Location: '/elsewhere' });
		const line = expected === undefined ? NO_ANSWER : `Assistant: ${expected}`;
		expect(await said()).toEqual([REQUEST, answered(status), line]);
		const error = status === 200 ? null : `The tool answered ${status}.`;
		expect(await onlyRequest()).toMatchObject({ state: 'answered', status, answer: body, error });
		expect(paths()).toEqual(['/tool']);
	});

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
		const error = "The tool's answer is longer than 4096 characters.";
		expect(lines).toEqual([REQUEST, answered(200), error, NO_ANSWER]);
		const answer = 'x'.repeat(4096);
		expect(await onlyRequest()).toMatchObject({ state: 'failed', status: 200, answer, error });
	});

	const LATE = /^The tool did not answer within 1 second\.$/;
	const UNREACHED = /^The tool could not be reached: \w/;
	it.each<[string, Responder | 'nobody listens', RegExp]>([
		['it says nothing', () => undefined, LATE],
		['it never finishes', (_arrival, response) => response.writeHead(200).write('{"a":"b"}'), LATE],
		['the connection breaks off', (_arrival, response) => response.destroy(), UNREACHED],
		['nobody listens', 'nobody listens', /^The tool could not be reached: .*ECONNREFUSED/],
	])('that does not come, because %s', async (_what, responder, words) => {
		if (responder === 'nobody listens') await useTool({ endpoint: await closedAddress() });
		else {
			await useTool({ timeout: 1 });
			receiver.respondWith(responder);
		}
		expect(await call()).toMatchObject({ status: 'completed', duration: 60 });
		const error = expect.stringMatching(words);
		const transcript = await newestTranscript(service.alice);
		expect(transcript).toEqual(expect.arrayContaining([error, NO_ANSWER]));
		const request = await onlyRequest();
		expect(request).toMatchObject({ state: 'failed', status: null, answer: '', error });
		if (words === LATE) expect(request?.latency_ms).toBeGreaterThanOrEqual(990);
		expect(request?.latency_ms).toBeLessThan(10_000);
	});
});

describe('a call in which a tool is used', () => {
	it('waits for the answer, which comes ten seconds into the conversation', async () => {
		await useTool({});
		await startCall(service, TOOL_CALL);
		await service.control.advance('PT17.5S');
		expect(await service.control.toolRequests()).toEqual([]);
		await service.control.advance('PT0.5S');
		const at = '2026-03-02T09:00:18.000Z';
		expect(await onlyRequest()).toMatchObject({ at, state: 'answered', status: 200 });
		await service.control.advance('PT49.5S');
		expect(await newestCall(service.alice)).toMatchObject({ status: 'in-progress' });
		await service.control.advance('PT0.5S');
		expect(await newestCall(service.alice)).toMatchObject({ status: 'completed', duration: 60 });
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
		expect(await newestCall(service.alice)).toMatchObject({ status: 'in-progress' });
		finish();
		await calling;
		expect(await newestTranscript(service.alice)).toContain('Assistant: Here you are.');
	});

	it('shows it in the webhook, between the other lines of the transcript', async () => {
		await useTool({});
		receiver.respond(200, '{"answer":"Sunny."}');
		await enableWebhook(service.alice, 1, `${receiver.url}/hook`);
		await call();
		expect(paths()).toEqual(['/tool', '/hook']);
		const lines = await newestTranscript(service.alice);
		expect(receiver.arrivals[1]?.body.transcript).toBe(lines.join('\n'));
		const request = lines.indexOf(REQUEST);
		const CUSTOMER = expect.stringMatching(/^Customer: /);
		expect(lines.slice(0, 2)).toEqual(['Assistant: Hello, this is the reception.', CUSTOMER]);
		expect(lines.slice(request - 1, request + 3)).toEqual([
			CUSTOMER,
			REQUEST,
			answered(200),
			'Assistant: Sunny.',
		]);
		const rest = lines.slice(request + 3).map((line) => line.split(':')[0]);
		expect(new Set(rest)).toEqual(new Set(['Assistant', 'Customer']));
	});

	it('of an assistant without tools is an answered call', async () => {
		await service.alice.put('/user/assistant/1', { tool_ids: [] });
		const record = await call();
		expect(await service.control.toolRequests()).toEqual([]);
		expect(record).toMatchObject({ status: 'completed', duration: 60 });
		expect(record.transcript).not.toContain('tool');
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

	onlyInFull(it)(
		'a hundred and fifty at once: each has its answer, and no more than a hundred requests are open',
		async () => {
			await useTool({ method: 'POST' });
			const open: ServerResponse[] = [];
			receiver.respondWith((_arrival, response) => open.push(response));
			for (let batch = 0; batch < 3; batch += 1) {
				await Promise.all(Array.from({ length: 50 }, () => startCall(service, TOOL_CALL)));
			}
			const advancing = service.control.advance(A_CALL);
			await receiver.arrived(100);
			expect(await service.control.toolRequests()).toHaveLength(150);
			expect(open).toHaveLength(100);
			receiver.respond(200, 'Done.');
			for (const response of open) response.end('Done.');
			await advancing;
			const requests = await service.control.toolRequests();
			expect(new Set(requests.map((request) => request.call_id)).size).toBe(150);
			expect(requests.every(({ state }) => state === 'answered')).toBe(true);
			const calls = await service.control.calls();
			expect(calls.every(({ status }) => status === 'completed')).toBe(true);
			expect(receiver.arrivals).toHaveLength(150);
		},
	);
});

it.each<[what: string, fields: JsonObject, proof: (call: JsonObject) => void]>([
	[
		'counts once in the duration and the costs',
		{},
		({ duration, total_cost }) => {
			// A minute of conversation, and the second. Counted a hundred times it would be above 150.
			expect(duration).toBeGreaterThanOrEqual(61);
			expect(duration).toBeLessThan(100);
			expect(total_cost).toBe(0.3);
		},
	],
	[
		'does not use up max_call_duration',
		{ max_call_duration: 30 },
		(record) => expect(record).toMatchObject({ status: 'completed', duration: 30 }),
	],
])('the wait for a tool, in calls a hundred times faster, %s', async (_what, fields, proof) => {
	await using own = await startOwnService({ clock: { mode: 'real' }, callSpeed: 100 });
	await useTool({ timeout: 1 }, own);
	receiver.respondWith(({ path }, response) => {
		if (path === '/hook') response.end();
	});
	await enableWebhook(own.alice, 1, `${receiver.url}/hook`, fields);
	await startCall(own, TOOL_CALL);
	await receiver.arrived(2);
	expect(paths()).toEqual(['/tool', '/hook']);
	proof(await newestCall(own.alice));
});

it.each<[JsonObject, JsonObject]>([
	[{ tool: { name: 'cook' } }, { 'tool.name': [expect.stringContaining('"cook"')] }],
	[{ tool: { name: 'book_table' } }, { 'tool.name': [expect.stringContaining('"book_table"')] }],
	[{ tool: {}, scenario: 'busy' }, { tool: [expect.stringContaining('busy')] }],
	[{ tool: 'get_weather' }, { tool: [expect.stringMatching(/\w/)] }],
	[{ tool: { arguments: [] } }, { 'tool.arguments': [expect.stringMatching(/\w/)] }],
	[{ tool: { id: 1 } }, { 'tool.id': [expect.stringMatching(/\w/)] }],
])('the choice %j is refused in words', async (fields, errors) => {
	const choice = { assistant_id: 1, to: CALLER_PHONE_NUMBER, ...fields };
	const response = await service.control.request('POST', '/calls/outbound', choice);
	expectResponse(response, 422, { message: expect.stringMatching(/\w/), errors });
	expect(await getCalls(service.alice)).toEqual([]);
});

const DELIVERY = { GET: 'query', POST: 'body', PUT: 'body', PATCH: 'body', DELETE: 'body' };
it.each<[assume: JsonObject, status: number, said: string]>([
	[{ 'tool-parameters-delivery': DELIVERY }, 200, 'a'],
	[{ 'tool-answer-fields': ['reply'] }, 200, 'r'],
	[{ 'tool-no-answer': 'Hm.' }, 503, 'Hm.'],
])('%j can be assumed', async (assume, status, said) => {
	await using own = await startOwnService({ assume });
	await useTool({ method: 'DELETE', schema: [DAY] }, own);
	receiver.respond(status, '{"answer":"a","reply":"r"}');
	await call({}, own);
	const { path, body } = only();
	if ('tool-parameters-delivery' in assume) {
		expect({ path, body }).toEqual({ path: '/tool', body: { day: expect.any(String) } });
	}
	expect(await newestTranscript(own.alice)).toContain(`Assistant: ${said}`);
});
