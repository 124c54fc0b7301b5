import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { THANK_BY_SMS } from '../../host/n8n/examples.mts';
import { DO_NOT_CALL } from './doNotCall.mts';
import { withNode, withParameters } from './example.mts';
import type { Gallery } from './gallery.mts';
import { isTrue, textsToEnter, withConditions } from './variants.mts';

const ADA = '+14155550101';
const SEND = 'Send the thank-you';
const REST = 'We are looking forward to hearing from you again.';

/** From the end of a call to the SMS. */
export async function thankBySmsWhenCallCompletes({
	check,
	open,
	restart,
	tables,
}: Gallery): Promise<void> {
	const example = await open(THANK_BY_SMS);
	const { next, sent } = example;
	await example.setUp();
	await example.publish();
	const lead_id = await example.addLead({
		campaign_id: 1,
		phone_number: ADA,
		variables: { customer_name: 'Ada Moreno' },
	});
	/** The execution after a call of the assistant. */
	const afterCall = async (call: object) =>
		await next(async () => await example.callOut({ assistant_id: 1, to: ADA, lead_id, ...call }));
	const thanks = { from: 1, to: ADA, body: `Thank you for the call, Ada Moreno! ${REST}` };

	await check('the person who was called is thanked by name', async () => {
		const execution = await afterCall({});
		assert.deepEqual(await sent('sendSms'), [thanks]);
		const [sms, ...others] = getItems(execution, SEND);
		assert.deepEqual([sms?.to, sms?.status, others], [ADA, 'sent', []]);
	});

	await check(
		'a call that is delivered again leads to no second SMS, also after a restart',
		async () => {
			const again = [await next(async () => await example.replay())];
			await example.redeliver();
			await restart();
			again.push(await next(async () => await example.redeliver()));
			for (const execution of again) {
				const results = getItems(execution, SEND).map(({ result }) => result);
				assert.deepEqual(results, ['done before']);
			}
			assert.deepEqual(await sent('sendSms'), [thanks]);
		},
	);

	await check('who wants no more calls is listed, and gets no SMS', async () => {
		const to = '+4915112347702';
		await afterCall({ to, lead_id: undefined, values: { wants_no_calls: true } });
		assert.equal((await tables.rows(DO_NOT_CALL, { phone_number: to })).length, 1);
		assert.deepEqual(await example.smsTo(to), []);
	});

	await check('who is in Do not call gets no SMS', async () => {
		await tables.insert(DO_NOT_CALL, [{ phone_number: '' }, { phone_number: '0151 / 123 477-01' }]);
		const execution = await afterCall({ to: '+4915112347701', lead_id: undefined });
		assert.partialDeepStrictEqual(getItems(execution, SEND), [
			{ result: 'do not call', entry: '0151 / 123 477-01' },
		]);
		assert.deepEqual(await sent('sendSms'), [thanks]);
	});

	await check('somebody who is no lead is thanked without a name', async () => {
		const to = '+14155550177';
		await afterCall({ to, lead_id: undefined });
		const body = `Thank you for the call, it was good to talk to you! ${REST}`;
		assert.deepEqual(await sent('sendSms'), [thanks, { from: 1, to, body }]);
	});

	await check('who did not answer gets nothing', async () => {
		const before = await sent('sendSms');
		for (const scenario of ['no-answer', 'busy', 'failed']) {
			const { runs } = await afterCall({ scenario });
			assert.deepEqual(
				runs.map(({ node }) => node),
				['When a call completes', 'Wants no more calls?', 'Have they talked?'],
			);
		}
		assert.deepEqual(await sent('sendSms'), before);
	});

	await check('a call that is delivered hours or days late leads to no SMS', async () => {
		const before = await sent('sendSms');
		for (const [id, hours] of [
			[9001, 26],
			[9002, 9 * 24],
		] as const) {
			const finished_at = new Date(Date.now() - hours * 3_600_000).toISOString();
			await next(async () => await example.deliver({ id, finished_at }));
		}
		assert.deepEqual(await sent('sendSms'), before);
	});

	await check('changed as its page says, it answers missed calls by SMS, once a day', async () => {
		const [missed, sendable, onlyOnce] = textsToEnter(
			'thank-by-sms-when-call-completes',
			'Missed a call: answer by SMS',
		);
		const changed = await open(THANK_BY_SMS, [
			withParameters('When a call completes', { filters: { directions: ['inbound'] } }),
			withConditions('Have they talked?', ([, isRecent]) => [
				isTrue(missed),
				isTrue(sendable),
				isRecent,
			]),
			withNode(SEND, ({ parameters }) => {
				const options = { ...(parameters?.options as object), onlyOnce };
				return { parameters: { ...parameters, options } };
			}),
		]);
		const { deliver, callIn, smsTo } = changed;
		await changed.publish();
		const [missedOne, talked, hungUp] = ['+4915112345711', '+4915112345761', '+4915112345771'];
		for (const [from, scenario] of [
			[missedOne, 'no-answer'],
			[missedOne, 'busy'],
			[talked, 'answered'],
		] as const) {
			await changed.next(async () => await callIn({ assistant_id: 1, from, scenario }));
		}
		const ended = { status: 'ended_by_customer', duration: 9 };
		for (const customer_phone of [hungUp, null, 'anonymous', '030 23125000']) {
			await changed.next(async () => await deliver({ ...ended, customer_phone }));
		}
		const counts = [missedOne, talked, hungUp].map(async (to) => (await smsTo(to)).length);
		assert.deepEqual(await Promise.all(counts), [1, 0, 1]);
		assert.equal((await changed.sent('sendSms')).length, 2);
	});
}
