import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	toolParameters,
	type ToolParameter,
} from '../../../nodes/VoiceAssistantCallingMidCallToolTrigger/toolParameters.ts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { advanceClock } from '../../support/trigger/letTimePass.mts';
import { forAny } from '../../support/forAny.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	newestTool,
	SECRET,
	triggerParameters,
	toolTrigger,
} from '../../support/trigger/toolTrigger.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

const FALLBACK = { answer: 'I cannot look that up at the moment.' };

/** What an assistant sends, as far as it is not usual. */
interface ToolCall {
	method?: string;
	query?: string;
	body?: unknown;
	/** Sent as JSON instead of the body. */
	text?: string;
	headers?: Record<string, string>;
}

/** Publishes a workflow, and reads from the service how its tool is called. */
async function publishedTool(parameters: IDataObject = {}) {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	const node = toolTrigger(instance, { parameters: triggerParameters([1], parameters) });
	await webhookServer.serve(new EmulatedLifecycle(node)).publish();
	const { endpoint, secret } = await newestTool(environment);
	const call = ({ method = 'POST', query = '', body, text, headers }: ToolCall = {}) =>
		sendRequest(endpoint + query.replace('?', '&'), {
			method,
			headers: { 'content-type': 'application/json', ...(headers ?? { [SECRET]: secret }) },
			body: text ?? (body === undefined ? undefined : JSON.stringify(body)),
		});
	return { node, secret, call };
}

/** The items of a workflow whose tool is called. */
async function getItems(parameters: IDataObject, toolCall: ToolCall) {
	const { call } = await publishedTool(parameters);
	await call(toolCall);
	return webhookServer.items;
}

describe('a call of the tool', () => {
	it('starts the workflow with the values of its parameters, and what was received', async () => {
		const body = { day: 'Monday', call_id: 7 };
		expect(await getItems({}, { body, query: '?lang=de' })).toEqual([
			{
				tool: 'get_free_slots',
				parameters: { day: 'Monday' },
				body,
				query: { lang: 'de' },
				call: {},
				answer_until: expect.any(String),
			},
		]);
	});

	it('has the time at which the assistant gets the fallback', async () => {
		const before = Date.now();
		const [item] = await getItems({ options: { timeout: 10 } }, { body: { day: 'Monday' } });
		const untilMs = Date.parse(item?.answer_until as string);
		expect(untilMs).toBeGreaterThanOrEqual(before + 8_000);
		expect(untilMs).toBeLessThanOrEqual(Date.now() + 8_000);
	});

	it('is answered with the fallback when the workflow ends without an answer', async () => {
		const { call } = await publishedTool();
		const response = await call({ body: { day: 'Monday' } });
		expect([response.status, response.body]).toEqual([200, FALLBACK]);
	});

	it('is answered when the expression of a parameter has another value since the publish', async () => {
		const MINUTE_MS = 60_000;
		const isLater = `$now.toMillis() > ${Date.now() + MINUTE_MS}`;
		const texts = { type: 'string', description: `={{ ${isLater} ? '' : 'The day' }}` };
		const { call } = await publishedTool({
			parameters: { parameter: [{ name: 'day', ...texts }] },
		});
		advanceClock(2 * MINUTE_MS);
		const { status } = await call({ body: { day: 'Monday' } });
		expect(status).toBe(200);
		expect(webhookServer.items).toMatchObject([{ parameters: { day: 'Monday' } }]);
	});

	it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
		'is accepted with the method %s of the tool, and no other',
		async (method) => {
			const { call } = await publishedTool({ options: { method } });
			const query = '?day=Monday';
			for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
				const { status, headers } = await call({ method: other, query });
				const isRight = other === method;
				expect([other, status]).toEqual([other, isRight ? 200 : 405]);
				expect(headers.get('allow')).toBe(isRight ? null : method);
			}
			expect(webhookServer.items).toHaveLength(1);
		},
	);
});

describe('a number that JavaScript would round', () => {
	const LARGE = '9007199254740993';
	const parameter = ['string', 'number'].map((type) => ({
		name: `as_${type}`,
		type,
		description: 'Any value',
	}));

	it('stays exact, as a text, in parameters and body', async () => {
		const text = `{"as_string": ${LARGE}, "as_number": ${LARGE}, "call_id": ${LARGE}}`;
		const parameters = { as_string: LARGE, as_number: LARGE };
		expect(await getItems({ parameters: { parameter } }, { text })).toEqual([
			expect.objectContaining({ parameters, body: { ...parameters, call_id: LARGE } }),
		]);
	});

	it('stays exact, as a text, in the query', async () => {
		const query = `?as_string=${LARGE}&as_number=-${LARGE}`;
		const fields = { options: { method: 'GET' }, parameters: { parameter } };
		expect(await getItems(fields, { method: 'GET', query })).toEqual([
			expect.objectContaining({ parameters: { as_string: LARGE, as_number: `-${LARGE}` } }),
		]);
	});
});

