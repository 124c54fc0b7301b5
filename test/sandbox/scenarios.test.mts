import { describe, expect, it } from '@jest/globals';
import { createSandbox } from '../../sandbox/index.mts';
import { A_CALL, callsOf } from '../support/sandbox/calls.mts';
import { asObject, objectsOf, type JsonObject } from '../support/sandbox/contract.mts';
import { ALICE, newAssistant, twoUsers } from '../support/sandbox/seed.mts';
import { startOwnService, startTestService } from '../support/sandbox/testService.mts';

const service = await startTestService();

const newest = async () => asObject((await callsOf(service.alice))[0], 'newest call');
const leadStatus = async () => {
	const { body } = await service.control.request('GET', '/deliveries');
	return asObject(
		asObject(objectsOf(asObject(body, 'body').data).at(-1)?.body, 'webhook').lead,
		'lead',
	).status;
};

/** A seed with these scenarios, and Alice's lead 1 in one of them. */
const withScenarios = (scenarios: JsonObject, lead: JsonObject = {}) => ({
	scenarios,
	users: [
		{
			token: ALICE,
			assistants: [{ ...newAssistant, id: 1 }],
			campaigns: [{ id: 1, name: 'Spring', assistant_id: 1, status: 'in-progress' }],
			leads: [{ id: 1, campaign_id: 1, phone_number: '+4915112345611', ...lead }],
		},
	],
});

const step = (after: string, status: string, fields: JsonObject = {}) => ({
	after,
	status,
	...fields,
});
const PICKED_UP = [step('PT2S', 'ringing'), step('PT4S', 'in-progress')];
const CURIOUS = {
	description: 'The customer calls back, and asks for a long time.',
	steps: [...PICKED_UP, step('PT20S', 'ended_by_customer')],
	transcript: 'long-conversation',
	ended_by: 'customer',
	number_ending: '4321',
};

it('GET /scenarios lists every scenario with what happens in it', async () => {
	const { body } = await service.control.request('GET', '/scenarios');
	const { data } = asObject(body, 'body');
	expect(objectsOf(data)).toEqual(
		objectsOf(data).map(() => ({
			name: expect.stringMatching(/\w/),
			description: expect.stringMatching(/\.$/),
		})),
	);
	expect(objectsOf(data).map(({ name }) => name)).toEqual([
		...['answered', 'ended', 'ended_by_customer', 'ended_by_assistant', 'tool-call'],
		...['no-answer', 'busy', 'failed'],
		...['voicemail', 'hung-up-early', 'long-call', 'transferred'],
	]);
});

describe('a built-in scenario', () => {
	const POST_CALL = [{ name: 'guests', type: 'number', description: 'How many guests' }];
	it.each([
		{
			scenario: 'voicemail',
			call: { status: 'ended_by_assistant', answered_by: 'machine', duration: 15, variables: {} },
			goal_reached: false,
			lines: [/mailbox|after the tone/],
		},
		{
			scenario: 'hung-up-early',
			call: { status: 'ended_by_customer', answered_by: 'human', duration: 6, variables: {} },
			goal_reached: false,
			lines: [/^Assistant: Hello, this is the reception\.$/, /^Customer: /],
		},
		{
			scenario: 'long-call',
			call: {
				status: 'completed',
				answered_by: 'human',
				duration: 540,
				variables: { guests: expect.any(Number) },
			},
			goal_reached: true,
			lines: undefined,
		},
		{
			scenario: 'transferred',
			call: {
				status: 'ended',
				answered_by: 'human',
				duration: 90,
				variables: { guests: expect.any(Number) },
			},
			goal_reached: false,
			lines: undefined,
		},
	])('$scenario ends as $call.status', async ({ scenario, call, goal_reached, lines }) => {
		const fields = { post_call_schema: POST_CALL, post_call_evaluation: true };
		await service.alice.put('/user/assistant/1', fields);
		await service.control.outbound({ assistant_id: 1, to: '+4915112345677', scenario });
		await service.control.advance(A_CALL);
		const record = await newest();
		const evaluation = {
			score: expect.any(Number),
			goal_reached,
			summary: expect.stringMatching(/\w/),
		};
		expect(record).toMatchObject({ ...call, evaluation });
		const said = String(record.transcript).split('\n');
		if (lines) expect(said).toEqual(lines.map((line) => expect.stringMatching(line)));
	});

	it('long-call has more to say than answered, and transferred ends with a transfer', async () => {
		const linesOf = async (scenario: string) => {
			await service.control.outbound({ assistant_id: 1, to: '+4915112345677', scenario });
			await service.control.advance(A_CALL);
			return String((await newest()).transcript).split('\n');
		};
		const answered = await linesOf('answered');
		expect((await linesOf('long-call')).length).toBeGreaterThan(answered.length + 6);
		expect((await linesOf('transferred')).at(-1)).toMatch(/^Assistant: .*transferring/);
	});
});

