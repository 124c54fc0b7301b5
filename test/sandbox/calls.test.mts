import { describe, expect, it } from '@jest/globals';
import { A_CALL, callsOf } from '../support/sandbox/calls.mts';
import { asObject, type JsonObject } from '../support/sandbox/contract.mts';
import { startTestService } from '../support/sandbox/testService.mts';

const service = await startTestService();

/** contract/assumptions.yaml, call-timeline: which status may follow which. */
const LEGAL_NEXT: Readonly<Record<string, readonly string[]>> = {
	initiated: ['ringing'],
	ringing: ['in-progress', 'busy', 'no-answer', 'failed'],
	'in-progress': ['completed', 'ended', 'ended_by_customer', 'ended_by_assistant'],
};
const newest = async () => asObject((await callsOf(service.alice))[0], 'newest call');

/** Advances second by second until the call has ended. @returns its record after each change */
async function watch(): Promise<JsonObject[]> {
	const seen = [await newest()];
	for (let second = 0; second < 1800; second += 1) {
		if (!(String(seen.at(-1)?.status) in LEGAL_NEXT)) return seen;
		await service.control.advance('PT1S');
		const call = await newest();
		if (call.status !== seen.at(-1)?.status) seen.push(call);
	}
	throw new Error('the call did not end within half an hour');
}

