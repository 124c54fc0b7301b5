import assert from 'node:assert/strict';

import * as z from 'zod';

import type { Checks } from '../support/checks.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample, withParameters } from './openExample.mts';
import { runWithProbe } from './runWithProbe.mts';
import { zoneWhereItIs } from './timeZones.mts';

const LEADS = 'Accepted leads';
const SCHEDULE = 'Every 15 minutes';
const HOURS = 'Is it time to call?';
const answer = z.object({ message: z.string() });
const hoursNode = z.object({
	parameters: z.object({
		conditions: z.object({ conditions: z.array(z.unknown()) }).passthrough(),
	}),
});

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

/** An intake of leads that guards consent, the do-not-call list and calling hours. */
export async function takeInLeadsWithConsent(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { editor, tables, url } = environment;
	const example = await openExample(checks, environment, 'Take in leads with consent');
	const { id, workflow, service, requests, run, publish, unpublish } = example;

	const send = async (body: object): Promise<{ status: number; message: string }> => {
		const response = await fetch(`${url}/webhook/take-in-leads`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return { status: response.status, ...answer.parse(await response.json()) };
	};

	/** The phone numbers of the leads that the service has created. */
	const created = async () =>
		(await requests('createLead'))
			.filter(({ status }) => status === 200)
			.map(({ body }) => z.object({ phone_number: z.string() }).parse(body).phone_number);

	const rowsOf = async (table: string, phoneNumber: string) =>
		(await tables.rows(table)).filter(({ phone_number }) => phone_number === phoneNumber);

	/** Takes the calling hours out of the workflow, as a user can, so that a night lead may be called. */
	const openAllDay = async () => {
		const node = workflow.nodes.find(({ name }) => name === HOURS);
		const { conditions } = hoursNode.parse(node).parameters;
		const [isNew] = conditions.conditions;
		const changed = { conditions: { ...conditions, conditions: [isNew] } };
		await editor.saveWorkflow(id, withParameters(workflow, HOURS, changed));
	};

	await check('the set-up of the intake makes its tables, also when it runs twice', async () => {
		await run('Set up once');
		await run('Set up once');
		assert.deepEqual(await tables.rows(LEADS), []);
		assert.deepEqual(await tables.rows('Consents'), []);
		await publish();
	});

	await check(
		'a lead with consent reaches the campaign, and the proof of consent is kept',
		async () => {
			const { status } = await send(lead('+49 151 / 5000 0001'));
			assert.equal(status, 200);
			assert.deepEqual(await created(), ['+4915150000001']);
			const [consent, ...others] = await rowsOf('Consents', '+4915150000001');
			assert.deepEqual(others, []);
			assert.equal(consent?.name, 'Ada Moreno');
			assert.equal(consent.consent_words, 'Yes, an AI assistant may call me about the offer.');
			assert.equal(consent.source, 'https://shop.example/offer');
			assert.ok(Math.abs(Date.parse(String(consent.received_at)) - Date.now()) < 60_000);
			const [row] = await rowsOf(LEADS, '+4915150000001');
			assert.equal(row?.result, 'created');
			assert.equal(typeof row.lead_id, 'number');
		},
	);

	await check('a lead that is sent again gets the same answer, and is created once', async () => {
		const first = await send(lead('+4915150000002'));
		for (const number of ['0049 (151) 50000002', '+49 (0)151 50000002']) {
			assert.deepEqual(await send(lead(number)), first);
		}
		assert.deepEqual(await created(), ['+4915150000001', '+4915150000002']);
		assert.equal((await rowsOf(LEADS, '+4915150000002')).length, 1);
	});

	await check('a lead that is sent ten times at the same moment is created once', async () => {
		const answers = await Promise.all(
			Array.from({ length: 10 }, async () => await send(lead('+4915150000003'))),
		);
		assert.deepEqual(
			answers.filter(({ status }) => status !== 200),
			[],
		);
		const leads = (await created()).filter((number) => number === '+4915150000003');
		assert.equal(leads.length, 1);
	});

	await check('a lead with consent can come from an HTML form', async () => {
		for (const [index, consent] of ['on', 'yes', '1'].entries()) {
			const number = `+491515000001${index}`;
			const response = await fetch(`${url}/webhook/take-in-leads`, {
				method: 'POST',
				body: new URLSearchParams({ ...lead(number), consent }),
			});
			assert.equal(response.status, 200, consent);
			assert.equal((await created()).at(-1), number);
		}
	});

	await check('an Italian number keeps the 0 that belongs to it', async () => {
		assert.equal((await send(lead('+39 (0)35 1234567'))).status, 200);
		assert.equal((await created()).at(-1), '+390351234567');
	});

	await check(
		'a lead of which something is missing is answered with 422 and the reason',
		async () => {
			const before = (await service.control.requests()).length;
			const number = '+4915150000004';
			const refusals: Array<[body: object, reason: RegExp]> = [
				[lead(number, { consent: false }), /'consent' must be true/],
				[lead(number, { consent: undefined }), /'consent' must be true/],
				[lead(number, { consent: 'off' }), /'consent' must be true/],
				[lead(number, { consent: 0 }), /'consent' must be true/],
				[lead(number, { consent_words: ' ' }), /'consent_words'/],
				[lead(number, { source: undefined }), /'source'/],
				[lead(number, { name: '' }), /'name'/],
				[lead('0151 50000004'), /'phone_number' must have a country code/],
				[lead(number, { time_zone: 'Europe/Nowhere' }), /'time_zone'/],
				[lead(number, { time_zone: undefined }), /'time_zone'/],
				[{}, /'consent'.*'consent_words'.*'source'.*'name'.*'phone_number'.*'time_zone'/],
			];
			for (const [body, reason] of refusals) {
				const { status, message } = await send(body);
				assert.equal(status, 422, JSON.stringify(body));
				assert.match(message, reason);
			}
			assert.equal((await service.control.requests()).length, before);
			assert.deepEqual(await rowsOf(LEADS, number), []);
			assert.deepEqual(await rowsOf('Consents', number), []);
		},
	);

	await check(
		'a number of the do-not-call list is answered with 403, however it is written there',
		async () => {
			const before = (await service.control.requests()).length;
			await tables.insert('Do not call', [
				{ phone_number: '+4915150000005', reason: 'asked in a call' },
				{ phone_number: '0151 / 5000-0006', reason: 'wrote a letter' },
			]);
			for (const number of ['+4915150000005', '+49 151 50000006']) {
				const { status, message } = await send(lead(number));
				assert.equal(status, 403);
				assert.match(message, /Do not call/);
			}
			assert.equal((await service.control.requests()).length, before);
			assert.deepEqual(await rowsOf(LEADS, '+4915150000005'), []);
		},
	);

	await check('a number that the service refuses is answered with 422 and its words', async () => {
		const refused = await send(lead('+12345678'));
		assert.equal(refused.status, 422);
		assert.match(refused.message, /Invalid phone number/);
		const [row] = await rowsOf(LEADS, '+12345678');
		assert.deepEqual([row?.result, row?.lead_id], ['refused', null]);
		assert.deepEqual(await send(lead('+12345678')), refused);
	});

	await check('a lead whose response was lost is not created again', async () => {
		await service.control.fault({ operation: 'createLead', drop: 'after' });
		assert.equal((await send(lead('+4915150000007'))).status, 502);
		assert.equal((await send(lead('+4915150000007'))).status, 502);
		await run(SCHEDULE);
		assert.equal((await rowsOf(LEADS, '+4915150000007'))[0]?.result, 'unknown');
		const mentioned = (await service.control.requests()).filter(({ body }) =>
			JSON.stringify(body).includes('+4915150000007'),
		);
		assert.equal(mentioned.length, 1);
	});

	await check(
		'a lead waits until calling hours begin where the person lives, and is called once',
		async () => {
			const night = { time_zone: zoneWhereItIs(2) };
			for (const number of ['+4915150000008', '+4915150000009']) {
				assert.equal((await send(lead(number, night))).status, 202);
			}
			await run(SCHEDULE);
			const before = await created();
			assert.ok(!before.includes('+4915150000008'));
			await tables.insert('Do not call', [{ phone_number: '+49 151 5000 0009' }]);
			await openAllDay();
			await run(SCHEDULE);
			await run(SCHEDULE);
			assert.deepEqual(await created(), [...before, '+4915150000008']);
			assert.equal((await rowsOf(LEADS, '+4915150000008'))[0]?.result, 'created');
			assert.equal((await rowsOf(LEADS, '+4915150000009'))[0]?.result, 'do not call');
		},
	);

	await check('of 1,000 leads that wait, those that want no calls are not called', async () => {
		const before = await created();
		const waiting = Array.from({ length: 1000 }, (_, index) => `+49151511${10_000 + index}`);
		// A number of Niue has fewer than eight digits.
		waiting[0] = '+6834002';
		const [unwanted, wanted] = [waiting.slice(0, 100), waiting.slice(100)];
		await tables.insert('Do not call', [
			...unwanted.map((number) => ({ phone_number: number.replace('+49151', '0151 / ') })),
			...wanted.map((number) => ({ phone_number: `${number.slice(0, -4)}9${number.slice(-3)}` })),
		]);
		await tables.insert(
			LEADS,
			waiting.map((phone_number) => ({ name: 'Ada Moreno', phone_number, time_zone: 'UTC' })),
		);
		await runWithProbe(environment, example, SCHEDULE);
		assert.deepEqual((await created()).slice(before.length).toSorted(), wanted);
		const results = (await tables.rows(LEADS)).slice(-waiting.length).map(({ result }) => result);
		assert.deepEqual(
			results,
			waiting.map((_, index) => (index < unwanted.length ? 'do not call' : 'created')),
		);
	});

	await unpublish();
}
