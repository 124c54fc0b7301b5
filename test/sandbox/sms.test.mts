import { describe, expect, it } from '@jest/globals';
import { dataOf } from '../support/sandbox/client.mts';
import { expectInvalid, expectResponse } from '../support/sandbox/responses.mts';
import { startOwnService, startTestService } from '../support/sandbox/testService.mts';
import { ALICE } from '../support/sandbox/seed.mts';

const service = await startTestService();

const GERMANY = '+4915112345699';
const send = (fields: object = {}, user = service.alice) =>
	user.post('/user/sms', { from: 1, to: GERMANY, body: 'Hello', ...fields });

/** Starts a service whose only user has this balance, and Alice's phone number 1. */
const withBalance = (balance: number) =>
	startOwnService({
		seed: {
			users: [
				{
					token: ALICE,
					balance,
					phone_numbers: [{ id: 1, phone_number: '+4915112345601', sms_capable: true }],
				},
			],
		},
	});

describe('send an SMS', () => {
	it('answers with the whole message', async () => {
		const response = await send({ to: '0049 (151) 123-456 99' });
		expectResponse(response, 200, {
			message: 'SMS sent successfully',
			data: {
				id: expect.any(Number),
				phone_number_id: 1,
				to: GERMANY,
				body: 'Hello',
				user_id: expect.any(Number),
				segments: 1,
				segment_price: 0.08,
				total_cost: 0.08,
				status: 'sent',
				sms_sid: expect.stringMatching(/.+/),
				created_at: '2026-03-02 09:00:00',
				updated_at: '2026-03-02 09:00:00',
			},
		});
	});

	it('gives every message an id and a provider identifier of its own', async () => {
		const [first, second] = [dataOf(await send()), dataOf(await send())];
		expect(first.id).not.toBe(second.id);
		expect(first.sms_sid).not.toBe(second.sms_sid);
	});

	it.each(['from', 'to', 'body'])('needs %s', async (field) => {
		const response = await send({ [field]: undefined });
		expectInvalid(response, { [field]: [`The ${field} field is required.`] });
	});
});

// contract: POST /user/sms, Preconditions. contract/assumptions.yaml has the messages.
describe('the preconditions', () => {
	it.each([
		['the sender is not mine (unknown)', { from: 999 }, 'From number not found'],
		['the sender is not mine (another user’s)', { from: 101 }, 'From number not found'],
		['the sender is not SMS-capable', { from: 2 }, 'Phone number is not SMS-capable'],
		[
			'the sender’s subscription has expired',
			{ from: 3 },
			'Phone number subscription is not active',
		],
		['the recipient is no phone number', { to: 'my friend' }, 'Invalid phone number format'],
		['the recipient has no country code', { to: '015112345699' }, 'Invalid phone number format'],
		['the recipient is too short', { to: '+4912' }, 'Invalid phone number format'],
	])('%s → 400 and nothing is charged', async (_condition, fields, message) => {
		const response = await send(fields);
		expectResponse(response, 400, { message });
		// A balance of 10 pays for 125 messages at 0.08. The last one would fail if the refused one cost money.
		const statuses = await Promise.all(
			Array.from({ length: 125 }, async () => (await send()).status),
		);
		expect(statuses.every((status) => status === 200)).toBe(true);
		expect((await send()).status).toBe(400);
	});

	it('a subscription that is still running is fine, until it runs out', async () => {
		expect((await send({ from: 4 })).status).toBe(200);
		await service.control.advance('P365D');
		expect((await send({ from: 4 })).body).toEqual({
			message: 'Phone number subscription is not active',
		});
		expect((await send({ from: 1 })).status).toBe(200);
	});

	it('the telephony provider fails → 500', async () => {
		await service.control.fault({ operation: 'sendSms', status: 500, times: 1 });
		const response = await send();
		expect(response.status).toBe(500);
		expect(response.body).toMatchObject({ message: 'Failed to send SMS' });
		expect((await send()).status).toBe(200);
	});
});

