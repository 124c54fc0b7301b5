import assert from 'node:assert/strict';

import { DateTime } from 'luxon';
import * as z from 'zod';

import { waitFor } from '../../host/process/wait.mts';
import { asObject } from '../../sandbox/test/support/contract.mts';
import { A_CALL, NO_TIMEOUTS, withParameters, withText, type Example } from './example.mts';
import type { Gallery } from './gallery.mts';
import { endCallsWithProbe } from './largeRuns.mts';
import { zoneWhereItIs } from './timeZones.mts';

const NAME = 'Nobody answered: call again, then SMS';
const ASSISTANT = 4;
const CAMPAIGN = 4;
/** The sandbox decides by the last digits. */
const NEVER_ANSWERS = '+4915112399901';
const LIMIT_MS = 60_000;

/** Calls again at once, at any hour. */
const AT_ONCE = [
	withText('"hours_between_calls","value":2', () => '"hours_between_calls","value":0'),
	withText('"first_hour","value":9', () => '"first_hour","value":0'),
	withText('"last_hour","value":20', () => '"last_hour","value":24'),
];

/** When somebody is called again, by the hour that it is for them two hours after the first call. */
const NEXT_CALLS: Array<[name: string, hour: number, at: (inTwoHours: DateTime) => DateTime]> = [
	[
		'in the calling hours of the person, the next call is two hours later',
		13,
		(inTwoHours) => inTwoHours,
	],
	[
		'in the evening of the person, the next call is the next morning',
		21,
		(inTwoHours) => inTwoHours.startOf('day').plus({ days: 1 }).set({ hour: 9 }),
	],
	[
		'in the night of the person, the next call is that morning',
		4,
		(inTwoHours) => inTwoHours.startOf('day').set({ hour: 9 }),
	],
];

const waitingExecution = z.object({ waitTill: z.string() });

const addPerson = async (example: Example, phone: string, timezone?: string): Promise<number> => {
	const variables = timezone === undefined ? {} : { timezone };
	return await example.addLead({ phone_number: phone, campaign_id: CAMPAIGN, variables });
};

const setCampaign = async ({ account }: Example, action: 'start' | 'stop'): Promise<void> => {
	await account.post('/user/campaigns/update-status', { campaign_id: CAMPAIGN, action });
};

/** How often somebody was called. */
const callsTo = async ({ numbersCalled }: Example, phone: string): Promise<number> =>
	(await numbersCalled()).filter((number) => number === phone).length;

/** The values of *Status* that the workflow sent for each lead, by its id. */
async function statusesSet({ requests }: Example): Promise<Map<number, unknown[]>> {
	const statuses = new Map<number, unknown[]>();
	for (const { path, body } of await requests('updateLead')) {
		const id = Number(path.split('/').at(-1));
		statuses.set(id, [...(statuses.get(id) ?? []), asObject(body, 'the body').status]);
	}
	return statuses;
}

/** From a call of the sandbox to the next call or the SMS, and everything that ends it before. */
export async function callAgainThenSms(gallery: Gallery): Promise<void> {
	await callsAndSms(gallery);
	await atTheNewerService(gallery);
	await callingHours(gallery);
}

