import assert from 'node:assert/strict';

import { DateTime } from 'luxon';

import type { Workflow } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import type { GalleryEnvironment } from './environment.mts';
import { nextExecution } from './nextExecution.mts';
import { openExample, withParameters } from './openExample.mts';
import { postDelivery } from './postDelivery.mts';
import { runWithProbe } from './runWithProbe.mts';
import type { Row } from './tables.mts';
import { zoneWhereItIs } from './timeZones.mts';
import { untilCallIsHandled } from './untilCallIsHandled.mts';

const NAME = 'Remind of appointments the day before';
const TABLE = 'Appointments';
const ASSISTANT = 3;
const CAMPAIGN = 3;
const TOMORROW = 1;
const NO_ANSWER = '+14155599901';

const withoutSamples = (workflow: Workflow): Workflow =>
	withParameters(workflow, 'Sample appointments', { jsonOutput: '{ "rows": [] }' });

/** A row whose person is where it is this hour of the day now. */
function appointment(phoneNumber: string, hourThere: number, days: number, time = '14:30'): Row {
	const zone = zoneWhereItIs(hourThere);
	const [hour, minute] = time.split(':').map(Number);
	const at = DateTime.now().setZone(zone).plus({ days }).set({ hour, minute, second: 0 });
	return {
		name: `Person ${phoneNumber}`,
		phone_number: phoneNumber,
		time_zone: zone,
		appointment_at: at.toISO(),
	};
}

