import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { sendRequest } from '../../support/sandbox/client.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	SECRET,
	toolParameters,
	toolsOf,
	toolTrigger,
} from '../../support/trigger/toolTrigger.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

const FALLBACK = { answer: 'I cannot look that up at the moment.' };

/** A tool that an assistant can call. */
interface Tool {
	endpoint: string;
	secret: string;
	call: (request?: {
		method?: string;
		query?: string;
		body?: unknown;
		/** Sent as JSON instead of the body. */
		text?: string;
		headers?: Record<string, string>;
	}) => ReturnType<typeof sendRequest>;
}

/** Publishes a workflow, and reads from the service how its tool is called. */
async function publishedTool(parameters: IDataObject = {}): Promise<Tool> {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	const node = toolTrigger(instance, { parameters: toolParameters([1], parameters) });
	const lifecycle = new Lifecycle(node);
	webhookServer.serve(lifecycle);
	await lifecycle.publish();
	const tool = (await toolsOf(environment)).at(-1);
	const endpoint = String(tool?.endpoint);
	const headers = (tool?.headers ?? []) as Array<{ name: string; value: string }>;
	const secret = headers.find(({ name }) => name === SECRET)?.value ?? '';
	return {
		endpoint,
		secret,
		call: async ({ method = 'POST', query = '', body, text, headers: given } = {}) =>
			await sendRequest(endpoint + query, {
				method,
				headers: { 'content-type': 'application/json', ...(given ?? { [SECRET]: secret }) },
				body: text ?? (body === undefined ? undefined : JSON.stringify(body)),
			}),
	};
}

const items = () =>
	webhookServer.executions.flatMap((execution) => execution.items.map(({ json }) => json));

describe('a call of the tool', () => {
	it('starts the workflow with the values of its parameters, and what was received', async () => {
		const { call } = await publishedTool();
		await call({ body: { day: 'Monday', call_id: 7 }, query: '?lang=de' });
		expect(items()).toEqual([
			{
				tool: 'get_free_slots',
				parameters: { day: 'Monday' },
				body: { day: 'Monday', call_id: 7 },
				query: { lang: 'de' },
			},
		]);
	});

	it('is answered with the fallback when the workflow ends without an answer', async () => {
		const { call } = await publishedTool();
		const response = await call({ body: { day: 'Monday' } });
		expect([response.status, response.body]).toEqual([200, FALLBACK]);
	});

	it('takes the values from the query, as services do for GET', async () => {
		const { call } = await publishedTool({ method: 'GET' });
		await call({ method: 'GET', query: '?day=Monday' });
		expect(items()).toEqual([expect.objectContaining({ parameters: { day: 'Monday' } })]);
	});

	it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
		'is accepted with the method %s of the tool, and no other',
		async (method) => {
			const { call } = await publishedTool({ method });
			const query = '?day=Monday';
			for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
				const { status } = await call({ method: other, query });
				expect([other, status]).toEqual([other, other === method ? 200 : 405]);
			}
			expect(items()).toHaveLength(1);
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
		const { call } = await publishedTool({ parameters: { parameter } });
		const text = `{"as_string": ${LARGE}, "as_number": ${LARGE}, "call_id": ${LARGE}}`;
		await call({ text });
		const parameters = { as_string: LARGE, as_number: LARGE };
		expect(items()).toEqual([
			expect.objectContaining({ parameters, body: { ...parameters, call_id: LARGE } }),
		]);
	});

	it('stays exact, as a text, in the query', async () => {
		const { call } = await publishedTool({ method: 'GET', parameters: { parameter } });
		await call({ method: 'GET', query: `?as_string=${LARGE}&as_number=-${LARGE}` });
		expect(items()).toEqual([
			expect.objectContaining({ parameters: { as_string: LARGE, as_number: `-${LARGE}` } }),
		]);
	});
});

describe('a call without the secret', () => {
	it.each<[string, (tool: Tool) => Record<string, string>]>([
		['none', () => ({})],
		['an empty one', () => ({ [SECRET]: '' })],
		['a wrong one', () => ({ [SECRET]: '0'.repeat(64) })],
		['one that is too long', ({ secret }) => ({ [SECRET]: `${secret}0` })],
		['in another header', ({ secret }) => ({ authorization: `Bearer ${secret}` })],
	])('gets 401 and starts nothing: %s', async (_, headers) => {
		const tool = await publishedTool();
		const response = await tool.call({ body: { day: 'Monday' }, headers: headers(tool) });
		expect(response.status).toBe(401);
		expect(webhookServer.executions).toEqual([]);
	});

	it('gets 401 with the secret in the address', async () => {
		const tool = await publishedTool();
		const query = `?token=${tool.secret}&${SECRET}=${tool.secret}`;
		const response = await tool.call({ body: { day: 'Monday' }, query, headers: {} });
		expect(response.status).toBe(401);
		expect(webhookServer.executions).toEqual([]);
	});
});

describe('a call with wrong values', () => {
	const parameter = [
		{ name: 'day', type: 'string', description: 'The day' },
		{ name: 'guests', type: 'number', description: 'How many guests' },
		{ name: 'outside', type: 'boolean', description: 'Whether to sit outside' },
	];

	it.each<[string, unknown, string]>([
		['nothing', {}, 'I still need day, guests and outside. Please ask for it and try again.'],
		[
			'no body',
			undefined,
			'I still need day, guests and outside. Please ask for it and try again.',
		],
		['a list', [1], 'I still need day, guests and outside. Please ask for it and try again.'],
		['a text', 'Monday', 'I still need day, guests and outside. Please ask for it and try again.'],
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
			'I still need day, guests and outside. Please ask for it and try again.',
		],
	])('gets 422 in words for the assistant, and starts nothing: %s', async (_, body, answer) => {
		const { call } = await publishedTool({ parameters: { parameter } });
		const response = await call({ body });
		expect([response.status, response.body]).toEqual([422, { answer }]);
		expect(webhookServer.executions).toEqual([]);
	});

	it('starts the workflow as soon as they fit, however they are written', async () => {
		const { call } = await publishedTool({ parameters: { parameter } });
		await call({ body: { day: 31, guests: ' 2.5 ', outside: 0, more: { than: 'declared' } } });
		expect(items()).toEqual([
			expect.objectContaining({ parameters: { day: '31', guests: 2.5, outside: false } }),
		]);
	});
});
