import { describe, expect, it } from '@jest/globals';
import { A_CALL, callsOf, enableWebhook } from '../support/sandbox/calls.mts';
import { idOf } from '../support/sandbox/client.mts';
import { asObject, type JsonObject } from '../support/sandbox/contract.mts';
import { expectInvalidFields, expectResponse } from '../support/sandbox/responses.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { UNFINISHED_STATUSES, serviceAndReceiver } from '../support/sandbox/webhooks.mts';
import { ALICE, newAssistant } from '../support/sandbox/seed.mts';

const number = (id: number) => `+49151123456${String(id).padStart(2, '0')}`;
const lead = (id: number, fields: JsonObject = {}) => ({
	id,
	campaign_id: 1,
	phone_number: number(id),
	...fields,
});

/** A seed of one assistant, two campaigns and these leads. */
const seedWith = (leads: JsonObject[]) => ({
	users: [
		{
			token: ALICE,
			voices: [{ id: 1, name: 'Anna' }],
			languages: ['English'],
			phone_numbers: [{ id: 1, phone_number: '+4915112345699', sms_capable: true }],
			assistants: [{ ...newAssistant, id: 1, phone_number_id: 1 }],
			campaigns: [
				{ id: 1, name: 'Spring', assistant_id: 1 },
				{ id: 2, name: 'Autumn', assistant_id: 1 },
			],
			leads,
		},
	],
});

const { service, receiver } = await serviceAndReceiver({
	seed: seedWith([
		lead(1),
		lead(2, { scenario: 'no-answer' }),
		lead(3, { scenario: 'busy' }),
		lead(4, { scenario: 'failed' }),
		lead(5, { status: 'completed' }),
		lead(6, { status: 'reached-max-retries' }),
		lead(7, { campaign_id: 2 }),
	]),
});

const act = (action: string, campaign_id = 1, own = service) =>
	own.alice.post('/user/campaigns/update-status', { campaign_id, action });
/** How often each lead was called, by its id. */
const attempts = async (own = service): Promise<Record<number, number>> => {
	const counts: Record<number, number> = {};
	for (const call of await callsOf(own.alice)) {
		const id = Number(String(call.client_phone_number).slice(-2));
		counts[id] = (counts[id] ?? 0) + 1;
	}
	return counts;
};

describe('start and stop', () => {
	it('answer with the campaign and its new status', async () => {
		const started = await act('start');
		expectResponse(started, 200, {
			message: 'Campaign started successfully.',
			success: true,
			data: { campaign_id: 1, status: 'in-progress' },
		});
		const stopped = await act('stop');
		expectResponse(stopped, 200, {
			message: 'Campaign stopped successfully.',
			success: true,
			data: { campaign_id: 1, status: 'stopped' },
		});
	});

	it('answer the second time like the first', async () => {
		for (const action of ['start', 'stop']) {
			const first = await act(action);
			expect((await act(action)).body).toEqual(first.body);
		}
	});

	it.each([
		['no fields', {}, ['campaign_id', 'action']],
		['an action that there is none of', { campaign_id: 1, action: 'pause' }, ['action']],
		['an action in capitals', { campaign_id: 1, action: 'Start' }, ['action']],
		['a campaign by name', { campaign_id: 'Spring', action: 'start' }, ['campaign_id']],
	])('%s → 422', async (_what, body, fields) => {
		const response = await service.alice.post('/user/campaigns/update-status', body);
		expectInvalidFields(response, ...fields);
		expect(response.body).toMatchObject({ message: 'Validation failed' });
	});

	it('of a campaign that does not exist → 404', async () => {
		const response = await act('start', 999);
		expectResponse(response, 404, { message: 'Campaign not found' });
	});
});

describe('a campaign that is not started', () => {
	it('calls nobody', async () => {
		await service.control.advance('P7D');
		expect(await callsOf(service.alice)).toEqual([]);
	});
});

