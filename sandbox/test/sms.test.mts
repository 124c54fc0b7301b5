import { describe, expect, it } from '@jest/globals';
import { getData } from './support/client.mts';
import { expectResponse } from './support/responses.mts';
import { startOwnService, startTestService } from './support/testService.mts';
import { ALICE } from './support/seed.mts';

const service = await startTestService();

const GERMANY = '+4915112345699';
const send = (fields: object = {}, user = service.alice) =>
	user.post('/user/sms', { from: 1, to: GERMANY, body: 'Hello', ...fields });

/** Starts a service whose only user has this balance, and Alice's phone number 1. */
const withBalance = (balance: number) => {
	const phone_numbers = [{ id: 1, phone_number: '+4915112345601', sms_capable: true }];
	return startOwnService({ seed: { users: [{ token: ALICE, balance, phone_numbers }] } });
};

const balances = async () => {
	const users = [1, 2].map((id) => service.control.request('GET', `/records/users/${id}`));
	return (await Promise.all(users)).map(({ body }) => body);
};

it('an SMS is answered as a whole, and has an id and a provider identifier of its own', async () => {
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
	const [first, second] = [getData(response), getData(await send())];
	expect(first.id).not.toBe(second.id);
	expect(first.sms_sid).not.toBe(second.sms_sid);
});

// contract: POST /user/sms, Preconditions. contract/assumptions.yaml has the messages.
describe('the preconditions', () => {
	it.each([
		['the sender is unknown', { from: 999 }, 'From number not found'],
		['the sender is another user’s', { from: 101 }, 'From number not found'],
		['the sender is not SMS-capable', { from: 2 }, 'Phone number is not SMS-capable'],
		['its subscription has expired', { from: 3 }, 'Phone number subscription is not active'],
		['the recipient is no phone number', { to: 'my friend' }, 'Invalid phone number format'],
		['the recipient has no country code', { to: '015112345699' }, 'Invalid phone number format'],
		['the recipient is too short', { to: '+4912' }, 'Invalid phone number format'],
	])('%s → 400 and nothing is charged', async (_condition, fields, message) => {
		expectResponse(await send(fields), 400, { message });
		expect(await balances()).toMatchObject([{ balance: 10 }, { balance: 10 }]);
	});

	it('a subscription that is still running is fine, until it runs out', async () => {
		expect((await send({ from: 4 })).status).toBe(200);
		await service.control.advance('P365D');
		const message = 'Phone number subscription is not active';
		expectResponse(await send({ from: 4 }), 400, { message });
		expect((await send({ from: 1 })).status).toBe(200);
	});
});

describe('the price', () => {
	it.each([
		['Germany', GERMANY, 0.08],
		['the United States', '+14155552671', 0.01],
		['Britain', '+447400123456', 0.05],
		['France', '+33612345678', 0.07],
		['Japan, which has no price of its own', '+819012345678', 0.1],
	])('of a segment to %s', async (_country, to, segment_price) => {
		for (const [length, segments] of [
			[1, 1],
			[161, 2],
		] as const) {
			const total_cost = segments * segment_price;
			const expected = { segments, segment_price, total_cost };
			expect(getData(await send({ to, body: 'x'.repeat(length) }))).toMatchObject(expected);
		}
	});

	it.each([
		['160 characters of the GSM alphabet', `${'ä'.repeat(159)}\n`, 1],
		['a euro sign takes two places', `${'a'.repeat(159)}€`, 2],
		['70 characters beyond the GSM alphabet', 'щ'.repeat(70), 1],
		['one such character changes the whole text', `${'a'.repeat(70)}щ`, 2],
	])('%s', async (_what, body, segments) => {
		const data = getData(await send({ body }));
		expect(data).toMatchObject({ body, segments });
		expect(data.total_cost).toBeCloseTo(segments * 0.08, 10);
	});
});

describe('the balance', () => {
	const POOR = { message: 'Insufficient balance to send SMS' };

	it('is charged to the last cent, also while another message is delayed', async () => {
		await using own = await withBalance(0.24);
		await own.control.fault({ operation: 'sendSms', delay_ms: 500, times: 1 });
		const delayed = send({}, own.alice);
		while ((await own.control.faults()).length > 0);
		const responses = [await send({}, own.alice), await send({}, own.alice), await delayed];
		responses.push(await send({}, own.alice));
		expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
	});

	it('covers the whole message or nothing is sent', async () => {
		await using own = await withBalance(0.1);
		expectResponse(await send({ body: 'x'.repeat(161) }, own.alice), 400, POOR);
		expect((await send({ body: 'x' }, own.alice)).status).toBe(200);
	});

	it('belongs to the user, and pays for every segment', async () => {
		await send({ body: 'x'.repeat(161) });
		expect(await balances()).toMatchObject([{ balance: 9.84 }, { balance: 10 }]);
	});
});