describe('a call without the secret', () => {
	it.each<[string, (secret: string) => ToolCall]>([
		['none', () => ({ headers: {} })],
		['an empty one', () => ({ headers: { [SECRET]: '' } })],
		['a wrong one', () => ({ headers: { [SECRET]: '0'.repeat(64) } })],
		['one that is too long', (secret) => ({ headers: { [SECRET]: `${secret}0` } })],
		['in another header', (secret) => ({ headers: { authorization: `Bearer ${secret}` } })],
		[
			'in the address',
			(secret) => ({ query: `?token=${secret}&${SECRET}=${secret}`, headers: {} }),
		],
	])('gets 401 and starts nothing: %s', async (_, toolCall) => {
		const { secret, call } = await publishedTool();
		const { status } = await call({ body: { day: 'Monday' }, ...toolCall(secret) });
		expect(status).toBe(401);
		expect(webhookServer.executions).toEqual([]);
	});
});

describe('a call with wrong values', () => {
	const parameter = [
		{ name: 'day', type: 'string', description: 'The day' },
		{ name: 'guests', type: 'number', description: 'How many guests' },
		{ name: 'outside', type: 'boolean', description: 'Whether to sit outside' },
	];

	const ALL_MISSING = 'I still need day, guests and outside. Please ask for it and try again.';

	it.each<[string, unknown, string]>([
		['nothing', {}, ALL_MISSING],
		['no body', undefined, ALL_MISSING],
		['a list', [1], ALL_MISSING],
		['a text', 'Monday', ALL_MISSING],
		[
			'wrong types',
			{ day: { name: 'Monday' }, guests: 'two', outside: 'maybe' },
			'The value of day must be a text, guests must be a number and outside must be true or false. Please ask for it and try again.',
		],
		[
			'one missing, one wrong',
			{ day: ' ', guests: [2], outside: 'TRUE' },
			'I still need day. The value of guests must be a number. Please ask for it and try again.',
		],
		[
			'values of the prototype',
			JSON.parse('{"__proto__": {"day": "Monday", "guests": 2, "outside": true}}'),
			ALL_MISSING,
		],
	])('gets 422 in words for the assistant, and starts nothing: %s', async (_, body, answer) => {
		const { call } = await publishedTool({ parameters: { parameter } });
		const response = await call({ body });
		expect([response.status, response.body]).toEqual([422, { answer }]);
		expect(webhookServer.executions).toEqual([]);
	});

	it('is asked for what is missing once a minute where the values cannot be read, and n8n’s log has the names that came', async () => {
		const { node, call } = await publishedTool({ parameters: { parameter } });
		const body = { message: { toolCalls: [{ day: 'Monday' }] }, call_id: 7 };
		const answers = [await call({ body }), await call({ body })].map((each) => each.body);
		expect(answers).toEqual([{ answer: ALL_MISSING }, FALLBACK]);
		expect(node.instance.warnings).toEqual([
			'The tool was called without a usable day, guests, outside, so the workflow did not start. Fields that came: message, call_id. If one of them has the values in a form that cannot be read, ask your provider to send each parameter in a field of its own.',
		]);
		letTimePass();
		expect((await call({ body })).body).toEqual({ answer: ALL_MISSING });
	});

	it.each([
		['a list', [{ day: 'Monday' }, {}]],
		['a text', 'Monday'],
	])('is asked for once a minute where %s came', async (_, body) => {
		const { node, call } = await publishedTool({ parameters: { parameter } });
		const answers = [await call({ body }), await call({ body })].map((each) => each.body);
		expect(answers).toEqual([{ answer: ALL_MISSING }, FALLBACK]);
		expect(node.instance.warnings.join()).toContain('Fields that came: a list or a text.');
	});

	it('that are of another type are named in n8n’s log, too', async () => {
		const { node, call } = await publishedTool({ parameters: { parameter } });
		const answer = await call({ body: { day: 'Monday', guests: 'two', outside: 'maybe' } });
		expect(answer.status).toBe(422);
		expect(node.instance.warnings.join()).toContain('without a usable guests, outside,');
	});

	it.each([
		['nothing', {}],
		['a part', { day: 'Monday' }],
		['another type', { day: 'Monday', guests: 'two', outside: true }],
	])('is asked for the same once a minute: %s', async (_, body) => {
		const { call } = await publishedTool({ parameters: { parameter } });
		const { answer } = (await call({ body })).body as IDataObject;
		expect(answer).toContain('Please ask for it');
		expect((await call({ body })).body).toEqual(FALLBACK);
		expect((await call({ body: { ...body, day: 'Friday' } })).body).not.toEqual(FALLBACK);
		letTimePass();
		expect((await call({ body })).body).toEqual({ answer });
	});

	it.each(['None', 'null', ' N/A ', '-', 'undefined', 'NIL'])(
		'is asked for where a text is a word for nothing, and taken when it is said again: %j',
		async (day) => {
			const { call } = await publishedTool({ parameters: { parameter } });
			const body = { day, guests: 2, outside: true };
			const first = await call({ body });
			const answer = 'I still need day. Please ask for it and try again.';
			expect([first.status, first.body]).toEqual([422, { answer }]);
			expect(webhookServer.executions).toEqual([]);
			await call({ body });
			expect(webhookServer.items).toMatchObject([{ parameters: { day } }]);
		},
	);

	it('is not taken beside a word for nothing', async () => {
		const { call } = await publishedTool({ parameters: { parameter } });
		const body = { day: 'None', outside: true };
		const answers = [await call({ body }), await call({ body })].map((each) => each.body);
		const answer = 'I still need day and guests. Please ask for it and try again.';
		expect(answers).toEqual([{ answer }, FALLBACK]);
		expect(webhookServer.executions).toEqual([]);
	});

	it('is asked for in each call, where the service says which one it is', async () => {
		const { call, secret } = await publishedTool({ parameters: { parameter } });
		const ask = async (phone: string) => {
			const headers = { [SECRET]: secret, 'X-Call-Customer-Phone': phone };
			return (await call({ body: {}, headers })).body;
		};
		const answers = [await ask('+4915100000001'), await ask('+4915100000002')];
		expect(answers).toEqual([{ answer: ALL_MISSING }, { answer: ALL_MISSING }]);
		expect(await ask('+4915100000001')).toEqual(FALLBACK);
	});
});