describe('a started campaign', () => {
	it('calls its created leads, and no others', async () => {
		await act('start');
		await service.control.advance('PT5M');
		expect(await attempts()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1 });
		for (const call of await callsOf(service.alice)) {
			expect(call).toMatchObject({
				type: 'outbound',
				campaign_name: 'Spring',
				assistant_name: 'Reception',
				assistant_phone_number: '+4915112345699',
			});
		}
	});

	it('calls an answered lead once and the others three times, an hour after each attempt', async () => {
		await act('start');
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 1, 2: 3, 3: 3, 4: 3 });
		for (const id of [2, 3, 4]) {
			const calls = (await callsOf(service.alice, { phone_number: number(id) })).reverse();
			for (const [index, call] of calls.slice(1).entries()) {
				const ended = Date.parse(String(calls[index]?.updated_at));
				const wait = (Date.parse(String(call.created_at)) - ended) / 1000;
				expect(wait).toBeGreaterThanOrEqual(3600);
				expect(wait).toBeLessThanOrEqual(3602);
			}
		}
	});

	it('makes the leads completed or reached-max-retries, as their calls go', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await act('start');
		await service.control.advance('P7D');
		const told = receiver.arrivals.map(({ body }) => {
			const called = asObject(body.lead, 'lead');
			return [called.id, body.status, called.status].join(' ');
		});
		expect(told.map((text) => text.replace(/^1 \S+/, '1 over')).sort()).toEqual(
			[
				'1 over completed',
				...[
					['2', 'no-answer'],
					['3', 'busy'],
					['4', 'failed'],
				].flatMap(([id, status]) => [
					`${id} ${status} created`,
					`${id} ${status} created`,
					`${id} ${status} reached-max-retries`,
				]),
			].sort(),
		);
		for (const { body } of receiver.arrivals) {
			expect(body.campaign).toMatchObject({ id: 1, name: 'Spring', status: 'in-progress' });
		}
	});

	it('is not started twice: nobody is called twice', async () => {
		await Promise.all([act('start'), act('start'), act('start')]);
		await service.control.advance('PT5M');
		await act('start');
		await service.control.advance('PT5M');
		expect(await attempts()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1 });
	});

	it('calls leads that are added later, with their secondary contacts', async () => {
		await act('start');
		await service.control.advance('PT5M');
		await service.alice.post('/user/lead', {
			campaign_id: 1,
			phone_number: number(50),
			secondary_contacts: [{ phone_number: number(51) }],
		});
		await service.control.advance('PT5M');
		expect(await attempts()).toMatchObject({ 50: 1, 51: 1 });
	});

	it('does not call a lead again that was set to completed meanwhile', async () => {
		await act('start');
		await service.control.advance('PT5M');
		await service.alice.put('/user/leads/2', { status: 'completed' });
		await service.alice.put('/user/leads/3', { status: 'reached-max-retries' });
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 3 });
	});

	it('calls a lead again, from its first attempt, that was set to created', async () => {
		await act('start');
		await service.control.advance('P7D');
		for (const id of [1, 2]) await service.alice.put(`/user/leads/${id}`, { status: 'created' });
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 2, 2: 6, 3: 3, 4: 3 });
	});

	it('calls a lead that was moved to it, and leaves one that was moved away', async () => {
		await service.alice.put('/user/leads/7', { campaign_id: 1 });
		await service.alice.put('/user/leads/1', { campaign_id: 2 });
		await act('start');
		await service.control.advance('PT5M');
		expect(await attempts()).toEqual({ 2: 1, 3: 1, 4: 1, 7: 1 });
	});

	it('calls a lead that was moved to it between two attempts', async () => {
		await Promise.all([act('start', 1), act('start', 2)]);
		await service.control.advance('PT5M');
		await service.alice.put('/user/leads/2', { campaign_id: 2 });
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 1, 2: 3, 3: 3, 4: 3, 7: 1 });
		const second = await callsOf(service.alice, { phone_number: number(2), campaign_id: 2 });
		expect(second).toHaveLength(2);
	});

	it.each([
		['created', 2],
		['completed', 1],
		['reached-max-retries', 1],
	])('calls a lead that was set to %s during its call %i times in all', async (status, times) => {
		await act('start');
		await service.control.advance('PT20S');
		await service.alice.put('/user/leads/1', { status });
		await service.control.advance('PT1S');
		expect(await attempts()).toMatchObject({ 1: 1 });
		await service.control.advance('P7D');
		expect(await attempts()).toMatchObject({ 1: times });
	});

	it('calls a lead from its first attempt that was set to created during a call nobody answered', async () => {
		await act('start');
		await service.control.advance('PT10S');
		await service.alice.put('/user/leads/2', { status: 'created' });
		await service.control.advance('P7D');
		expect(await attempts()).toMatchObject({ 2: 4 });
	});

	it('forgets that a lead was to be called again when its status is set once more', async () => {
		await act('start');
		await service.control.advance('PT20S');
		await service.alice.put('/user/leads/1', { status: 'created' });
		await service.alice.put('/user/leads/1', { status: 'completed' });
		await service.control.advance('P7D');
		expect(await attempts()).toMatchObject({ 1: 1 });
	});

	it('calls the number that a lead has when it is called', async () => {
		await act('start');
		await service.control.advance('PT5M');
		await service.alice.put('/user/leads/2', { phone_number: number(60) });
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 1, 2: 1, 3: 3, 4: 3, 60: 2 });
	});
});

