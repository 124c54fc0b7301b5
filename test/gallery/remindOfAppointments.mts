import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { DateTime } from 'luxon';

import { SET_UP } from '../../host/n8n/examples.mts';
import { asObject } from '../../sandbox/test/support/contract.mts';
import { checkDoNotCall, numbersAddedBy } from './doNotCall.mts';
import {
	A_CALL,
	NO_TIMEOUTS,
	withNode,
	withParameters,
	withText,
	type Change,
} from './example.mts';
import type { Gallery } from './gallery.mts';
import { runWithProbe } from './largeRuns.mts';
import type { Row } from './tables.mts';
import { withTimeZone, zoneWhereItIs } from './timeZones.mts';
import { isTrue, textsToEnter, toColumns, withConditions, withoutNodes } from './variants.mts';

const NAME = 'Remind of appointments the day before';
const TABLE = 'Appointments';
const RUN = 'Every hour';
const TOMORROW = 1;
const SAMPLES = [
	'Sample appointments',
	'One item for each',
	'Not in the table yet',
	'Add the samples',
];
/** Those that use the table. */
const TABLE_NODES = [
	'Appointments of the next days',
	'Mark as reminded',
	'Note the problem',
	'Write the answer',
];
const NO_ANSWER = '+14155599901';

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

/** Starts it as its schedule does: an execution that is started by hand does not look at *Only Once Per*. */
const NOW = 'remind-now';
const withWebhook: Change = (workflow) => ({
	...workflow,
	nodes: [
		...workflow.nodes,
		{
			id: randomUUID(),
			name: NOW,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0],
			parameters: { httpMethod: 'POST', path: NOW, options: {} },
		},
	],
	connections: {
		...workflow.connections,
		[NOW]: { main: [[{ node: 'Read Do not call', type: 'main', index: 0 }]] },
	},
});

