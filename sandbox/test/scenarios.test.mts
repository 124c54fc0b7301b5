import { describe, expect, it } from '@jest/globals';
import { createSandbox } from '../index.mts';
import {
	assistantRecord,
	getCalls,
	CALLER_PHONE_NUMBER,
	completeCall,
	enableWebhook,
	startCall,
} from './support/calls.mts';
import { asObject, getObjects, type JsonObject } from './support/contract.mts';
import { runningCampaign, twoUsers } from './support/seed.mts';
import type { Service } from './support/service.mts';
import { startOwnService, startTestService } from './support/testService.mts';

const service = await startTestService();

/** A seed with these scenarios, and Alice's lead 1 in one of them. */
const withScenarios = (scenarios: JsonObject, lead: JsonObject = {}) => ({
	scenarios,
	...runningCampaign([{ id: 1, phone_number: '+4915112345611', ...lead }]),
});

const step = (after: string, status: string, fields: JsonObject = {}) => ({
	after,
	status,
	...fields,
});
const PICKED_UP = [step('PT2S', 'ringing'), step('PT4S', 'in-progress')];
const CURIOUS = {
	title: 'The customer calls back',
	description: 'The customer calls back, and asks for a long time.',
	steps: [...PICKED_UP, step('PT20S', 'ended_by_customer')],
	transcript: 'long-conversation',
	ended_by: 'customer',
	number_ending: '4321',
};

/** All scenarios, in plain words. */
const listed = async ({ control }: Service) =>
	getObjects(asObject((await control.request('GET', '/scenarios')).body, 'body').data);

it('GET /scenarios lists every scenario with what happens in it', async () => {
	const names = [
		...['answered', 'ended', 'ended_by_customer', 'ended_by_assistant', 'tool-call'],
		...['no-answer', 'busy', 'failed'],
		...['voicemail', 'hung-up-early', 'long-call', 'transferred'],
	];
	const description = expect.stringMatching(/\.$/);
	expect(await listed(service)).toEqual(
		names.map((name) => ({
			name,
			title: expect.stringMatching(`^\\S.* \\(${name}\\)$`),
			description,
			calls_tool: name === 'tool-call',
		})),
	);
});

describe('a built-in scenario', () => {
	const POST_CALL = [{ name: 'guests', type: 'number', description: 'How many guests' }];
	const GUESTS = { guests: expect.any(Number) };
	it.each<[scenario: string, goal_reached: boolean, call: JsonObject, ...lines: RegExp[]]>([
		[
			'voicemail',
			false,
			{ status: 'ended_by_assistant', answered_by: 'machine', duration: 15, variables: {} },
			/mailbox|after the tone/,
		],
		[
			'hung-up-early',
			false,
			{ status: 'ended_by_customer', answered_by: 'human', duration: 6, variables: {} },
			/^Assistant: Hello, this is the reception\.$/,
			/^Customer: /,
		],
		[
			'long-call',
			true,
			{ status: 'completed', answered_by: 'human', duration: 540, variables: GUESTS },
		],
		[
			'transferred',
			false,
			{ status: 'ended', answered_by: 'human', duration: 90, variables: GUESTS },
		],
	])('%s ends as it says', async (scenario, goal_reached, call, ...lines) => {
		const fields = { post_call_schema: POST_CALL, post_call_evaluation: true };
		await service.alice.put('/user/assistant/1', fields);
		const record = await completeCall(service, { to: CALLER_PHONE_NUMBER, scenario });
		const summary = expect.stringMatching(/\w/);
		const evaluation = { score: expect.any(Number), goal_reached, summary };
		expect(record).toMatchObject({ ...call, evaluation });
		if (lines.length === 0) return;
		const said = String(record.transcript).split('\n');
		expect(said).toEqual(lines.map((line) => expect.stringMatching(line)));
	});

	it('the goal is not reached without what the call is for', async () => {
		const appointment = { name: 'appointment_made', type: 'bool', description: '' };
		const fields = { post_call_schema: [appointment], post_call_evaluation: true };
		await service.alice.put('/user/assistant/1', fields);
		for (const appointment_made of [true, false]) {
			const call = await completeCall(service, { values: { appointment_made } });
			expect(call).toMatchObject({ evaluation: { goal_reached: appointment_made } });
		}
	});

	it('status and summary are of the whole call: nobody is asked, and both can be chosen', async () => {
		const { post_call_schema } = await assistantRecord(service.alice, 1);
		expect(post_call_schema).toMatchObject([{ name: 'status' }, { name: 'summary' }]);
		for (const [scenario, status] of [
			['answered', true],
			['hung-up-early', false],
			['voicemail', false],
		] as const) {
			const { transcript, variables, evaluation } = await completeCall(service, { scenario });
			const { summary } = asObject(evaluation, 'the evaluation');
			expect(variables).toEqual({ status, summary });
			expect(String(transcript)).not.toMatch(/goal reached|summary/i);
		}
		const chosen = { status: false, summary: 'No time' };
		expect((await completeCall(service, { values: chosen })).variables).toEqual(chosen);
	});

	it('the goal is not reached, and the score is low, if the person wants no more calls', async () => {
		const optOut = { name: 'wants_no_calls', type: 'bool', description: 'Wants no more calls' };
		const fields = { post_call_schema: [optOut], post_call_evaluation: true };
		await service.alice.put('/user/assistant/1', fields);
		for (const wants_no_calls of [true, false]) {
			const { evaluation } = await completeCall(service, { values: { wants_no_calls } });
			const { score, goal_reached } = asObject(evaluation, 'the evaluation');
			expect([Number(score) <= 3, goal_reached]).toEqual([wants_no_calls, !wants_no_calls]);
		}
	});

	it('long-call has more to say than answered, and transferred ends with a transfer', async () => {
		const getLines = async (scenario: string) =>
			String((await completeCall(service, { scenario })).transcript).split('\n');
		const answered = await getLines('answered');
		expect((await getLines('long-call')).length).toBeGreaterThan(answered.length + 6);
		expect((await getLines('transferred')).at(-1)).toMatch(/^Assistant: .*transferring/);
	});
});

