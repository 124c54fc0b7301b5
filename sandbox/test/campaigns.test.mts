import { describe, expect, it } from '@jest/globals';
import { A_CALL, getCalls, enableWebhook, setCampaign } from './support/calls.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { expectInvalidFields, expectResponse } from './support/responses.mts';
import type { Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { UNFINISHED_STATUSES, serviceAndReceiver } from './support/webhooks.mts';
import { ALICE, newAssistant } from './support/seed.mts';

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

const start = (own = service) => setCampaign(own, 'start');
/** How often each lead was called, by its id. */
const attempts = async (own = service): Promise<Record<number, number>> => {
	const counts: Record<number, number> = {};
	for (const call of await getCalls(own.alice)) {
		const id = Number(String(call.client_phone_number).slice(-2));
		counts[id] = (counts[id] ?? 0) + 1;
	}
	return counts;
};

it.each([
	['start', 'Campaign started successfully.', 'in-progress'],
	['stop', 'Campaign stopped successfully.', 'stopped'],
])(
	'%s answers with the campaign and its new status, also twice',
	async (action, message, status) => {
		const body = { message, success: true, data: { campaign_id: 1, status } };
		for (let time = 0; time < 2; time += 1) {
			expectResponse(await setCampaign(service, action), 200, body);
		}
	},
);

it('refusals say that they are none of a success, in the words of the service', async () => {
	const refusal = (message: string) => ({ message, success: false });
	const action = "Invalid action. Must be either 'start' or 'stop'.";
	expectResponse(await setCampaign(service, 'pause'), 400, refusal(action));
	expectResponse(await setCampaign(service, 'start', 999), 404, refusal('Campaign not found.'));
	expectInvalidFields(await setCampaign(service, 'pause', 'x'), 'campaign_id', 'action');
	const [user] = seedWith([]).users;
	await using own = await startOwnService({ seed: { users: [{ ...user, balance: 0 }] } });
	const balance = 'Insufficient balance to start the campaign. Please top up your account.';
	expectResponse(await start(own), 400, refusal(balance));
	expect((await setCampaign(own, 'stop')).status).toBe(200);
});

it('campaign-already-in-state refused: neither can be done twice', async () => {
	await using own = await startOwnService({ assume: { 'campaign-already-in-state': 'refused' } });
	const refusal = (message: string) => ({ message, success: false });
	for (const [action, message] of [
		['start', 'Campaign is already in progress'],
		['stop', 'Campaign is not running'],
	] as const) {
		expect((await setCampaign(own, action)).status).toBe(200);
		expectResponse(await setCampaign(own, action), 400, refusal(message));
	}
	expect(await own.control.events({ kind: 'campaign-started' })).toHaveLength(1);
});

describe('a started campaign', () => {
	it('calls its created leads, and no others, once each however often it is started', async () => {
		await Promise.all([start(), start(), start()]);
		await service.control.advance('PT5M');
		await start();
		await service.control.advance('PT5M');
		expect(await attempts()).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1 });
		for (const call of await getCalls(service.alice)) {
			expect(call).toMatchObject({
				type: 'outbound',
				campaign_name: 'Spring',
				assistant_name: 'Reception',
				assistant_phone_number: '+4915112345699',
			});
		}
	});

	it('calls an answered lead once and the others three times, an hour after each attempt', async () => {
		await start();
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 1, 2: 3, 3: 3, 4: 3 });
		for (const id of [2, 3, 4]) {
			const calls = (await getCalls(service.alice, { phone_number: number(id) })).reverse();
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
		await start();
		await service.control.advance('P7D');
		const told = receiver.arrivals.map(({ body }) => {
			const called = asObject(body.lead, 'lead');
			return [called.id, body.status, called.status].join(' ');
		});
		expect(told.sort()).toEqual([
			'1 completed completed',
			...['2 no-answer', '3 busy', '4 failed'].flatMap((unreached) => [
				`${unreached} created`,
				`${unreached} created`,
				`${unreached} reached-max-retries`,
			]),
		]);
		for (const { body } of receiver.arrivals) {
			expect(body.campaign).toMatchObject({ id: 1, name: 'Spring', status: 'in-progress' });
		}
	});

	it('calls leads that are added later', async () => {
		await start();
		await service.control.advance('PT5M');
		await service.alice.post('/user/lead', { campaign_id: 1, phone_number: number(50) });
		await service.control.advance('PT5M');
		expect(await attempts()).toMatchObject({ 50: 1 });
	});

	describe('and a lead with secondary contacts', () => {
		const NEVER_ANSWERS = ['+4915112399901', '+4930112399901'];
		/** Starts the campaign, and adds a lead with its contacts. */
		const startWith = async (own: Service, ...phones: string[]) => {
			await start(own);
			const [first, ...secondary_contacts] = phones.map((phone_number) => ({ phone_number }));
			await own.alice.post('/user/lead', { campaign_id: 1, ...first, secondary_contacts });
		};
		const called = async (own: Service) =>
			(await getCalls(own.alice)).reverse().map((call) => call.client_phone_number);

		it('calls none of them when the lead is reached', async () => {
			await using own = await startOwnService({ seed: seedWith([]) });
			await startWith(own, number(50), number(51));
			await own.control.advance('P7D');
			expect(await called(own)).toEqual([number(50)]);
			const { body } = await own.control.request('GET', '/records/leads');
			expect(body).toMatchObject({ data: [{ status: 'created' }, { status: 'completed' }] });
		});

		it('calls the next one after the last attempt to the one before, in their order', async () => {
			await using own = await startOwnService({ seed: seedWith([]) });
			await startWith(own, ...NEVER_ANSWERS, number(50), number(51));
			await own.control.advance('P7D');
			const [first, second] = NEVER_ANSWERS;
			expect(await called(own)).toEqual([
				...[first, first, first, second, second, second],
				number(50),
			]);
			const told = await own.control.events({ kind: 'lead-changed' });
			expect(told.map(({ text }) => text)).toContainEqual(
				expect.stringMatching(/^Lead 2 .* is called next, because lead 1 .* was not reached\.$/),
			);
		});

		it('calls one at once whose status is set to created by hand', async () => {
			await using own = await startOwnService({ seed: seedWith([]) });
			await startWith(own, number(50), number(51));
			await own.alice.put('/user/leads/2', { status: 'created' });
			await own.control.advance('PT5M');
			expect(await called(own)).toEqual([number(50), number(51)]);
		});
	});

	/** Changes of leads by their ids, each after a wait. */
	type Changes = Array<[wait: string, id: number, fields: JsonObject]>;
	const CREATED = { status: 'created' };
	const COMPLETED = { status: 'completed' };
	const UNREACHED = { status: 'reached-max-retries' };
	const DURING_CALL = 'PT20S';
	const AFTER_CALLS = 'PT5M';
	const CHANGES: Record<string, [attempts: Record<number, number>, ...Changes]> = {
		'does not call a lead again that was set to an end meanwhile': [
			{ 1: 1, 2: 1, 3: 1, 4: 3 },
			[AFTER_CALLS, 2, COMPLETED],
			['PT0S', 3, UNREACHED],
		],
		'calls a lead again, from its first attempt, that was set to created': [
			{ 1: 2, 2: 6, 3: 3, 4: 3 },
			['P7D', 1, CREATED],
			['PT0S', 2, CREATED],
		],
		'calls a lead that was moved to it, and leaves one that was moved away': [
			{ 1: 1, 2: 3, 3: 1, 4: 3, 7: 1 },
			['PT0S', 7, { campaign_id: 1 }],
			[AFTER_CALLS, 3, { campaign_id: 2 }],
		],
		'calls a lead twice that was set to created during its call': [
			{ 1: 2, 2: 3, 3: 3, 4: 3 },
			[DURING_CALL, 1, CREATED],
		],
		'calls a lead once that was set to completed during its call': [
			{ 1: 1, 2: 3, 3: 3, 4: 3 },
			[DURING_CALL, 1, COMPLETED],
		],
		'calls a lead once that was set to reached-max-retries during its call': [
			{ 1: 1, 2: 3, 3: 3, 4: 3 },
			[DURING_CALL, 1, UNREACHED],
		],
		'calls a lead from its first attempt that was set to created during a call nobody answered': [
			{ 1: 1, 2: 4, 3: 3, 4: 3 },
			['PT10S', 2, CREATED],
		],
		'forgets that a lead was to be called again when its status is set once more': [
			{ 1: 1, 2: 3, 3: 3, 4: 3 },
			[DURING_CALL, 1, CREATED],
			['PT0S', 1, COMPLETED],
		],
		'calls the number that a lead has when it is called': [
			{ 1: 1, 2: 1, 3: 3, 4: 3, 60: 2 },
			[AFTER_CALLS, 2, { phone_number: number(60) }],
		],
	};
	it.each(Object.entries(CHANGES))('%s', async (_what, [expected, ...changes]) => {
		await start();
		for (const [wait, id, fields] of changes) {
			await service.control.advance(wait);
			expect((await service.alice.put(`/user/leads/${id}`, fields)).status).toBe(200);
		}
		await service.control.advance('P7D');
		expect(await attempts()).toEqual(expected);
	});

	it('calls a lead that was moved to it between two attempts', async () => {
		await Promise.all([start(), setCampaign(service, 'start', 2)]);
		await service.control.advance('PT5M');
		await service.alice.put('/user/leads/2', { campaign_id: 2 });
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 1, 2: 3, 3: 3, 4: 3, 7: 1 });
		const second = await getCalls(service.alice, { phone_number: number(2), campaign_id: 2 });
		expect(second).toHaveLength(2);
	});
});