/** The appointments of tomorrow and of other days, by day and by night, in several time zones. */
export async function remindOfAppointments(gallery: Gallery): Promise<void> {
	const { check, largeCheck, open, tables, url } = gallery;

	await check('the set-up makes the table of appointments with its samples once', async () => {
		await (await open(NAME)).setUp();
		const zones = (await tables.rows(TABLE)).map(({ time_zone: zone }) => zone);
		assert.deepEqual(zones, ['Europe/London', 'America/Los_Angeles', 'Australia/Perth']);
		await tables.remove(TABLE);
	});

	const withoutSamples = withParameters('Sample appointments', { jsonOutput: '{ "rows": [] }' });
	const zoneOfWorkflow = zoneWhereItIs(11);
	const example = await open(NAME, [withoutSamples, withTimeZone(zoneOfWorkflow), withWebhook]);
	const { control, run } = example;
	await run(SET_UP);
	await example.publish();

	/** Lets it run so many times at the same moment. */
	const remind = async (count = 1) => {
		await example.next(async () => {
			const start = async () => await fetch(`${url}/webhook/${NOW}`, { method: 'POST' });
			await Promise.all(Array.from({ length: count }, start));
		}, count);
	};

	/** Adds rows, and runs the example. @returns the leads that were added for them */
	const leadsFor = async (...rows: Row[]) => {
		const before = (await example.sent('createLead')).length;
		if (rows.length > 0) await tables.insert(TABLE, rows);
		await remind();
		return (await example.sent('createLead')).slice(before);
	};
	const getRow = async (phone: string) => await tables.row(TABLE, { phone_number: phone });

	await check('only appointments of tomorrow start calls, and by day, as it is there', async () => {
		const leads = await leadsFor(
			appointment('+14155550101', 11, TOMORROW, '00:30'),
			{ ...appointment('+14155550102', 15, TOMORROW, '23:30'), reminded: false },
			appointment('+14155550103', 11, 0, '23:30'),
			appointment('+14155550104', 15, 2, '00:30'),
			appointment('+14155550105', 3, TOMORROW),
			appointment('+14155550106', 20, TOMORROW),
			{ ...appointment('+14155550107', 11, TOMORROW), reminded: true },
		);
		const lead = (phoneNumber: string, time: string) => ({
			campaign_id: 3,
			phone_number: phoneNumber,
			allow_dupplicate: true,
			variables: { customer_name: `Person ${phoneNumber}`, appointment_time: time },
		});
		assert.deepEqual(
			leads.toSorted((a, b) => String(a.phone_number).localeCompare(String(b.phone_number))),
			[lead('+14155550101', '12:30 AM'), lead('+14155550102', '11:30 PM')],
		);
		assert.deepEqual(await example.sent('updateCampaignStatus'), [
			{ campaign_id: 3, action: 'start' },
		]);
		const marked = await tables.rows(TABLE, { reminded: true });
		assert.deepEqual(
			marked.map(({ phone_number: phoneNumber }) => phoneNumber),
			['+14155550101', '+14155550102', '+14155550107'],
		);
	});

	await check('two runs at the same time remind of an appointment once', async () => {
		await tables.insert(TABLE, [appointment(NO_ANSWER, 15, TOMORROW)]);
		await remind(2);
		await remind();
		const [lead, ...others] = (await example.sent('createLead')).slice(2);
		assert.equal(lead?.phone_number, NO_ANSWER);
		assert.deepEqual(others, []);
	});

	await check('a person with two appointments gets one call in a run', async () => {
		const number = '+14155550108';
		const rows = ['09:00', '16:00'].map((time) => appointment(number, 11, TOMORROW, time));
		const runs = [await leadsFor(...rows), await leadsFor()];
		assert.deepEqual(
			runs.map((leads) => leads.map(({ variables }) => (variables as Row).appointment_time)),
			[['9:00 AM'], ['4:00 PM']],
		);
	});

	await check(
		'an appointment whose call is uncertain is not called again, and says why',
		async () => {
			const number = '+14155550109';
			await control.fault({ operation: 'createLead', drop: 'after' });
			assert.equal((await leadsFor(appointment(number, 11, TOMORROW))).length, 1);
			assert.deepEqual(await leadsFor(), []);
			const row = await getRow(number);
			assert.deepEqual([row.reminded, row.lead_id], [null, null]);
			assert.ok(row.problem);
			await tables.update(TABLE, row, { reminded: true });
		},
	);

	await check('a row that is not marked after its call is not called again', async () => {
		const row = await getRow('+14155550101');
		await tables.update(TABLE, row, { reminded: false });
		assert.deepEqual(await leadsFor(), []);
		await tables.update(TABLE, row, { reminded: true });
	});

	await check('without a time zone of the person, that of the workflow counts', async () => {
		const row = appointment('+14155550110', 11, TOMORROW);
		const [lead, ...others] = await leadsFor({ ...row, time_zone: '' });
		// The hour may have changed since the workflow got its zone.
		const there = DateTime.fromISO(String(row.appointment_at)).setZone(zoneOfWorkflow);
		assert.equal((lead?.variables as Row).appointment_time, there.toFormat('h:mm a'));
		assert.deepEqual(others, []);
	});

	await check('a wrong time zone or phone number calls nobody, and its row says why', async () => {
		const leads = await leadsFor(
			{ ...appointment('+14155550111', 11, TOMORROW), time_zone: 'Berlin' },
			appointment('12', 11, TOMORROW),
		);
		assert.deepEqual(
			leads.map(({ phone_number: number }) => number),
			['12'],
		);
		{
			const { reminded, problem } = await getRow('+14155550111');
			assert.equal(reminded, null);
			assert.equal(problem, 'The time zone is not known. Write it as in Europe/Berlin.');
		}
		assert.match(String((await getRow('12')).problem), /Phone Number.+\. .+too short.+\.$/s);
		const again = (await leadsFor()).map(({ phone_number: number }) => number);
		assert.deepEqual(again, ['12']);
		await tables.update(TABLE, await getRow('12'), { reminded: true });
	});

	await check('each answer arrives in the row of its appointment, and in no other', async () => {
		const before = await tables.rows(TABLE);
		const other = await control.outbound({ assistant_id: 3, to: '+14155550199' });
		await control.advance('PT10M');
		const answered = (await control.calls()).filter(({ status }) => status === 'completed');
		for (const { id } of answered) await example.untilHandled(id);

		assert.ok(answered.some(({ id }) => id === other.id));
		const answers = new Map(
			answered.map(({ lead_id: leadId, variables }) => [leadId, (variables as Row).will_come]),
		);
		assert.deepEqual(
			(await tables.rows(TABLE)).map(({ id, will_come: willCome }) => ({ id, willCome })),
			before.map(({ id, lead_id: leadId }) => ({
				id,
				willCome: leadId === null ? null : (answers.get(leadId) ?? null),
			})),
		);
		assert.equal((await getRow(NO_ANSWER)).will_come, null);
		assert.equal(typeof (await getRow('+14155550101')).will_come, 'boolean');
	});

	await check('an answer that comes as a text is yes or no, or stays empty', async () => {
		const { lead_id: id } = await getRow('+14155550102');
		for (const [text, willCome] of [
			['no', false],
			['Yes', true],
			['perhaps', null],
		] as const) {
			const extracted_variables = { will_come: text };
			await example.next(async () => {
				await example.deliver({ status: 'completed', lead: { id }, extracted_variables });
			});
			assert.equal((await getRow('+14155550102')).will_come, willCome);
		}
	});

	await checkDoNotCall(gallery, example, async (numbers) => {
		const rows = numbers.map((number) => appointment(number, 11, TOMORROW));
		await tables.insert(TABLE, rows);
		const added = await numbersAddedBy(example, async () => await run(RUN));
		for (const number of numbers.slice(0, numbers.length - added.length)) {
			const { reminded, problem } = await getRow(number);
			assert.deepEqual({ reminded, problem }, { reminded: null, problem: 'do not call' });
		}
		return added;
	});

	await largeCheck('of 1,000 appointments, the 100 that are due are called once', async () => {
		const before = (await example.sent('createLead')).length;
		const numbers = Array.from({ length: 1000 }, (_, index) => `+1415600${1000 + index}`);
		await tables.insert(
			TABLE,
			numbers.map((number, index) => appointment(number, index < 100 ? 12 : 3, TOMORROW)),
		);
		await runWithProbe(gallery, example, RUN);
		const called = (await example.sent('createLead')).slice(before);
		assert.deepEqual(
			called.map(({ phone_number: number }) => String(number)).sort(),
			numbers.slice(0, 100),
		);
	});

	await remindOfPayments(gallery);
}