/** The appointments of tomorrow and of other days, by day and by night, in several time zones. */
export async function remindOfAppointments(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { editor, tables } = environment;

	await check(
		'Set up once makes the table of appointments, and adds its samples once',
		async () => {
			const { run } = await openExample(checks, environment, NAME);
			await run('Set up once');
			await run('Set up once');
			const zones = (await tables.rows(TABLE)).map(({ time_zone: zone }) => zone);
			assert.deepEqual(zones, ['Europe/London', 'America/Los_Angeles', 'Australia/Perth']);
			await tables.remove(TABLE);
		},
	);

	const example = await openExample(checks, environment, NAME, withoutSamples);
	const { run, service } = example;
	await run('Set up once');

	const reminders = async (phoneNumber: string) =>
		(await example.sent('createLead')).filter((lead) => lead.phone_number === phoneNumber);

	await check(
		'only appointments of tomorrow where the person is, and only by day there, start calls',
		async () => {
			await tables.insert(TABLE, [
				appointment('+14155550101', 11, TOMORROW, '00:30'),
				{ ...appointment('+14155550102', 15, TOMORROW, '23:30'), reminded: false },
				appointment('+14155550103', 11, 0, '23:30'),
				appointment('+14155550104', 15, 2, '00:30'),
				appointment('+14155550105', 3, TOMORROW),
				appointment('+14155550106', 20, TOMORROW),
				{ ...appointment('+14155550107', 11, TOMORROW), reminded: true },
			]);
			await run('Every hour');
			const lead = (phoneNumber: string, time: string) => ({
				campaign_id: CAMPAIGN,
				phone_number: phoneNumber,
				allow_dupplicate: true,
				variables: { customer_name: `Person ${phoneNumber}`, appointment_time: time },
			});
			assert.deepEqual(
				(await example.sent('createLead')).toSorted((a, b) =>
					String(a.phone_number).localeCompare(String(b.phone_number)),
				),
				[lead('+14155550101', '12:30 AM'), lead('+14155550102', '11:30 PM')],
			);
			assert.deepEqual(await example.sent('updateCampaignStatus'), [
				{ campaign_id: CAMPAIGN, action: 'start' },
			]);
			const marked = (await tables.rows(TABLE)).filter(({ reminded }) => reminded === true);
			assert.deepEqual(
				marked.map(({ phone_number: phoneNumber }) => phoneNumber),
				['+14155550101', '+14155550102', '+14155550107'],
			);
		},
	);

	await check(
		'an appointment is reminded of once when two runs come at the same time',
		async () => {
			await tables.insert(TABLE, [appointment(NO_ANSWER, 15, TOMORROW)]);
			await Promise.all([run('Every hour'), run('Every hour')]);
			await run('Every hour');
			assert.equal((await reminders(NO_ANSWER)).length, 1);
			assert.equal((await example.sent('createLead')).length, 3);
		},
	);

	await check('a person with two appointments gets one call in a run', async () => {
		const number = '+14155550108';
		await tables.insert(TABLE, [
			appointment(number, 11, TOMORROW, '09:00'),
			appointment(number, 11, TOMORROW, '16:00'),
		]);
		await run('Every hour');
		assert.equal((await reminders(number)).length, 1);
		await run('Every hour');
		assert.deepEqual(
			(await reminders(number)).map(({ variables }) => (variables as Row).appointment_time),
			['9:00 AM', '4:00 PM'],
		);
	});

	await check(
		'an appointment whose call is uncertain stays marked, and its row says why',
		async () => {
			const number = '+14155550109';
			await tables.insert(TABLE, [appointment(number, 11, TOMORROW)]);
			await service.control.fault({ operation: 'createLead', drop: 'after' });
			await run('Every hour');
			await run('Every hour');
			assert.equal((await reminders(number)).length, 1);
			const {
				reminded,
				lead_id: leadId,
				problem,
			} = await tables.row(TABLE, 'phone_number', number);
			assert.deepEqual({ reminded, leadId }, { reminded: true, leadId: null });
			assert.notEqual(problem, '');
			assert.notEqual(problem, null);
		},
	);

	await check(
		'appointments with a wrong time zone or phone number call nobody, and say why',
		async () => {
			const before = (await example.sent('createLead')).length;
			await tables.insert(TABLE, [
				{ ...appointment('+14155550110', 11, TOMORROW), time_zone: null },
				{ ...appointment('+14155550111', 11, TOMORROW), time_zone: 'Berlin' },
				appointment('12', 11, TOMORROW),
			]);
			await run('Every hour');
			const sent = (await example.sent('createLead')).slice(before);
			assert.deepEqual(
				sent.map(({ phone_number: number }) => number),
				['12'],
			);
			for (const number of ['+14155550110', '+14155550111']) {
				const { reminded, problem } = await tables.row(TABLE, 'phone_number', number);
				assert.equal(reminded, null);
				assert.equal(problem, 'The time zone is not known. Write it as in Europe/Berlin.');
			}
			assert.match(String((await tables.row(TABLE, 'phone_number', '12')).problem), /Phone Number/);
		},
	);

	await check('each answer arrives in the row of its appointment, and in no other', async () => {
		const before = await tables.rows(TABLE);
		await example.publish();
		const other = await service.control.outbound({ assistant_id: ASSISTANT, to: '+14155550199' });
		await service.control.advance('PT10M');
		const calls = await service.control.calls();
		const answered = calls.filter(({ status }) => status === 'completed');
		for (const { id } of answered) {
			await untilCallIsHandled(editor, example.id, 'When a call completes', id);
		}

		assert.ok(answered.some(({ id }) => id === other.id));
		const answerOf = new Map(
			answered.map(({ lead_id: leadId, variables }) => [leadId, (variables as Row).will_come]),
		);
		assert.deepEqual(
			(await tables.rows(TABLE)).map(({ id, will_come: willCome }) => ({ id, willCome })),
			before.map(({ id, lead_id: leadId }) => ({
				id,
				willCome: leadId === null ? null : (answerOf.get(leadId as number) ?? null),
			})),
		);
		assert.equal((await tables.row(TABLE, 'phone_number', NO_ANSWER)).will_come, null);
		assert.equal(
			typeof (await tables.row(TABLE, 'phone_number', '+14155550101')).will_come,
			'boolean',
		);
	});

	await check('an answer that comes as a text is yes or no, or stays empty', async () => {
		const number = '+14155550102';
		const { lead_id: leadId } = await tables.row(TABLE, 'phone_number', number);
		const answered = async (willCome: string) => {
			const variables = { extracted_variables: { will_come: willCome } };
			await nextExecution(environment, example, async () => {
				await postDelivery(service, { status: 'completed', lead: { id: leadId }, ...variables });
			});
			return (await tables.row(TABLE, 'phone_number', number)).will_come;
		};
		assert.equal(await answered('no'), false);
		assert.equal(await answered('Yes'), true);
		assert.equal(await answered('perhaps'), null);
	});

	await example.unpublish();

	await check('of 1,000 appointments, the 100 that are due are called once', async () => {
		const before = (await example.sent('createLead')).length;
		const numbers = Array.from({ length: 1000 }, (_, index) => `+1415600${1000 + index}`);
		await tables.insert(
			TABLE,
			numbers.map((number, index) => appointment(number, index < 100 ? 12 : 3, TOMORROW)),
		);
		await runWithProbe(environment, example, 'Every hour');
		const called = (await example.sent('createLead')).slice(before);
		assert.deepEqual(
			called.map(({ phone_number: number }) => String(number)).sort(),
			numbers.slice(0, 100),
		);
	});
	await tables.remove(TABLE);
}