describe('a stopped campaign', () => {
	it('begins no call, lets those under way finish, and goes on where it was when started again', async () => {
		await start();
		await service.control.advance('PT1S');
		await setCampaign(service, 'stop');
		const under = await getCalls(service.alice);
		expect(under.length).toBeGreaterThan(0);
		expect(under.every((call) => UNFINISHED_STATUSES.includes(String(call.status)))).toBe(true);
		await service.control.advance('P7D');
		const after = await getCalls(service.alice);
		expect(after.map((call) => call.id)).toEqual(under.map((call) => call.id));
		expect(after.some((call) => UNFINISHED_STATUSES.includes(String(call.status)))).toBe(false);

		await service.alice.post('/user/lead', { campaign_id: 1, phone_number: number(50) });
		await start();
		await service.control.advance('P7D');
		expect(await attempts()).toEqual({ 1: 1, 2: 3, 3: 3, 4: 3, 50: 1 });
	});
});

describe('many leads', () => {
	const many = (count: number) =>
		seedWith(Array.from({ length: count }, (_, index) => lead(index + 10)));

	it.each<[assume: JsonObject, most: number]>([
		[{}, 3],
		[{ 'campaign-parallel-calls': 2 }, 2],
		[{ 'campaign-parallel-calls': 1 }, 1],
	])('are called lowest id first, with %j at most %d at a time', async (assume, most) => {
		await using own = await startOwnService({ seed: many(13), assume });
		await start(own);
		const begun = new Set<number>();
		let peak = 0;
		while (begun.size < 13) {
			await own.control.advance('PT10S');
			const calls = (await getCalls(own.alice)).reverse();
			for (const call of calls) begun.add(Number(String(call.client_phone_number).slice(-2)));
			const running = calls.filter(({ status }) => UNFINISHED_STATUSES.includes(String(status)));
			peak = Math.max(peak, running.length);
		}
		expect(peak).toBe(most);
		expect([...begun]).toEqual(Array.from({ length: 13 }, (_, index) => index + 10));
	});

	it('lead-attempts and lead-retry-wait can be set', async () => {
		await using own = await startOwnService({
			seed: seedWith([lead(10, { scenario: 'busy' })]),
			assume: { 'lead-attempts': 2, 'lead-retry-wait': 'PT5M' },
		});
		await start(own);
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
		await start(own);
		await own.control.advance('PT1S');
		await own.alice.put('/user/leads/10', { status: 'completed' });
		await own.control.advance(A_CALL);
		expect(receiver.arrivals[0]?.body).toMatchObject({
			status: 'busy',
			lead: { id: 10, status: 'completed' },
		});
	});
});