describe('a stopped campaign', () => {
	it('begins no call, lets those under way finish, and goes on where it was when started again', async () => {
		await act('start');
		await service.control.advance('PT1S');
		await act('stop');
		const under = await callsOf(service.alice);
		expect(under.length).toBeGreaterThan(0);
		expect(under.every((call) => UNFINISHED_STATUSES.includes(String(call.status)))).toBe(true);
		await service.control.advance('P7D');
		const after = await callsOf(service.alice);
		expect(after.map((call) => call.id)).toEqual(under.map((call) => call.id));
		expect(after.some((call) => UNFINISHED_STATUSES.includes(String(call.status)))).toBe(false);

		await service.alice.post('/user/lead', { campaign_id: 1, phone_number: number(50) });
		await act('start');
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 1, 2: 3, 3: 3, 4: 3, 50: 1 });
	});
});

describe('many leads', () => {
	const many = (count: number) =>
		seedWith(Array.from({ length: count }, (_, index) => lead(index + 10)));

	it('are called lowest id first, at most five at a time', async () => {
		await using own = await startOwnService({ seed: many(13) });
		await act('start', 1, own);
		const begun: unknown[] = [];
		for (let step = 0; step < 400 && (begun.length < 13 || step < 20); step += 1) {
			const calls = await callsOf(own.alice);
			const now = calls.filter((call) => UNFINISHED_STATUSES.includes(String(call.status)));
			expect(now.length).toBeLessThanOrEqual(5);
			if (begun.length + 5 <= 13 && step > 1) expect(now.length).toBeGreaterThan(0);
			for (const call of [...calls].reverse()) {
				const id = Number(String(call.client_phone_number).slice(-2));
				if (!begun.includes(id)) begun.push(id);
			}
			await own.control.advance('PT2S');
		}
		expect(begun).toEqual(Array.from({ length: 13 }, (_, index) => index + 10));
	});

	it.each([
		['campaign-parallel-calls', 2, 2],
		['campaign-parallel-calls', 1, 1],
	])('%s=%d: that many at a time', async (key, value, most) => {
		await using own = await startOwnService({ seed: many(4), assume: { [key]: value } });
		await act('start', 1, own);
		let seen = 0;
		for (let step = 0; step < 10; step += 1) {
			await own.control.advance('PT1S');
			const calls = await callsOf(own.alice);
			seen = Math.max(
				seen,
				calls.filter((call) => UNFINISHED_STATUSES.includes(String(call.status))).length,
			);
		}
		expect(seen).toBe(most);
	});

	it('lead-attempts and lead-retry-wait can be set', async () => {
		await using own = await startOwnService({
			seed: seedWith([lead(10, { scenario: 'busy' })]),
			assume: { 'lead-attempts': 2, 'lead-retry-wait': 'PT5M' },
		});
		await act('start', 1, own);
		await own.control.advance('PT4M');
		expect(await attempts(own)).toEqual({ 10: 1 });
		await own.control.advance('PT3M');
		expect(await attempts(own)).toEqual({ 10: 2 });
		await own.control.advance('P1D');
		expect(await attempts(own)).toEqual({ 10: 2 });
	});

	it('a status set by hand during the last attempt stays', async () => {
		await using own = await startOwnService({
			seed: seedWith([lead(10, { scenario: 'busy' })]),
			assume: { 'lead-attempts': 1 },
		});
		await enableWebhook(own.alice, 1, receiver.url);
		await act('start', 1, own);
		await own.control.advance('PT1S');
		await own.alice.put('/user/leads/10', { status: 'completed' });
		await own.control.advance(A_CALL);
		expect(receiver.arrivals[0]?.body).toMatchObject({
			status: 'busy',
			lead: { id: 10, status: 'completed' },
		});
	});

	it('of two campaigns are called side by side', async () => {
		await Promise.all([act('start', 1), act('start', 2)]);
		await service.control.advance(A_CALL);
		expect(await attempts()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1, 7: 1 });
		const lead8 = idOf(
			await service.alice.post('/user/lead', { campaign_id: 2, phone_number: number(8) }),
		);
		expect(lead8).toBeGreaterThan(7);
	});
});
