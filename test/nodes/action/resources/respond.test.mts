import { describe, expect, it } from '@jest/globals';
import type { IExecuteResponsePromiseData, INodeParameters } from 'n8n-workflow';
import { MID_CALL_TOOL_TRIGGER, TRIGGER } from '../../../../host/n8n/names.mts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { ACTION_AS_TOOL } from '../../../support/n8n/n8n.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent } = await startTestEnvironment();

const respond = (answer: unknown): INodeParameters =>
	({ resource: 'call', operation: 'respond', answer }) as INodeParameters;

/** Runs the operation, and returns what n8n is told to send. */
async function run(answer: unknown, more: object = {}) {
	const responses: IExecuteResponsePromiseData[] = [];
	const outcome = await n8n.runNode({
		parameters: respond(answer),
		startType: MID_CALL_TOOL_TRIGGER,
		onResponse: (response) => responses.push(response),
		...more,
	});
	return { ...outcome, responses };
}

const response = (body: unknown) => ({
	body,
	headers: { 'x-call-answer': 'true' },
	statusCode: 200,
});

describe('Call → Respond', () => {
	it.each<[string, unknown, unknown]>([
		['a text', 'On Monday', { answer: 'On Monday' }],
		['an expression', '={{ "On " + $json.day }}', { answer: 'On Monday' }],
		['a number', '={{ 7 }}', { answer: '7' }],
		['false', '={{ false }}', { answer: 'false' }],
		['a date', '={{ new Date(0) }}', { answer: '1970-01-01T00:00:00.000Z' }],
		['data with a date', '={{ { day: new Date(0) } }}', { day: '1970-01-01T00:00:00.000Z' }],
		['data', '={{ $json }}', { day: 'Monday' }],
		['a list', '={{ [$json.day] }}', ['Monday']],
		['JSON as text', '{ "day": "Monday" }', { day: 'Monday' }],
		['a text that only looks like JSON', '{Monday}', { answer: '{Monday}' }],
	])('answers with %s', async (_, answer, body) => {
		const { responses, error } = await run(answer, { items: [{ day: 'Monday' }] });
		expect(error).toBeUndefined();
		expect(responses).toEqual([response(body)]);
	});

	it('answers once, for the first of several items, and gives all of them on', async () => {
		const items = [{ day: 'Monday' }, { day: 'Friday' }];
		const { responses, output } = await run('={{ $json.day }}', { items });
		expect(responses).toEqual([response({ answer: 'Monday' })]);
		expect(output[0]).toEqual([
			{ json: { day: 'Monday' }, pairedItem: { item: 0 } },
			{ json: { day: 'Friday' }, pairedItem: { item: 1 } },
		]);
	});

	describe('to an inbound call', () => {
		const asked = { startType: TRIGGER, startParameters: { triggerOn: 'inboundCallStarting' } };
		const customer = { name: 'Jane', orders: 3, is_known: true, note: '', city: null };
		const give = (fields: object, more: object = {}) =>
			run('', {
				...asked,
				items: [customer],
				parameters: { resource: 'call', operation: 'respond', respondTo: 'inboundCall', ...fields },
				...more,
			});
		const rows = (variables: Record<string, unknown>) => ({
			variables: {
				variable: Object.entries(variables).map(([name, value]) => ({ name, value })),
			},
		});
		const inJson = (variablesJson: unknown) => ({ variablesMode: 'json', variablesJson });

		it.each<[string, object, object]>([
			[
				'rows',
				rows({ customer_name: '={{ $json.name }}', city: '={{ $json.city }}' }),
				{ customer_name: 'Jane' },
			],
			[
				'JSON',
				inJson('{"name": "Jane", "orders": 3, "city": null}'),
				{ name: 'Jane', orders: '3' },
			],
			['data', inJson('={{ $json }}'), { name: 'Jane', orders: '3', is_known: 'true' }],
			[
				'all fields',
				{ variablesMode: 'sendAllInputFields', variablesToLeaveOut: 'orders' },
				{ name: 'Jane', is_known: 'true' },
			],
			['a date', inJson('={{ { day: new Date(0) } }}'), { day: '1970-01-01T00:00:00.000Z' }],
			['nothing', {}, {}],
		])('gives the variables as a flat object of texts: %s', async (_, fields, body) => {
			const { responses, error } = await give(fields);
			expect(error).toBeUndefined();
			expect(responses).toEqual([response(body)]);
		});

		it.each<[string, object, string]>([
			[
				'a list',
				inJson('{"a": "b", "orders": ["A1"]}'),
				"'Variables' has a list or an object in 'orders'",
			],
			[
				'an object',
				inJson('={{ { address: { city: "Bonn" } } }}'),
				"'Variables' has a list or an object in 'address'",
			],
			[
				'no JSON',
				inJson('{"a": '),
				"'Variables (JSON)' is not valid JSON: put names and texts in double quotes, and a comma between entries",
			],
			['a row without a name', rows({ ' ': 'x' }), "'Variables → 1 → Name' is empty"],
		])('refuses %s by name', async (_, fields, message) => {
			const { responses, error } = await give(fields);
			expect(error?.message).toBe(message);
			expect(responses).toEqual([]);
		});

		it.each<[string, object, object, string]>([
			[
				'Respond To names the other one',
				{},
				{ startType: MID_CALL_TOOL_TRIGGER },
				'The trigger of this workflow waits for an answer to: Mid Call Tool',
			],
			[
				'the trigger waits for no answer',
				{},
				{ startParameters: { triggerOn: 'callCompleted' } },
				'There is no assistant to answer',
			],
			[
				'the fallback has left',
				{},
				{ mode: 'webhook', items: [{ answer_until: '2026-03-02T09:00:08.000Z' }] },
				'The assistant has already got the fallback variables, at 2026-03-02T09:00:08.000Z',
			],
		])('fails where %s', async (_, fields, more, message) => {
			expect((await give(fields, more)).error?.message).toBe(message);
		});
	});

	const EMPTY = "'Answer' is empty";

	it.each<[string, unknown, object, string]>([
		['a blank answer', '  ', {}, EMPTY],
		['an expression without a value', '={{ $json.missing }}', {}, EMPTY],
		['null', '={{ null }}', {}, EMPTY],
		[
			'an answer that nobody waits for',
			'On Monday',
			{ startType: undefined },
			'There is no assistant to answer',
		],
	])('refuses %s', async (_, answer, more, message) => {
		const { responses, error } = await run(answer, more);
		expect(error?.message).toBe(message);
		expect(responses).toEqual([]);
	});

	it.each<[string, object, 0 | 1, string]>([
		['the error output', { settings: { onError: 'continueErrorOutput' } }, 1, EMPTY],
		['an agent', { type: ACTION_AS_TOOL }, 0, 'An AI agent cannot use this operation'],
	])('tells %s why it cannot answer', async (_, more, branch, message) => {
		const { responses, output } = await run(branch === 1 ? '={{ "" }}' : 'On Monday', more);
		expect(responses).toEqual([]);
		expect(output[branch].map(({ json }) => json)).toEqual([
			{ error: expect.objectContaining({ message }) },
		]);
	});

	const LATE = [{ answer_until: '2026-03-02T09:00:08.000Z' }];
	const inTime = () => [{ answer_until: new Date(Date.now() + 60_000).toISOString() }];
	const mode = 'webhook';

	it('fails after the fallback, and sends its answer nevertheless, for a repeated request', async () => {
		const { responses, error } = await run('On Monday', { mode, items: LATE });
		expect(responses).toEqual([response({ answer: 'On Monday' })]);
		expect(error).toMatchObject({
			message: 'The assistant has already said the fallback answer, at 2026-03-02T09:00:08.000Z',
			description: expect.stringContaining("switch on the option 'Continue When Late'"),
		});
	});

	it.each<[string, () => object]>([
		['the assistant waits', () => ({ mode, items: inTime() })],
		['the item of the trigger has no time', () => ({ mode })],
		['a run in the editor has a pinned item', () => ({ items: LATE })],
		[
			'Continue When Late is on',
			() => ({
				mode,
				items: LATE,
				parameters: { ...respond('On Monday'), options: { continueWhenLate: true } },
			}),
		],
	])('goes on where %s', async (_, more) => {
		const { responses, error } = await run('On Monday', more());
		expect(error).toBeUndefined();
		expect(responses).toHaveLength(1);
	});

	it('sends nothing to the service', async () => {
		await run('On Monday');
		expect(await sent()).toEqual([]);
	});
});