describe.each(['inbound', 'outbound'])('an %s call on request', (type) => {
	const start = (fields: JsonObject = {}) =>
		type === 'inbound'
			? service.control.inbound({ assistant_id: 2, from: '+49 151 12345677', ...fields })
			: service.control.outbound({ assistant_id: 1, to: '+49 151 12345677', ...fields });

	it('begins as initiated, with nothing to tell yet', async () => {
		const { id } = await start();
		expect(await newest()).toEqual({
			id,
			assistant_name: type === 'inbound' ? 'Receiver' : 'Caller',
			type,
			duration: 0,
			assistant_phone_number: type === 'inbound' ? '+4915112345604' : '+4915112345601',
			client_phone_number: '+4915112345677',
			status: 'initiated',
			transcript: '',
			variables: {},
			evaluation: {},
			webhook_response: {},
			carrier_cost: 0,
			total_cost: 0,
			answered_by: 'unknown',
			created_at: '2026-03-02 09:00:00',
			updated_at: '2026-03-02 09:00:00',
		});
	});

	it.each([
		{
			scenario: undefined,
			ends: ['completed', 'ended', 'ended_by_customer', 'ended_by_assistant'],
		},
		{
			scenario: 'answered',
			ends: ['completed', 'ended', 'ended_by_customer', 'ended_by_assistant'],
		},
		{ scenario: 'no-answer', ends: ['no-answer'] },
		{ scenario: 'busy', ends: ['busy'] },
		{ scenario: 'failed', ends: ['failed'] },
	])(
		'scenario $scenario: every status follows legally, and the last is one of $ends',
		async ({ scenario, ends }) => {
			await start(scenario === undefined ? {} : { scenario });
			const seen = await watch();
			for (const [index, { status }] of seen.entries()) {
				if (index > 0) expect(LEGAL_NEXT[String(seen[index - 1]?.status)]).toContain(status);
			}
			const last = asObject(seen.at(-1), 'last');
			expect(seen[0]?.status).toBe('initiated');
			expect(ends).toContain(last.status);
			await service.control.advance('P1D');
			expect(await newest()).toEqual(last);
		},
	);

	it('an answered call leaves duration, transcript, costs and a recording behind', async () => {
		await start();
		const call = asObject((await watch()).at(-1), 'last');
		expect(call).toMatchObject({
			duration: expect.any(Number),
			transcript: expect.stringContaining('Hello, this is the reception.'),
			answered_by: 'human',
			recording_url: expect.stringMatching(/^https?:\/\//),
		});
		expect(call.duration).toBeGreaterThan(0);
		expect(call.carrier_cost).toBeGreaterThan(0);
		expect(call.total_cost).toBeGreaterThanOrEqual(Number(call.carrier_cost));
		const lasted =
			(Date.parse(String(call.updated_at)) - Date.parse(String(call.created_at))) / 1000;
		expect(call.duration).toBeLessThanOrEqual(lasted);
	});

	it.each(['no-answer', 'busy', 'failed'])(
		'a call that ended as %s has no conversation',
		async (scenario) => {
			await start({ scenario });
			const call = asObject((await watch()).at(-1), 'last');
			expect(call).toMatchObject({ duration: 0, transcript: '', variables: {} });
			expect(call).not.toHaveProperty('recording_url');
		},
	);

	it.each([
		['an unknown assistant', { assistant_id: 999 }],
		['no assistant', { assistant_id: undefined }],
		['an unknown scenario', { scenario: 'abducted' }],
		['no phone number', { from: undefined, to: undefined }],
		['a phone number that is none', { from: 'me', to: 'you' }],
	])('%s: refused in words, and no call begins', async (_what, fields) => {
		const body =
			type === 'inbound'
				? { assistant_id: 2, from: '+4915112345677', ...fields }
				: { assistant_id: 1, to: '+4915112345677', ...fields };
		const response = await service.control.request('POST', `/calls/${type}`, body);
		expect(response.status).toBeGreaterThanOrEqual(400);
		expect(response.status).toBeLessThan(500);
		expect(response.body).toMatchObject({ message: expect.stringMatching(/\w/) });
		expect(await callsOf(service.alice)).toEqual([]);
	});
});

describe('a call of an assistant', () => {
	it('without record_call has no recording', async () => {
		await service.alice.put('/user/assistant/1', { record_call: false });
		await service.control.outbound({ assistant_id: 1, to: '+4915112345677' });
		await service.control.advance(A_CALL);
		expect(await newest()).not.toHaveProperty('recording_url');
	});

	it('has a recording that can be downloaded without a token', async () => {
		await service.control.outbound({ assistant_id: 1, to: '+4915112345677' });
		await service.control.advance(A_CALL);
		const { recording_url: url } = await newest();
		const response = await fetch(String(url));
		expect(response.headers.get('content-type')).toBe('audio/wav');
		const file = Buffer.from(await response.arrayBuffer());
		expect(file.toString('latin1', 0, 12)).toMatch(/^RIFF....WAVE$/s);
		expect(file.readUInt32LE(4)).toBe(file.length - 8);
		expect((await fetch(String(url).replace(/\d+\.wav$/, '999.wav'))).status).toBe(404);
	});

	it('without post_call_evaluation has an empty evaluation, with it a filled one', async () => {
		for (const post_call_evaluation of [false, true]) {
			await service.alice.put('/user/assistant/1', { post_call_evaluation });
			await service.control.outbound({ assistant_id: 1, to: '+4915112345677' });
			await service.control.advance(A_CALL);
			const { evaluation } = await newest();
			expect(Object.keys(asObject(evaluation, 'evaluation')).length > 0).toBe(post_call_evaluation);
		}
	});

	it('is never longer than max_call_duration', async () => {
		await service.alice.put('/user/assistant/1', { max_call_duration: 20 });
		for (let count = 0; count < 5; count += 1) {
			await service.control.outbound({ assistant_id: 1, to: '+4915112345677' });
		}
		await service.control.advance(A_CALL);
		for (const call of await callsOf(service.alice)) expect(call.duration).toBeLessThanOrEqual(20);
	});

	it('many at once all end, and are listed newest first', async () => {
		for (let count = 0; count < 20; count += 1) {
			await service.control.outbound({ assistant_id: 1, to: '+4915112345677' });
			if (count % 5 === 4) await service.control.advance('PT1S');
		}
		await service.control.advance(A_CALL);
		const calls = await callsOf(service.alice);
		expect(calls).toHaveLength(20);
		expect(calls.every((call) => !(String(call.status) in LEGAL_NEXT))).toBe(true);
		const order = calls.map((call) => [call.created_at, call.id]);
		expect(order).toEqual(
			[...order].sort(
				(a, b) => String(b[0]).localeCompare(String(a[0])) || Number(b[1]) - Number(a[1]),
			),
		);
	});
});

// sandbox/README.md, Calls: the timeline of each scenario, and the phone number that selects it.
describe('the scenarios', () => {
	const timelines: {
		scenario: string;
		ending: string;
		steps: [after: number, status: string][];
	}[] = [
		{
			scenario: 'answered',
			ending: '12345',
			steps: [
				[2, 'ringing'],
				[8, 'in-progress'],
				[68, 'completed'],
			],
		},
		{
			scenario: 'ended',
			ending: '99904',
			steps: [
				[2, 'ringing'],
				[8, 'in-progress'],
				[68, 'ended'],
			],
		},
		{
			scenario: 'ended_by_customer',
			ending: '99905',
			steps: [
				[2, 'ringing'],
				[8, 'in-progress'],
				[68, 'ended_by_customer'],
			],
		},
		{
			scenario: 'ended_by_assistant',
			ending: '99906',
			steps: [
				[2, 'ringing'],
				[8, 'in-progress'],
				[68, 'ended_by_assistant'],
			],
		},
		{
			scenario: 'no-answer',
			ending: '99901',
			steps: [
				[2, 'ringing'],
				[32, 'no-answer'],
			],
		},
		{
			scenario: 'busy',
			ending: '99902',
			steps: [
				[2, 'ringing'],
				[4, 'busy'],
			],
		},
		{
			scenario: 'failed',
			ending: '99903',
			steps: [
				[2, 'ringing'],
				[3, 'failed'],
			],
		},
	];
	const expectTimeline = async (steps: [after: number, status: string][]) => {
		let now = 0;
		let status = 'initiated';
		for (const [after, next] of steps) {
			await service.control.advance(`PT${after - now - 0.5}S`);
			expect(await newest()).toMatchObject({ status });
			await service.control.advance('PT0.5S');
			expect(await newest()).toMatchObject({ status: next });
			[now, status] = [after, next];
		}
	};

	it.each(timelines)('$scenario, asked for by name: $steps', async ({ scenario, steps }) => {
		await service.control.outbound({ assistant_id: 1, to: '+4915112345677', scenario });
		await expectTimeline(steps);
	});

	it.each(timelines)(
		'$scenario, asked for by a number ending in $ending: called, calling, or a lead',
		async ({ ending, steps }) => {
			const phone = `+49151123${ending}`;
			await service.control.outbound({ assistant_id: 1, to: phone });
			await expectTimeline(steps);
			await service.control.inbound({ assistant_id: 2, from: phone });
			await expectTimeline(steps);
			await service.alice.post('/user/lead', { campaign_id: 2, phone_number: phone });
			await service.alice.post('/user/campaigns/update-status', {
				campaign_id: 2,
				action: 'start',
			});
			await expectTimeline(steps);
		},
	);

	it('the scenario that a call is asked for with counts more than its number', async () => {
		await service.control.outbound({ assistant_id: 1, to: '+4915112399901', scenario: 'busy' });
		await service.control.advance(A_CALL);
		expect(await newest()).toMatchObject({ status: 'busy' });
	});

	it('the same run gives the same values', async () => {
		const run = async () => {
			await service.reset();
			await service.alice.put('/user/assistant/1', {
				post_call_schema: [{ name: 'guests', type: 'number', description: 'How many guests' }],
			});
			await service.control.outbound({ assistant_id: 1, to: '+4915112345677' });
			await service.control.advance(A_CALL);
			return callsOf(service.alice);
		};
		expect(await run()).toEqual(await run());
	});
});