describe('voicemail (assumptions: voicemail)', () => {
	it('does not reach the lead: it is called again, and the assistant leaves a message if it shall', async () => {
		await using own = await startOwnService({ seed: withScenarios({}, { scenario: 'voicemail' }) });
		await own.alice.put('/user/assistant/1', { end_call_on_voicemail: false });
		await own.control.advance('PT1M');
		const [first] = await callsOf(own.alice);
		expect(String(first?.transcript).split('\n')).toEqual([
			expect.stringMatching(/^Customer: /),
			'Assistant: Hello, this is the reception.',
			expect.stringMatching(/^Assistant: /),
		]);
		await own.control.advance('P1D');
		expect(await callsOf(own.alice)).toHaveLength(3);
	});

	it('is not reported by a webhook for completed calls only', async () => {
		const call = { assistant_id: 1, to: '+4915112345611', lead_id: 1, scenario: 'voicemail' };
		await service.alice.put('/user/assistant/1', {
			is_webhook_active: true,
			webhook_url: 'http://127.0.0.1:9/hook',
			send_webhook_only_on_completed: true,
		});
		await service.control.outbound(call);
		await service.control.advance('PT1M');
		expect(await service.control.deliveries()).toEqual([]);
		await service.alice.put('/user/assistant/1', { send_webhook_only_on_completed: false });
		await service.control.outbound(call);
		await service.control.advance('PT1M');
		expect(await service.control.deliveries()).toHaveLength(1);
		expect(await leadStatus()).toBe('created');
	});
});

describe('a scenario of a seed', () => {
	it('is listed, and chosen by name, by number and by a lead', async () => {
		await using own = await startOwnService({
			seed: withScenarios({ curious: CURIOUS }, { scenario: 'curious' }),
		});
		await own.control.outbound({ assistant_id: 1, to: '+4915112345677', scenario: 'curious' });
		await own.control.outbound({ assistant_id: 1, to: '+491511234321' });
		await own.control.advance('PT1M');
		const calls = await callsOf(own.alice);
		expect(calls).toHaveLength(3);
		for (const call of calls) {
			expect(call).toMatchObject({ status: 'ended_by_customer', duration: 20 });
			expect(String(call.transcript).split('\n').at(-1)).toMatch(/^Customer: /);
		}
		const { body } = await own.control.request('GET', '/scenarios');
		expect(objectsOf(asObject(body, 'body').data).at(-1)).toEqual({
			name: 'curious',
			description: CURIOUS.description,
		});
	});

	it('may call a tool at another time', async () => {
		const steps = [
			...PICKED_UP,
			step('PT1S', 'in-progress', { calls_tool: true }),
			step('PT5S', 'completed'),
		];
		const seed = twoUsers();
		await using own = await startOwnService({ seed: { ...seed, scenarios: { asks: { steps } } } });
		const call = {
			assistant_id: 1,
			to: '+4915112345677',
			scenario: 'asks',
			tool: { arguments: {} },
		};
		await own.control.outbound(call);
		await own.control.advance('PT6S');
		expect(await own.control.toolRequests()).toEqual([]);
		await own.control.advance('PT1S');
		expect(await own.control.toolRequests()).toHaveLength(1);
	});

	it.each<[string, JsonObject, RegExp]>([
		['a name that is built in', { busy: CURIOUS }, /scenarios\.busy: .*built in.*another name/],
		['no steps', { x: { steps: [] } }, /scenarios\.x\.steps/],
		[
			'a wait that is none',
			{ x: { steps: [step('soon', 'ringing')] } },
			/"soon" is not a duration/,
		],
		[
			'no end',
			{ x: { steps: PICKED_UP } },
			/scenarios\.x\.steps\.1\.status: The last step must end the call/,
		],
		[
			'an end before the end',
			{ x: { steps: [step('PT1S', 'busy'), step('PT1S', 'ringing')] } },
			/must be the last step/,
		],
		[
			'a conversation that nobody answered',
			{ x: { steps: [step('PT1S', 'ringing'), step('PT1S', 'completed')] } },
			/must be in-progress before it becomes completed/,
		],
		[
			'an answered call that becomes busy',
			{ x: { steps: [...PICKED_UP, step('PT1S', 'busy')] } },
			/in-progress cannot become busy/,
		],
		[
			'a way back',
			{ x: { steps: [...PICKED_UP, step('PT1S', 'ringing'), step('PT1S', 'failed')] } },
			/ringing cannot follow here/,
		],
		[
			'a tool before the call is answered',
			{ x: { steps: [step('PT1S', 'ringing', { calls_tool: true }), step('PT1S', 'busy')] } },
			/tool can only be called .* in-progress/,
		],
		['another transcript', { x: { ...CURIOUS, transcript: 'opera' } }, /scenarios\.x\.transcript/],
		[
			'another field',
			{ x: { ...CURIOUS, colour: 'red' } },
			/scenarios\.x\.colour: There is no such/,
		],
	])('with %s is refused with its place', async (_what, scenarios, message) => {
		const options = { port: 0, seed: withScenarios(scenarios) };
		await expect(createSandbox(options)).rejects.toThrow(message);
	});

	it('that a lead has must exist', async () => {
		const options = { port: 0, seed: withScenarios({}, { scenario: 'abducted' }) };
		await expect(createSandbox(options)).rejects.toThrow(
			/users\.0\.leads\.0\.scenario: There is no scenario "abducted"\. There are: answered, .*transferred/,
		);
	});
});
