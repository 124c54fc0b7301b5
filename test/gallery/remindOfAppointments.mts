import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { DateTime } from 'luxon';

import { SET_UP } from '../../host/n8n/examples.mts';
import { waitFor } from '../../host/process/wait.mts';
import { asObject } from '../../sandbox/test/support/contract.mts';
import { untilNextPoll } from '../e2e/calls.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import { checkDoNotCall, checkOptOut, DO_NOT_CALL, numbersAddedBy } from './doNotCall.mts';
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
const SAMPLES = ['Sample appointments', 'Add the samples'];
/** Those that use the table. */
const TABLE_NODES = [
	'Coming appointments',
	'Mark as reminded',
	'Note the problem',
	'Find the row',
	'Write how it ended',
];
const NO_ANSWER = '+14155599901';
const VOICEMAIL = '+14155599908';
const POLL = 'Calls of the last minutes';
const POLL_LIMIT_MS = 240_000;
/** Only calls of the webhook start executions then. */
const onlyWebhooks = withParameters(POLL, { pollTimes: ONCE_A_YEAR });

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
	const { check, open, tables, url } = gallery;

	await check('the set-up makes the table of appointments with its samples once', async () => {
		await (await open(NAME)).setUp();
		const zones = (await tables.rows(TABLE)).map(({ time_zone: zone }) => zone);
		assert.deepEqual(zones, ['Europe/London', 'America/Los_Angeles', 'Australia/Perth']);
		await tables.remove(TABLE);
	});

	const withoutSamples = withParameters('Sample appointments', { jsCode: 'return [];' });
	const zoneOfWorkflow = zoneWhereItIs(11);
	const changes = [withoutSamples, withTimeZone(zoneOfWorkflow)];
	const example = await open(NAME, [...changes, withWebhook, onlyWebhooks]);
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
		'an appointment whose call is uncertain is not called again, also by hand, and says why',
		async () => {
			const number = '+14155550109';
			await control.fault({ operation: 'createLead', drop: 'after' });
			assert.equal((await leadsFor(appointment(number, 11, TOMORROW))).length, 1);
			assert.deepEqual(await leadsFor(), []);
			const sent = (await example.sent('createLead')).length;
			await run(RUN);
			assert.equal((await example.sent('createLead')).length, sent);
			const row = await getRow(number);
			assert.deepEqual([row.reminded, row.lead_id, row.outcome], [null, null, 'unknown']);
			assert.match(String(row.problem), /may have been carried out.*add a new row/s);
			await tables.update(TABLE, row, { reminded: true });
		},
	);

	await check('a row that is not marked after its call is not called again', async () => {
		const row = await getRow('+14155550101');
		const { reminded, lead_id, outcome, called_at, problem } = row;
		await tables.update(TABLE, row, { reminded: null, lead_id: null });
		assert.deepEqual(await leadsFor(), []);
		const unmarked = await getRow('+14155550101');
		assert.equal(unmarked.outcome, 'unknown');
		assert.match(String(unmarked.problem), /Look the person up/);
		await tables.update(TABLE, row, { reminded, lead_id, outcome, called_at, problem });
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
		// With a list, a number that cannot be compared with it is not sent at all.
		await tables.remove(DO_NOT_CALL);
		await run(SET_UP);
		const leads = await leadsFor(
			{ ...appointment('+14155550111', 11, TOMORROW), time_zone: 'Berlin' },
			appointment('12', 11, TOMORROW),
		);
		assert.deepEqual(
			leads.map(({ phone_number: number }) => number),
			['12'],
		);
		{
			const { reminded, outcome, problem } = await getRow('+14155550111');
			assert.deepEqual([reminded, outcome], [null, 'not sent']);
			assert.equal(problem, 'The time zone is not known. Write it as in Europe/Berlin.');
		}
		assert.equal((await getRow('12')).outcome, 'wrong number');
		assert.match(String((await getRow('12')).problem), /Phone Number.+\. .+too short.+\.$/s);
		const again = (await leadsFor()).map(({ phone_number: number }) => number);
		assert.deepEqual(again, ['12']);
		await tables.update(TABLE, await getRow('12'), { reminded: true });
	});

	await check('the end of each call and its answer are in the row, and in no other', async () => {
		const before = await tables.rows(TABLE);
		const other = await control.outbound({ assistant_id: 3, to: '+14155550199' });
		await control.advance('PT10M');
		const calls = await control.calls();
		for (const { id } of calls) await example.untilHandled(id);

		assert.ok(calls.some(({ id, status }) => id === other.id && status === 'completed'));
		const ends = new Map(
			calls.map(({ lead_id: lead, status, variables }) => {
				const outcome = status === 'completed' ? 'answered' : status;
				return [Number(lead), [outcome, (variables as Row).will_come ?? null]];
			}),
		);
		assert.deepEqual(
			(await tables.rows(TABLE)).map((row) => [row.id, row.outcome, row.will_come]),
			before.map(({ id, lead_id: lead, outcome }) => [
				id,
				...((lead !== null && ends.get(Number(lead))) || [outcome, null]),
			]),
		);
		const { outcome, called_at: calledAt } = await getRow(NO_ANSWER);
		assert.equal(outcome, 'no-answer');
		assert.ok(DateTime.fromISO(String(calledAt)).isValid);
		assert.equal(typeof (await getRow('+14155550101')).will_come, 'boolean');
	});

	await check('the last call counts, and only an answer changes an answer', async () => {
		const { lead_id: id } = await getRow('+14155550102');
		for (const [day, status, text, outcome, willCome] of [
			['01', 'completed', 'no', 'answered', false],
			['02', 'completed', 'Yes', 'answered', true],
			['03', 'no-answer', null, 'no-answer', true],
			['02', 'completed', 'no', 'no-answer', true],
			['04', 'completed', 'perhaps', 'answered', null],
		] as const) {
			const call = { status, created_at: `2099-01-${day}T10:00:00Z`, lead: { id } };
			await example.next(async () => {
				await example.deliver({ ...call, extracted_variables: { will_come: text } });
			});
			const row = await getRow('+14155550102');
			assert.deepEqual([row.outcome, row.will_come], [outcome, willCome]);
		}
	});

	await check('each appointment of somebody who wants no calls says so', async () => {
		const number = '+14155550112';
		await tables.insert(DO_NOT_CALL, [{ phone_number: number }]);
		const rows = ['09:00', '16:00'].map((time) => appointment(number, 11, TOMORROW, time));
		assert.deepEqual([await leadsFor(...rows), await leadsFor()], [[], []]);
		const outcomes = (await tables.rows(TABLE, { phone_number: number })).map((row) => row.outcome);
		assert.deepEqual(outcomes, ['do not call', 'do not call']);
	});

	await checkOptOut(gallery, example, 3);
	await checkDoNotCall(gallery, example, async (numbers) => {
		const rows = numbers.map((number) => appointment(number, 11, TOMORROW));
		await tables.insert(TABLE, rows);
		const added = await numbersAddedBy(example, async () => await run(RUN));
		for (const number of numbers.slice(0, numbers.length - added.length)) {
			const { reminded, outcome } = await getRow(number);
			assert.deepEqual([reminded, outcome], [null, 'do not call']);
		}
		return added;
	});

	await check('of 1,000 appointments, the 100 that are due are called once', async () => {
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

	await check('a call that ends while n8n is off is in its row, in German', async () => {
		await tables.remove(TABLE);
		const inGerman = withText("setLocale('en')", () => "setLocale('de')");
		const atOnce = withParameters(POLL, { options: {} });
		const changed = await open(NAME, [...changes, inGerman, atOnce], [], NO_TIMEOUTS);
		await untilNextPoll(changed.service, changed.publish);
		await changed.run(SET_UP);
		const call = async (...rows: Row[]) => {
			await tables.insert(TABLE, rows);
			await changed.run(RUN);
			await changed.control.advance(A_CALL);
		};
		const untilOutcome = async (number: string, outcome: string): Promise<Row> =>
			await waitFor(`${outcome} in the row of ${number}`, POLL_LIMIT_MS, async () => {
				const row = await getRow(number);
				return row.outcome === outcome ? row : undefined;
			});
		await call(appointment(VOICEMAIL, 12, TOMORROW));
		await changed.unpublish();
		const [missed, sameDay] = ['+14155550113', '+14155550114'];
		await call(appointment(missed, 12, TOMORROW), appointment(sameDay, 12, TOMORROW, '09:00'), {
			...appointment(sameDay, 12, TOMORROW, '16:00'),
			reminded: true,
		});
		const [lead] = (await changed.sent('createLead')).slice(-2);
		assert.equal((lead?.variables as Row).appointment_time, '14:30');
		await untilNextPoll(changed.service, changed.publish);
		const { will_come: willCome, called_at: calledAt } = await untilOutcome(missed, 'answered');
		assert.equal(typeof willCome, 'boolean');
		assert.ok(DateTime.fromISO(String(calledAt)).isValid);
		const outcomes = (await tables.rows(TABLE, { phone_number: sameDay })).map(
			(row) => row.outcome,
		);
		assert.deepEqual(outcomes, ['answered', null]);
		await untilOutcome(VOICEMAIL, 'voicemail');
		const rows = await tables.rows(TABLE);
		await changed.next(async () => await changed.replay());
		// The row is written once more.
		const updatedAt = null;
		assert.deepEqual(
			(await tables.rows(TABLE)).map((row) => ({ ...row, updatedAt })),
			rows.map((row) => ({ ...row, updatedAt })),
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

/** Sets columns of a Data Table node, and takes those without a value out. */
const withColumns = (name: string, values: Record<string, string | undefined>): Change =>
	withNode(name, ({ parameters = {} }) => {
		const columns = asObject(asObject(parameters.columns, 'the columns').value, 'their values');
		for (const [column, value] of Object.entries(values)) {
			assert.equal(column in columns, value === undefined, column);
		}
		const changed = Object.entries({ ...(columns as Record<string, string>), ...values });
		const kept = Object.fromEntries(changed.filter(([, value]) => value !== undefined));
		return { parameters: { ...parameters, ...toColumns(kept) } };
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
		answer,
		promised_on,
	] = textsToEnter('remind-of-appointments', 'Remind of payments');
	const column = Object.entries({
		...{ name: 'string', phone_number: 'string', time_zone: 'string', due_on: 'string' },
		...{ promised_on: 'string', invoice: 'string', amount: 'string', paid: 'boolean' },
		...{ reminders: 'number', last_reminder: 'date', outcome: 'string', called_at: 'date' },
		...{ problem: 'string', lead_id: 'number', called_number: 'string', call_id: 'string' },
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
		withParameters('Coming appointments', { filters: { conditions: [due] } }),
		withConditions('Is it time to remind?', (conditions) => [
			isTrue(isOpen),
			isTrue(isTime),
			...conditions.slice(2),
		]),
		withColumns('Mark as reminded', { reminded: undefined, reminders, last_reminder }),
		withNode('Call the person', ({ parameters = {} }) => ({
			parameters: {
				...parameters,
				variables: { variable },
				options: { ...asObject(parameters.options, 'the options'), onlyOnce },
			},
		})),
		withText(/"={{ [^"]*will_come \?\? [^"]*"/g, () => JSON.stringify(answer)),
		withColumns('Write how it ended', { will_come: undefined, promised_on }),
		// It can be a weekend.
		withText('weekday < 6', () => 'weekday < 8'),
		onlyWebhooks,
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