describe('voicemail (assumptions: voicemail)', () => {
	it('reaches the lead, and the assistant leaves a message if it shall', async () => {
		await using own = await startOwnService({ seed: withScenarios({}, { scenario: 'voicemail' }) });
		await own.alice.put('/user/assistant/1', { end_call_on_voicemail: false });
		await own.control.advance('PT1M');
		const [first] = await getCalls(own.alice);
		expect(String(first?.transcript).split('\n')).toEqual([
			expect.stringMatching(/^Customer: /),
			'Assistant: Hello, this is the reception.',
			expect.stringMatching(/^Assistant: /),
		]);
		await own.control.advance('P1D');
		expect(await getCalls(own.alice)).toHaveLength(1);
	});

	it('is reported by a webhook for completed calls only', async () => {
		const options = { send_webhook_only_on_completed: true };
		await enableWebhook(service.alice, 1, 'http://127.0.0.1:9/hook', options);
		await completeCall(service, { lead_id: 1, scenario: 'voicemail' });
		expect(await service.control.deliveries()).toMatchObject([
			{ body: { lead: { status: 'completed' } } },
		]);
	});
});

describe('a scenario of a seed', () => {
	it('is listed, and chosen by name, by number and by a lead', async () => {
		await using own = await startOwnService({
			seed: withScenarios({ curious: CURIOUS }, { scenario: 'curious' }),
		});
		await startCall(own, { to: '+4915112345677', scenario: 'curious' });
		await startCall(own, { to: '+491511234321' });
		await own.control.advance('PT1M');
		const calls = await getCalls(own.alice);
		expect(calls).toHaveLength(3);
		for (const call of calls) {
			expect(call).toMatchObject({ status: 'ended_by_customer', duration: 20 });
			expect(String(call.transcript).split('\n').at(-1)).toMatch(/^Customer: /);
		}
		const { description } = CURIOUS;
		expect((await listed(own)).at(-1)).toEqual({
			name: 'curious',
			title: 'The customer calls back (curious)',
			description,
			calls_tool: false,
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
		expect((await listed(own)).at(-1)).toMatchObject({ title: 'asks' });
		await startCall(own, { scenario: 'asks', tool: { arguments: {} } });
		await own.control.advance('PT6S');
		expect(await own.control.toolRequests()).toEqual([]);
		await own.control.advance('PT1S');
		expect(await own.control.toolRequests()).toHaveLength(1);
	});

	const withSteps = (...steps: JsonObject[]) => ({ x: { steps } });
	const ringing = step('PT1S', 'ringing');
	it.each<[words: RegExp, scenarios: JsonObject, lead?: JsonObject]>([
		[/scenarios\.busy: .*built in.*another name/, { busy: CURIOUS }],
		[/scenarios\.x\.steps/, withSteps()],
		[/"soon" is not a duration/, withSteps(step('soon', 'ringing'))],
		[/x\.steps\.1\.status: The last step must end the call/, withSteps(...PICKED_UP)],
		[/must be the last step/, withSteps(step('PT1S', 'busy'), ringing)],
		[/must be in-progress before it becomes/, withSteps(ringing, step('PT1S', 'completed'))],
		[/in-progress cannot become busy/, withSteps(...PICKED_UP, step('PT1S', 'busy'))],
		[/ringing cannot follow here/, withSteps(...PICKED_UP, ringing, step('PT1S', 'failed'))],
		[
			/tool can only be called .* in-progress/,
			withSteps({ ...ringing, calls_tool: true }, step('PT1S', 'busy')),
		],
		[/scenarios\.x\.transcript/, { x: { ...CURIOUS, transcript: 'opera' } }],
		[/x\.colour: There is no such/, { x: { ...CURIOUS, colour: 'red' } }],
		[/no scenario "abducted"\. There are: answered, .*transferred/, {}, { scenario: 'abducted' }],
	])('is refused: %s', async (words, scenarios, lead = {}) => {
		const options = { port: 0, seed: withScenarios(scenarios, lead) };
		await expect(createSandbox(options)).rejects.toThrow(words);
	});
});