describe('the price', () => {
	it.each([
		['Germany', GERMANY, 0.08],
		['the United States', '+14155552671', 0.01],
		['Britain', '+447400123456', 0.05],
		['France', '+33612345678', 0.07],
		['Japan, which has no price of its own', '+819012345678', 0.1],
	])('of a segment to %s', async (_country, to, price) => {
		expect(dataOf(await send({ to }))).toMatchObject({ segment_price: price, total_cost: price });
		expect(dataOf(await send({ to, body: 'x'.repeat(161) }))).toMatchObject({
			segments: 2,
			segment_price: price,
			total_cost: price * 2,
		});
	});

	it.each([
		['160 characters of the GSM alphabet', 'a'.repeat(160), 1],
		['161 characters of the GSM alphabet', 'a'.repeat(161), 2],
		['300 characters of the GSM alphabet', 'a'.repeat(300), 2],
		['160 with umlauts, which GSM has', 'ä'.repeat(160), 1],
		['a euro sign takes two places', `${'a'.repeat(159)}€`, 2],
		['70 characters beyond the GSM alphabet', 'щ'.repeat(70), 1],
		['71 characters beyond the GSM alphabet', 'щ'.repeat(71), 2],
		['134 beyond: 67 in each of two', 'щ'.repeat(134), 2],
		['135 beyond', 'щ'.repeat(135), 3],
		['one such character changes the whole text', `${'a'.repeat(70)}щ`, 2],
		['an emoji takes two places', '📞'.repeat(35), 1],
		['36 emojis', '📞'.repeat(36), 2],
		['one line break counts as a character', `${'a'.repeat(159)}\n`, 1],
	])('%s', async (_what, body, segments) => {
		const data = dataOf(await send({ body }));
		expect(data).toMatchObject({ body, segments });
		expect(data.total_cost).toBeCloseTo(segments * 0.08, 10);
	});
});

describe('the balance', () => {
	it('is charged exactly once per message, to the last cent and not below zero', async () => {
		await using own = await withBalance(0.24);
		const responses = [];
		for (let attempt = 0; attempt < 5; attempt += 1) {
			responses.push(await send({}, own.alice));
		}
		expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 400, 400]);
		expect(responses[3]?.body).toEqual({ message: 'Insufficient balance to send SMS' });
	});

	it('is not overdrawn by messages sent at the same time', async () => {
		await using own = await withBalance(0.24);
		const statuses = await Promise.all(
			Array.from({ length: 10 }, async () => (await send({}, own.alice)).status),
		);
		expect(statuses.filter((status) => status === 200)).toHaveLength(3);
		expect(statuses.filter((status) => status === 400)).toHaveLength(7);
	});

	it('is charged for messages that are sent while another one is delayed', async () => {
		await using own = await withBalance(0.24);
		const sms = { from: 1, to: GERMANY, body: 'Hello' };
		await own.control.fault({ operation: 'sendSms', delay_ms: 500, times: 1 });
		const delayed = own.alice.post('/user/sms', sms);
		while ((await own.control.request('GET', '/faults')).text.includes('sendSms'));
		const responses = [
			await own.alice.post('/user/sms', sms),
			await own.alice.post('/user/sms', sms),
			await delayed,
			await own.alice.post('/user/sms', sms),
		];
		expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
	});

	it('covers the whole message or nothing is sent', async () => {
		await using own = await withBalance(0.1);
		const long = await send({ body: 'x'.repeat(161) }, own.alice);
		expect(long.body).toEqual({ message: 'Insufficient balance to send SMS' });
		expect((await send({ body: 'x' }, own.alice)).status).toBe(200);
	});

	it('pays for every segment of a message', async () => {
		await using own = await withBalance(0.24);
		const statuses = [];
		for (const body of ['x'.repeat(161), 'x', 'x']) {
			statuses.push((await send({ body }, own.alice)).status);
		}
		expect(statuses).toEqual([200, 200, 400]);
	});

	it('belongs to the user', async () => {
		for (let message = 0; message < 125; message += 1) await send();
		expect((await send()).status).toBe(400);
		expect((await send({ from: 101 }, service.bob)).status).toBe(200);
	});
});
