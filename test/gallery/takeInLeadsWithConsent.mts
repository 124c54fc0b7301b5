import assert from 'node:assert/strict';

import * as z from 'zod';

import { NO_TIMEOUTS, withText } from './example.mts';
import type { Gallery } from './gallery.mts';
import { checkLateDelivery, leadOf } from './lateDelivery.mts';
import { runWithProbe } from './largeRuns.mts';
import { zoneWhereItIs } from './timeZones.mts';

const LEADS = 'Accepted leads';
const CONSENTS = 'Consents';
const DO_NOT_CALL = 'Do not call';
const SCHEDULE = 'Every 15 minutes';
/** Of the campaign. */
const ASSISTANT = 14;
const answer = z.object({ message: z.string() });

/** A lead as a web form sends it, in whose time zone it is noon. */
const lead = (phoneNumber: string, others: object = {}) => ({
	name: 'Ada Moreno',
	phone_number: phoneNumber,
	time_zone: zoneWhereItIs(12),
	consent: true,
	consent_words: 'Yes, an AI assistant may call me about the offer.',
	source: 'https://shop.example/offer',
	...others,
});

const NUMBER = '+4915150000004';
/** Leads of which something is missing, and what the answer says about it. */
const INCOMPLETE: Array<[body: object, reason: RegExp]> = [
	[lead(NUMBER, { consent: false }), /'consent' must be true/],
	[lead(NUMBER, { consent: undefined }), /'consent' must be true/],
	[lead(NUMBER, { consent: 'off' }), /'consent' must be true/],
	[lead(NUMBER, { consent: 0 }), /'consent' must be true/],
	[lead(NUMBER, { consent_words: ' ' }), /'consent_words'/],
	[lead(NUMBER, { source: undefined }), /'source'/],
	[lead(NUMBER, { name: '' }), /'name'/],
	[lead('0151 50000004'), /'phone_number' must have a country code/],
	[lead(NUMBER, { time_zone: 'Europe/Nowhere' }), /'time_zone'/],
	[lead(NUMBER, { time_zone: undefined }), /'time_zone'/],
	[{}, /'consent'.*'consent_words'.*'source'.*'name'.*'phone_number'.*'time_zone'/],
];

