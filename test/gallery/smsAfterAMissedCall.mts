import assert from 'node:assert/strict';

import { DateTime } from 'luxon';

import type { Gallery } from './gallery.mts';

const TABLE = 'Missed calls';
const ASSISTANT = 2;

/** From a call to the sandbox to the SMS, and everybody who gets none. */
export async function smsAfterAMissedCall({ check, open, tables }: Gallery): Promise<void> {
	const example = await open('Missed a call: answer by SMS');
	const { control, deliver, next, smsTo } = example;
	await example.setUp();
	await example.publish();

	const callFrom = async (from: string, scenario: string): Promise<void> => {
		await next(async () => await example.callIn({ assistant_id: ASSISTANT, from, scenario }));
	};
	const assertSms = async (phone: string, count: number): Promise<void> => {
		assert.equal((await smsTo(phone)).length, count, phone);
	};

	for (const [index, outcome] of ['no-answer', 'busy', 'failed'].entries()) {
		await check(`an inbound call that ended as ${outcome} is answered by SMS`, async () => {
			const phone = `+49151123457${index}1`;
			await callFrom(phone, outcome);
			const senders = (await smsTo(phone)).map(({ phone_number_id }) => phone_number_id);
			assert.deepEqual(senders, [2]);
		});
	}

	await check('a second missed call on the same day gets no second SMS', async () => {
		const phone = '+4915112345711';
		await callFrom(phone, 'busy');
		await assertSms(phone, 1);
		await tables.row(TABLE, { phone_number: phone });
	});

	await check('a number that got an SMS on an earlier day gets one today', async () => {
		const phone = '+4915112345741';
		// In the time zone of n8n, it can still be yesterday.
		const earlier = DateTime.now().minus({ days: 2 });
		const row = { phone_number: phone, day: earlier.toISODate(), sms_at: earlier.toISO() };
		await tables.insert(TABLE, [row]);
		await callFrom(phone, 'no-answer');
		await assertSms(phone, 1);
	});

	await check('five missed calls of a number at the same moment get one SMS', async () => {
		const call = { customer_phone: '+4915112345751', status: 'no-answer' };
		const ids = [9001, 9002, 9003, 9004, 9005];
		const deliverAll = async () =>
			await Promise.all(ids.map(async (id) => await deliver({ ...call, id })));
		await next(deliverAll, ids.length);
		await assertSms(call.customer_phone, 1);
	});

	await check('a call in which somebody talked gets no SMS', async () => {
		for (const scenario of ['answered', 'ended_by_customer', 'ended_by_assistant']) {
			await callFrom('+4915112345761', scenario);
		}
		await assertSms('+4915112345761', 0);
	});

	await check('who hangs up within ten seconds gets an SMS', async () => {
		for (const [customer_phone, duration, count] of [
			['+4915112345771', 9, 1],
			['+4915112345781', 10, 0],
		] as const) {
			const call = { id: 9010, status: 'ended_by_customer', customer_phone, duration };
			await next(async () => await deliver(call));
			await assertSms(customer_phone, count);
		}
	});

	await check('a hidden number, or one in another form, gets no SMS', async () => {
		const before = await control.requests();
		const numbers = [
			null,
			'',
			'anonymous',
			'030 23125000',
			'004930123456',
			'+49 30 1234567',
			'+12',
		];
		for (const [index, customer_phone] of numbers.entries()) {
			await next(
				async () => await deliver({ id: 9020 + index, customer_phone, status: 'no-answer' }),
			);
		}
		assert.deepEqual(await control.requests(), before);
	});
}