async function callsAndSms(gallery: Gallery): Promise<void> {
	const { check, isLarge, open, restart, tables } = gallery;
	const example = await open(NAME, AT_ONCE, [], NO_TIMEOUTS);
	const { control, next, smsTo } = example;
	await example.setUp();
	await example.publish();

	const endCall = async () => await next(async () => await control.advance(A_CALL));
	const callLead = async (lead_id: number, to: string, scenario: string) => {
		await control.outbound({ assistant_id: ASSISTANT, to, lead_id, scenario });
		await endCall();
	};
	const assertStatuses = async (leadId: number, ...expected: string[]) => {
		assert.deepEqual((await statusesSet(example)).get(leadId) ?? [], expected);
	};

	await check('who never answers is called three times, and then gets one SMS', async () => {
		await setCampaign(example, 'start');
		const lead = await addPerson(example, NEVER_ANSWERS);
		for (const count of [1, 2, 3]) {
			assert.equal(await callsTo(example, NEVER_ANSWERS), count);
			// The count is not in the memory of n8n.
			if (count === 3) await restart();
			await endCall();
		}
		await control.advance('P3D');
		assert.equal(await callsTo(example, NEVER_ANSWERS), 3);
		const messages = await control.messages();
		assert.deepEqual(
			messages.map(({ to, phone_number_id }) => ({ to, phone_number_id })),
			[{ to: NEVER_ANSWERS, phone_number_id: 1 }],
		);
		const statuses = ['completed', 'created', 'completed', 'created', 'completed'];
		await assertStatuses(lead, ...statuses);

		await next(async () => await example.replay());
		await restart();
		for (const { id } of await example.ends()) {
			await next(async () => await example.redeliver(id));
		}
		await assertStatuses(lead, ...statuses);
		assert.deepEqual(await control.messages(), messages);
	});

	await check('who answers the second call is called no more, and gets no SMS', async () => {
		const phone = '+4915112345602';
		await setCampaign(example, 'stop');
		const lead = await addPerson(example, phone);
		await callLead(lead, phone, 'no-answer');
		await setCampaign(example, 'start');
		await endCall();
		await control.advance('P3D');
		assert.equal(await callsTo(example, phone), 2);
		await assertStatuses(lead, 'completed', 'created');
		assert.deepEqual(await smsTo(phone), []);
		await setCampaign(example, 'stop');
	});

	await check('a voicemail counts as no answer', async () => {
		const phone = '+4915112345603';
		const lead = await addPerson(example, phone);
		await callLead(lead, phone, 'voicemail');
		await assertStatuses(lead, 'completed', 'created');
	});

	await check('a call that is delivered twice is followed up once', async () => {
		const phone = '+4915112345605';
		const lead = await addPerson(example, phone);
		await callLead(lead, phone, 'no-answer');
		await next(async () => await example.replay());
		await assertStatuses(lead, 'completed', 'created');
	});

	await check('nobody is called again when there was another call in the meantime', async () => {
		const phone = '+4915112345604';
		const lead = await addPerson(example, phone);
		await next(async () => {
			await control.fault({ operation: 'updateLead', delay_ms: 5000 });
			const call = { assistant_id: ASSISTANT, to: phone, lead_id: lead };
			await example.callOut({ ...call, scenario: 'no-answer' });
			await waitFor('the first change of the lead', LIMIT_MS, async () =>
				(await statusesSet(example)).get(lead),
			);
			await control.outbound(call);
		});
		await assertStatuses(lead, 'completed');
		await endCall();
		await assertStatuses(lead, 'completed');
	});

	/** Delivers a call to somebody who did not answer. */
	const deliverNoAnswer = async (id: number, phone: string, lead: number, time: unknown) =>
		await next(
			async () =>
				await example.deliver({
					...{ id, status: 'no-answer', customer_phone: phone },
					...{ created_at: time, finished_at: time },
					lead: { id: lead, phone_number: phone },
				}),
		);

	await check('a call that is delivered after a newer one is not followed up', async () => {
		const phone = '+4915112345607';
		const lead = await addPerson(example, phone);
		await example.unpublish();
		for (const scenario of ['no-answer', 'answered']) {
			await example.callOut({ assistant_id: ASSISTANT, to: phone, lead_id: lead, scenario });
		}
		await example.publish();
		const [missed] = (await control.calls()).filter(
			({ client_phone_number: number }) => number === phone,
		);
		await deliverNoAnswer(Number(missed?.id), phone, lead, missed?.created_at);
		await assertStatuses(lead);
	});

	await check('a call that is delivered nine days late is not followed up', async () => {
		const phone = '+4915112345608';
		const lead = await addPerson(example, phone);
		const time = DateTime.utc().minus({ days: 9 }).toISO();
		await deliverNoAnswer(900_001, phone, lead, time);
		await assertStatuses(lead);
	});

	await check('a call that the service does not list yet is followed up', async () => {
		const phone = '+4915112345609';
		const lead = await addPerson(example, phone);
		await deliverNoAnswer(900_002, phone, lead, DateTime.utc().toISO());
		await assertStatuses(lead, 'completed', 'created');
	});

	await check('who is on the do-not-call list is not called again, and gets no SMS', async () => {
		const phone = '+4915112345606';
		await tables.insert('Do not call', [{ phone_number: '0151 / 1234 5606' }]);
		const lead = await addPerson(example, phone);
		for (let count = 1; count <= 3; count++) await callLead(lead, phone, 'no-answer');
		assert.equal(await callsTo(example, phone), 3);
		await assertStatuses(lead, 'completed', 'completed', 'completed');
		assert.deepEqual(await smsTo(phone), []);
	});

	await check('a call without a lead is not followed up', async () => {
		const before = await control.requests();
		await control.outbound({ assistant_id: ASSISTANT, to: NEVER_ANSWERS });
		await endCall();
		assert.deepEqual(await control.requests(), before);
	});

	const callsAtOnce = isLarge ? 1000 : 200;
	await check(
		`${callsAtOnce} people who did not answer at once are called again once each`,
		async () => {
			const before = (await statusesSet(example)).size;
			for (let person = 0; person < callsAtOnce; person++) {
				const to = `+49151602${10_000 + person}`;
				const lead_id = await addPerson(example, to);
				await control.outbound({ assistant_id: ASSISTANT, to, lead_id, scenario: 'no-answer' });
			}
			await endCallsWithProbe(gallery, example, callsAtOnce);
			const statuses = [...(await statusesSet(example)).values()].slice(before);
			assert.deepEqual(statuses, Array(callsAtOnce).fill(['completed', 'created']));
		},
	);
}