/** An intake of leads that guards consent, the do-not-call list and calling hours. */
export async function takeInLeadsWithConsent(gallery: Gallery): Promise<void> {
	const { check, open, editor, tables, url } = gallery;
	const example = await open('Take in leads with consent', [], [], NO_TIMEOUTS);
	const { control, run } = example;

	const post = async (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
		await fetch(`${url}/webhook/take-in-leads`, { method: 'POST', headers, body });
	const send = async (body: object): Promise<{ status: number; message: string }> => {
		const response = await post(JSON.stringify(body), { 'content-type': 'application/json' });
		return { status: response.status, ...answer.parse(await response.json()) };
	};
	/** The phone numbers of the leads that the service has created. */
	const created = async () =>
		(await example.requests('createLead'))
			.filter(({ status }) => status === 200)
			.map(({ body }) => z.object({ phone_number: z.string() }).parse(body).phone_number);
	const getRows = async (table: string, phone: string) =>
		await tables.rows(table, { phone_number: phone });
	const getResult = async (phone: string) =>
		(await tables.row(LEADS, { phone_number: phone })).result;

	await check('the set-up of the intake makes its tables, also when it runs twice', async () => {
		await example.setUp();
		assert.deepEqual([await tables.rows(LEADS), await tables.rows(CONSENTS)], [[], []]);
		await example.publish();
	});

	await check('a lead with consent is in the campaign, and the proof is kept', async () => {
		const { status } = await send(lead('+49 151 / 5000 0001'));
		assert.equal(status, 200);
		assert.deepEqual(await created(), ['+4915150000001']);
		const { received_at: received, ...consent } = await tables.row(CONSENTS, {
			phone_number: '+4915150000001',
		});
		assert.partialDeepStrictEqual(consent, {
			name: 'Ada Moreno',
			consent_words: 'Yes, an AI assistant may call me about the offer.',
			source: 'https://shop.example/offer',
		});
		assert.ok(Math.abs(Date.parse(String(received)) - Date.now()) < 60_000);
		const row = await tables.row(LEADS, { phone_number: '+4915150000001' });
		assert.deepEqual([row.result, typeof row.lead_id], ['created', 'number']);
	});

	await check('the row of an accepted lead says how the call ended', async () => {
		const row = async () => await tables.row(LEADS, { phone_number: '+4915150000001' });
		const call = { to: '+4915150000001', lead_id: Number((await row()).lead_id) };
		await example.untilHandled(
			await example.callOut({ assistant_id: ASSISTANT, scenario: 'busy', ...call }),
		);
		const { outcome, called_at: calledAt } = await row();
		assert.deepEqual([outcome, typeof calledAt], ['busy', 'string']);
	});

	await checkLateDelivery(
		gallery,
		example,
		async () => await tables.row(LEADS, { phone_number: '+4915150000001' }),
		leadOf,
	);

	await check('a lead that is sent again gets the same answer, and is created once', async () => {
		const first = await send(lead('+4915150000002'));
		for (const number of ['0049 (151) 50000002', '+49 (0)151 50000002']) {
			assert.deepEqual(await send(lead(number)), first);
		}
		assert.deepEqual(await created(), ['+4915150000001', '+4915150000002']);
		assert.equal((await getRows(LEADS, '+4915150000002')).length, 1);
	});

	await check('a lead that is sent ten times at the same moment is created once', async () => {
		const sent = Array.from({ length: 10 }, async () => await send(lead('+4915150000003')));
		const statuses = (await Promise.all(sent)).map(({ status }) => status);
		assert.deepEqual(statuses, Array(10).fill(200));
		const leads = (await example.sent('createLead')).filter(
			({ phone_number: number }) => number === '+4915150000003',
		);
		assert.equal(leads.length, 1);
	});

	await check('a lead with consent can come from an HTML form', async () => {
		for (const [index, consent] of ['on', 'yes', '1'].entries()) {
			const number = `+491515000001${index}`;
			const { status } = await post(new URLSearchParams({ ...lead(number), consent }));
			assert.equal(status, 200, consent);
			assert.equal((await created()).at(-1), number);
		}
	});

	await check('an Italian number keeps the 0 that belongs to it', async () => {
		assert.equal((await send(lead('+39 (0)35 1234567'))).status, 200);
		assert.equal((await created()).at(-1), '+390351234567');
	});

	await check('an incomplete lead is answered with 422 and the reason', async () => {
		const before = await control.requests();
		for (const [body, reason] of INCOMPLETE) {
			const { status, message } = await send(body);
			assert.equal(status, 422, JSON.stringify(body));
			assert.match(message, reason);
		}
		assert.deepEqual(await control.requests(), before);
		assert.deepEqual([await getRows(LEADS, NUMBER), await getRows(CONSENTS, NUMBER)], [[], []]);
	});

	await check('a number of the do-not-call list gets 403, in any spelling', async () => {
		const before = await control.requests();
		await tables.insert(DO_NOT_CALL, [
			{ phone_number: '+4915150000005', reason: 'asked in a call' },
			{ phone_number: '0151 / 5000-0006 ext. 7', reason: 'wrote a letter' },
		]);
		for (const number of ['+4915150000005', '+49 151 50000006']) {
			const { status, message } = await send(lead(number));
			assert.equal(status, 403);
			assert.match(message, /Do not call/);
			assert.equal(await getResult(number.replaceAll(' ', '')), 'do not call');
		}
		assert.deepEqual(await control.requests(), before);
	});

	await check('a number that the service refuses is answered with 422 and its words', async () => {
		const refused = await send(lead('+12345678'));
		assert.equal(refused.status, 422);
		assert.match(refused.message, /Invalid phone number/);
		const row = await tables.row(LEADS, { phone_number: '+12345678' });
		assert.deepEqual([row.result, row.lead_id], ['refused', null]);
		assert.deepEqual(await send(lead('+12345678')), refused);
	});

	await check('a lead whose response was lost is not created again', async () => {
		await control.fault({ operation: 'createLead', drop: 'after' });
		assert.equal((await send(lead('+4915150000007'))).status, 502);
		assert.equal((await send(lead('+4915150000007'))).status, 502);
		await run(SCHEDULE);
		assert.equal(await getResult('+4915150000007'), 'unknown');
		const mentioned = (await control.requests()).filter(({ body }) =>
			JSON.stringify(body).includes('+4915150000007'),
		);
		assert.equal(mentioned.length, 1);
	});

	await check('a lead waits until it may be called where the person lives', async () => {
		const night = { time_zone: zoneWhereItIs(2) };
		for (const number of ['+4915150000008', '+4915150000009']) {
			assert.equal((await send(lead(number, night))).status, 202);
		}
		await run(SCHEDULE);
		const before = await created();
		assert.ok(!before.includes('+4915150000008'));
		await tables.insert(DO_NOT_CALL, [{ phone_number: '+49 151 5000 0009' }]);
		// A user takes the calling hours out of the workflow, so that a lead may be called at night.
		const fromMidnight = withText('"rightValue":9', () => '"rightValue":0');
		const untilMidnight = withText('"rightValue":18', () => '"rightValue":24');
		await editor.saveWorkflow(example.id, untilMidnight(fromMidnight(example.workflow)));
		await run(SCHEDULE);
		await run(SCHEDULE);
		assert.deepEqual(await created(), [...before, '+4915150000008']);
		assert.equal(await getResult('+4915150000008'), 'created');
		assert.equal(await getResult('+4915150000009'), 'do not call');
	});

	await check('of 1,000 leads that wait, those that want no calls are not called', async () => {
		const before = await created();
		const waiting = Array.from({ length: 1000 }, (_, index) => `+49151511${10_000 + index}`);
		// A number of Niue has fewer than eight digits.
		waiting[0] = '+6834002';
		const [unwanted, wanted] = [waiting.slice(0, 100), waiting.slice(100)];
		await tables.insert(DO_NOT_CALL, [
			...unwanted.map((number) => ({ phone_number: number.replace('+49151', '0151 / ') })),
			...wanted.map((number) => ({ phone_number: `${number.slice(0, -4)}9${number.slice(-3)}` })),
		]);
		await tables.insert(
			LEADS,
			waiting.map((phone_number) => ({ name: 'Ada Moreno', phone_number, time_zone: 'UTC' })),
		);
		await runWithProbe(gallery, example, SCHEDULE);
		assert.deepEqual((await created()).slice(before.length).toSorted(), wanted);
		const results = (await tables.rows(LEADS)).slice(-waiting.length).map(({ result }) => result);
		assert.deepEqual(
			results,
			waiting.map((_, index) => (index < unwanted.length ? 'do not call' : 'created')),
		);
	});
}
