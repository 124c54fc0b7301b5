import assert from 'node:assert/strict';

import { DateTime } from 'luxon';

import type { Checks } from '../support/checks.mts';
import type { Delivery } from '../../sandbox/client.mts';
import type { GalleryEnvironment } from './environment.mts';
import { publishExample } from './publishExample.mts';

const NAME = 'Missed a call: answer by SMS';
const TABLE = 'Missed calls';
const ASSISTANT = 2;
/** Longer than any call of the sandbox takes. */
const A_CALL = 'PT2M';

/** From a call to the sandbox to the SMS, and everybody who gets none. */
export async function smsAfterAMissedCall(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { tables } = environment;
	const example = await check(
		'the answer to missed calls is set up twice, and published',
		async () => await publishExample(checks, environment, NAME),
	);
	if (example === undefined) return;
	const { untilEnded } = example;
	const { control } = example.service;
	const callFrom = async (from: string, scenario: string): Promise<void> => {
		await control.inbound({ assistant_id: ASSISTANT, from, scenario });
		await control.advance(A_CALL);
		await untilEnded(1);
	};
	const messagesTo = async (phone: string) =>
		(await control.messages()).filter(({ to }) => to === phone);
	/** Sends a delivered call again, with other values, as the service would send another call. */
	const deliverLike = async ({ url, body }: Delivery, changes: object): Promise<void> => {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ ...body, ...changes }),
		});
		assert.equal(response.status, 200);
	};
	const lastDelivery = async (): Promise<Delivery> => {
		const delivery = (await control.deliveries()).at(-1);
		assert.ok(delivery);
		return delivery;
	};

	for (const [index, outcome] of ['no-answer', 'busy', 'failed'].entries()) {
		await check(`an inbound call that ended as ${outcome} is answered by SMS`, async () => {
			const phone = `+49151123457${index}1`;
			await callFrom(phone, outcome);
			const [message, ...others] = await messagesTo(phone);
			assert.equal(message?.phone_number_id, 2);
			assert.deepEqual(others, []);
		});
	}

	await check('a second missed call on the same day gets no second SMS', async () => {
		const phone = '+4915112345711';
		await callFrom(phone, 'busy');
		assert.equal((await messagesTo(phone)).length, 1);
		const rows = (await tables.rows(TABLE)).filter(({ phone_number }) => phone_number === phone);
		assert.equal(rows.length, 1);
	});

	await check('a number that got an SMS on an earlier day gets one today', async () => {
		const phone = '+4915112345741';
		// In the time zone of n8n, it can still be yesterday.
		const earlier = DateTime.now().minus({ days: 2 });
		const row = { phone_number: phone, day: earlier.toISODate(), sms_at: earlier.toISO() };
		await tables.insert(TABLE, [row]);
		await callFrom(phone, 'no-answer');
		assert.equal((await messagesTo(phone)).length, 1);
	});

	await check('five missed calls of a number at the same moment get one SMS', async () => {
		const phone = '+4915112345751';
		const like = await lastDelivery();
		const ids = [9001, 9002, 9003, 9004, 9005];
		const changes = ids.map((id) => ({ id, customer_phone: phone, status: 'no-answer' }));
		await Promise.all(changes.map(async (change) => await deliverLike(like, change)));
		await untilEnded(ids.length);
		assert.equal((await messagesTo(phone)).length, 1);
	});

	await check('a call in which somebody talked gets no SMS', async () => {
		for (const scenario of ['answered', 'ended_by_customer', 'ended_by_assistant']) {
			await callFrom('+4915112345761', scenario);
		}
		assert.deepEqual(await messagesTo('+4915112345761'), []);
	});

	await check('who hangs up within ten seconds gets an SMS', async () => {
		const like = await lastDelivery();
		const call = { id: 9010, status: 'ended_by_customer' };
		await deliverLike(like, { ...call, customer_phone: '+4915112345771', duration: 9 });
		await deliverLike(like, { ...call, customer_phone: '+4915112345781', duration: 10 });
		await untilEnded(2);
		assert.equal((await messagesTo('+4915112345771')).length, 1);
		assert.deepEqual(await messagesTo('+4915112345781'), []);
	});

	await check('a hidden number, or one in another form, gets no SMS', async () => {
		const like = await lastDelivery();
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
			await deliverLike(like, { id: 9020 + index, customer_phone, status: 'no-answer' });
		}
		await untilEnded(numbers.length);
		assert.deepEqual((await control.requests()).slice(before.length), []);
	});

	await example.unpublish();
}