/** Its assistants send completed calls only, until the trigger is published. */
async function atTheNewerService({ check, open }: Gallery): Promise<void> {
	const example = await open(NAME, AT_ONCE, [], NO_TIMEOUTS, 'current');
	const { control, next, smsTo } = example;
	await example.setUp();
	await example.publish();
	await check('at the newer service, who never answers is called three times too', async () => {
		await setCampaign(example, 'start');
		await addPerson(example, NEVER_ANSWERS);
		for (const count of [1, 2, 3]) {
			assert.equal(await callsTo(example, NEVER_ANSWERS), count);
			await next(async () => await control.advance(A_CALL));
		}
		assert.equal((await smsTo(NEVER_ANSWERS)).length, 1);
	});
}

async function callingHours(gallery: Gallery): Promise<void> {
	const { check, open } = gallery;
	const example = await open(NAME);
	await example.publish();
	await setCampaign(example, 'start');

	let waiting = 0;
	/** Calls somebody in vain. @returns when the next call is planned, in their time zone */
	const plannedCall = async (timezone: string): Promise<DateTime> => {
		waiting += 1;
		await addPerson(example, `+491511${waiting}99901`, timezone);
		await example.control.advance(A_CALL);
		return await endOfWait(gallery, example, waiting, timezone);
	};

	for (const [name, hour, at] of NEXT_CALLS) {
		await check(name, async () => {
			const inTwoHours = DateTime.now().plus({ hours: 2 });
			const zone = zoneWhereItIs(hour, inTwoHours);
			assertNear(await plannedCall(zone), at(inTwoHours.setZone(zone)));
		});
	}

	await check('during the wait, the campaign makes no attempts of its own', async () => {
		await example.control.advance('P1D');
		assert.equal((await example.control.calls()).length, waiting);
	});

	await check('a lead with an unknown time zone is not called again', async () => {
		const lead = await addPerson(example, NEVER_ANSWERS, 'Nowhere/City');
		const error = await example.nextError(async () => await example.control.advance(A_CALL));
		assert.match(error, /not a valid date/);
		assert.deepEqual((await statusesSet(example)).get(lead), ['completed']);
		await example.control.advance('P1D');
		assert.equal(await callsTo(example, NEVER_ANSWERS), 1);
	});

	await check('a wait that ends in the night of the person lasts until the morning', async () => {
		// Its first wait ends at once, as the overdue one of an n8n that was down.
		const dateTime = '={{ $runIndex === 0 ? $now.toISO() : $json.go_on_at }}';
		const late = await open(NAME, [withParameters('Wait until then', { dateTime })]);
		await late.publish();
		await setCampaign(late, 'start');
		const zone = zoneWhereItIs(3);
		const lead = await addPerson(late, NEVER_ANSWERS, zone);
		await late.control.advance(A_CALL);
		const time = await endOfWait(gallery, late, 1, zone);
		assertNear(time, DateTime.now().setZone(zone).startOf('day').set({ hour: 9 }));
		assert.deepEqual((await statusesSet(late)).get(lead), ['completed']);
	});
}

/** Waits until so many executions wait. @returns until when the last one waits, in this time zone */
async function endOfWait(
	{ editor }: Gallery,
	example: Example,
	count: number,
	zone: string,
): Promise<DateTime> {
	await example.untilWaiting(count);
	const id = Math.max(...[...(await editor.executionStates(example.id)).keys()].map(Number));
	const { waitTill } = await editor.rest.call(waitingExecution, 'GET', `/executions/${id}`);
	return DateTime.fromISO(waitTill, { zone });
}

function assertNear(time: DateTime, expected: DateTime): void {
	const minutes = Math.abs(time.diff(expected, 'minutes').minutes);
	assert.ok(minutes < 5, `${time.toISO()} is not near ${expected.toISO()}.`);
}
