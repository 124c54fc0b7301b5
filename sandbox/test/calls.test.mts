import { describe, expect, it } from '@jest/globals';
import {
	A_CALL,
	CALLER_PHONE_NUMBER,
	getCalls,
	completeCall,
	newestCall,
	setCampaign,
	startCall,
} from './support/calls.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();
const newest = () => newestCall(service.alice);

describe.each([
	['inbound', { assistant_id: 2, from: '+49 151 12345677' }, 'Receiver', '+4915112345604'],
	['outbound', { assistant_id: 1, to: '+49 151 12345677' }, 'Caller', '+4915112345601'],
])('an %s call on request', (type, request, assistant_name, assistant_phone_number) => {
	const start = (fields: JsonObject = {}) =>
		service.control.request('POST', `/calls/${type}`, { ...request, ...fields });

	it('begins as initiated, with nothing to tell yet', async () => {
		const { body } = await start();
		expect(await newest()).toEqual({
			id: asObject(body, 'call').id,
			assistant_name,
			type,
			duration: 0,
			assistant_phone_number,
			client_phone_number: CALLER_PHONE_NUMBER,
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

	it('leaves duration, transcript, costs and a recording behind when it is answered', async () => {
		await start();
		await service.control.advance(A_CALL);
		const call = await newest();
		expect(call).toMatchObject({
			duration: expect.any(Number),
			transcript: expect.stringContaining('Hello, this is the reception.'),
			answered_by: 'human',
			recording_url: expect.stringMatching(/^https?:\/\//),
		});
		expect(call.duration).toBeGreaterThan(0);
		expect(call.carrier_cost).toBeGreaterThan(0);
		expect(call.total_cost).toBeGreaterThanOrEqual(Number(call.carrier_cost));
		const [begin = 0, end = 0] = [call.created_at, call.updated_at].map((time) =>
			Date.parse(String(time)),
		);
		expect(call.duration).toBeLessThanOrEqual((end - begin) / 1000);
	});

	it.each(['no-answer', 'busy', 'failed'])('has no conversation as %s', async (scenario) => {
		await start({ scenario });
		await service.control.advance(A_CALL);
		const call = await newest();
		expect(call).toMatchObject({ duration: 0, transcript: '', variables: {} });
		expect(call).not.toHaveProperty('recording_url');
	});

	it.each([
		{ assistant_id: 999 },
		{ assistant_id: undefined },
		{ scenario: 'abducted' },
		{ from: null, to: undefined },
		{ from: 'me', to: 'you' },
	])('is refused in words with %j, and no call begins', async (fields) => {
		const response = await start(fields);
		expect(response.status).toBeGreaterThanOrEqual(400);
		expect(response.status).toBeLessThan(500);
		expect(response.body).toMatchObject({ message: expect.stringMatching(/\w/) });
		expect(await getCalls(service.alice)).toEqual([]);
	});
});

describe('a call of an assistant', () => {
	const callWith = async (settings: JsonObject) => {
		await service.alice.put('/user/assistant/1', settings);
		return completeCall(service);
	};

	it('has a recording that can be downloaded without a token', async () => {
		const { recording_url: url } = await completeCall(service);
		const response = await fetch(String(url));
		expect(response.headers.get('content-type')).toBe('audio/wav');
		const file = Buffer.from(await response.arrayBuffer());
		expect(file.toString('latin1', 0, 12)).toMatch(/^RIFF....WAVE$/s);
		expect(file.readUInt32LE(4)).toBe(file.length - 8);
		expect((await fetch(String(url).replace(/\d+\.wav$/, '999.wav'))).status).toBe(404);
	});

	it('without post_call_evaluation has an empty evaluation, with it a filled one', async () => {
		for (const post_call_evaluation of [false, true]) {
			const { evaluation } = await callWith({ post_call_evaluation });
			expect(Object.keys(asObject(evaluation, 'evaluation')).length > 0).toBe(post_call_evaluation);
		}
	});
});

// sandbox/README.md, Calls: the timeline of each scenario, and the phone number that selects it.
describe('the scenarios', () => {
	const ANSWERED = '2 ringing, 8 in-progress, 68';
	/** What chooses the scenario by number, and when the call has which status, in seconds. */
	const timelines = [
		['answered', '12345', `${ANSWERED} completed`],
		['ended', '99904', `${ANSWERED} ended`],
		['ended_by_customer', '99905', `${ANSWERED} ended_by_customer`],
		['ended_by_assistant', '99906', `${ANSWERED} ended_by_assistant`],
		['no-answer', '99901', '2 ringing, 32 no-answer'],
		['busy', '99902', '2 ringing, 4 busy'],
		['failed', '99903', '2 ringing, 3 failed'],
	] as const;
	const expectTimeline = async (steps: string) => {
		let now = 0;
		let status = 'initiated';
		for (const step of steps.split(', ')) {
			const [time, next = ''] = step.split(' ');
			const after = Number(time);
			await service.control.advance(`PT${after - now - 0.5}S`);
			expect(await newest()).toMatchObject({ status });
			await service.control.advance('PT0.5S');
			expect(await newest()).toMatchObject({ status: next });
			[now, status] = [after, next];
		}
		const last = await newest();
		await service.control.advance(A_CALL);
		expect(await newest()).toEqual(last);
	};

	it.each(timelines)(
		'%s, by name, or by a number that ends in %s (called, calling, or of a lead): %s',
		async (scenario, ending, steps) => {
			// A name counts more than a number.
			await startCall(service, { to: '+4915112399902', scenario });
			await expectTimeline(steps);
			const phone = `+49151123${ending}`;
			await startCall(service, { to: phone });
			await expectTimeline(steps);
			await service.control.inbound({ assistant_id: 2, from: phone });
			await expectTimeline(steps);
			await service.alice.post('/user/lead', { campaign_id: 2, phone_number: phone });
			await setCampaign(service, 'start', 2);
			await expectTimeline(steps);
		},
	);
});