it.each<[string, (values: object) => ToolCall]>([
	[
		'without a type',
		(values) => ({ text: JSON.stringify(values), headers: { 'content-type': '' } }),
	],
	[
		'of another type',
		(values) => ({ text: JSON.stringify(values), headers: { 'content-type': 'text/json' } }),
	],
])('the parameters of a call can be %s', async (_, write) => {
	const { call, secret } = await publishedTool();
	const { headers, ...request } = write({ day: 'Monday' });
	await call({ ...request, headers: { [SECRET]: secret, ...headers } });
	expect(webhookServer.items).toMatchObject([{ parameters: { day: 'Monday' } }]);
});

const toParameter = (name: string, type: ToolParameter['type']): ToolParameter => ({
	name,
	type,
	description: 'Any',
});

const convert = (type: ToolParameter['type'], value: unknown): unknown => {
	const given = toolParameters([toParameter('given', type)], [{ given: value }]);
	return 'values' in given ? given.values.given : undefined;
};

describe('the value of a parameter', () => {
	it.each<[ToolParameter['type'], unknown, unknown]>([
		['string', 'Monday', 'Monday'],
		['string', ' Monday ', ' Monday '],
		['string', 7, '7'],
		['string', false, 'false'],
		['string', {}, undefined],
		['number', 7, 7],
		['number', '-7.5', -7.5],
		['number', '9007199254740991', 9007199254740991],
		['number', '9007199254740993', '9007199254740993'],
		['number', ' -12345678901234567890 ', '-12345678901234567890'],
		['number', '1e20', 1e20],
		['number', 'seven', undefined],
		['number', '7 days', undefined],
		['number', 'Infinity', undefined],
		['number', true, undefined],
		['boolean', true, true],
		['boolean', 'False', false],
		['boolean', 1, true],
		['boolean', '0', false],
		['boolean', 'yes', undefined],
		['boolean', 2, undefined],
	])('as %s: %p gives %p', (type, value, expected) => {
		expect(convert(type, value)).toEqual(expected);
	});

	it('is taken from the body before the query', () => {
		const parameters = [toParameter('day', 'string'), toParameter('hour', 'number')];
		const given = toolParameters(parameters, [{ day: 'Monday' }, { day: 'Friday', hour: '9' }]);
		expect(given).toMatchObject({ values: { day: 'Monday', hour: 9 } });
	});

	it('is always of its type, or named in a text, or a number too long for JavaScript', () => {
		const types = fc.constantFrom<ToolParameter['type']>('string', 'number', 'boolean');
		const anything = fc.oneof(fc.anything(), fc.bigInt().map(String));
		return forAny(fc.tuple(types, fc.anything(), anything), ([type, body, query]) => {
			const sources = [body, { given: query }];
			const result = toolParameters([toParameter('given', type)], sources);
			if ('problem' in result) {
				expect(result.problem).toContain('given');
				return;
			}
			const { given } = result.values;
			const isLong = type === 'number' && typeof given === 'string';
			if (isLong) expect(given).toMatch(/^-?\d{16,}$/);
			else expect(typeof given).toBe(type);
		});
	});
});