const INVOICES = 'Invoices';

/** The invoice of somebody who is called at this hour of the day. */
const overdue = (phone_number: string, hourThere: number, others: Row = {}): Row => ({
	name: `Person ${phone_number}`,
	phone_number,
	time_zone: zoneWhereItIs(hourThere),
	due_on: '2026-01-31',
	invoice: `Invoice ${phone_number.slice(-2)}`,
	amount: '80 dollars',
	...others,
});

/** What the page says to change for payments. */
function paymentChanges(): Change[] {
	const [
		dueBefore,
		isOpen,
		isTime,
		reminders,
		last_reminder,
		invoice,
		amount,
		due_date,
		onlyOnce,
		isDay,
		day,
	] = textsToEnter('remind-of-appointments', 'Remind of payments');
	const column = Object.entries({
		...{ name: 'string', phone_number: 'string', time_zone: 'string', due_on: 'string' },
		...{ promised_on: 'string', invoice: 'string', amount: 'string', paid: 'boolean' },
		...{ reminders: 'number', last_reminder: 'date', lead_id: 'number', problem: 'string' },
	}).map(([name, type]) => ({ name, type }));
	const dataTableId = { __rl: true, mode: 'name', value: INVOICES };
	const due = { keyName: 'due_on', condition: 'lt', keyValue: dueBefore };
	const variable = Object.entries({ invoice, amount, due_date }).map(([name, value]) => ({
		name,
		value,
	}));
	return [
		withParameters('Create the table', { tableName: INVOICES, columns: { column } }),
		withoutNodes(SAMPLES),
		...TABLE_NODES.map((name) => withParameters(name, { dataTableId })),
		withParameters('Appointments of the next days', { filters: { conditions: [due] } }),
		withConditions('Is it time to remind?', (conditions) => [
			isTrue(isOpen),
			isTrue(isTime),
			...conditions.slice(2),
		]),
		withParameters(
			'Mark as reminded',
			toColumns({ reminders, last_reminder, lead_id: '={{ $json.id }}', problem: '' }),
		),
		withNode('Call the person', ({ parameters = {} }) => ({
			parameters: {
				...parameters,
				variables: { variable },
				options: { ...asObject(parameters.options, 'the options'), onlyOnce },
			},
		})),
		withConditions('Is there an answer?', ([isLead]) => [isLead, isTrue(isDay)]),
		withParameters('Write the answer', toColumns({ promised_on: day })),
		// It can be a weekend.
		withText('weekday < 6', () => 'weekday < 8'),
	];
}

async function remindOfPayments({ check, open, tables }: Gallery): Promise<void> {
	await check('changed as its page says, it calls about overdue invoices', async () => {
		const example = await open(NAME, paymentChanges(), [], NO_TIMEOUTS);
		await example.run(SET_UP);
		const ago = (days: number) => DateTime.now().minus({ days }).toISO();
		const [called, again] = ['+14155550201', '+14155550202'];
		await tables.insert(INVOICES, [
			overdue(called, 11),
			overdue(again, 15, { reminders: 2, last_reminder: ago(8), promised_on: '2026-02-01' }),
			overdue('+14155550203', 11, { reminders: 3, last_reminder: ago(8) }),
			overdue('+14155550204', 11, { reminders: 1, last_reminder: ago(6) }),
			overdue('+14155550205', 11, { promised_on: '2099-01-01' }),
			overdue('+14155550206', 11, { due_on: '2099-01-01' }),
			overdue('+14155550207', 11, { paid: true }),
			overdue('+14155550208', 3),
		]);
		await example.run(RUN);
		await example.run(RUN);
		const leads = await example.sent('createLead');
		assert.deepEqual(leads.map(({ phone_number: phone }) => phone).sort(), [called, again]);
		assert.partialDeepStrictEqual(
			leads.find(({ phone_number: phone }) => phone === called),
			{
				variables: { invoice: 'Invoice 01', amount: '80 dollars', due_date: '2026-01-31' },
			},
		);
		const getRow = async () => await tables.row(INVOICES, { phone_number: called });
		assert.equal((await tables.row(INVOICES, { phone_number: again })).reminders, 3);
		const { reminders, lead_id: id } = await getRow();
		assert.equal(reminders, 1);

		await example.publish();
		await example.next(async () => await example.control.advance(A_CALL), leads.length);
		for (const [promised_date, promisedOn] of [
			['soon', null],
			['2099-03-01', '2099-03-01'],
		]) {
			const call = { status: 'completed', lead: { id }, extracted_variables: { promised_date } };
			await example.next(async () => await example.deliver(call));
			assert.equal((await getRow()).promised_on, promisedOn);
		}
	});
}
