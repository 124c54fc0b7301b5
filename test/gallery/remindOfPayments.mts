import assert from 'node:assert/strict';

import { DateTime } from 'luxon';

import { asObject } from '../../sandbox/test/support/contract.mts';
import { checkDoNotCall, numbersAddedBy } from './doNotCall.mts';
import { SET_UP, withParameters, withText, type Change } from './example.mts';
import type { Gallery } from './gallery.mts';
import { runWithProbe } from './largeRuns.mts';
import type { Row } from './tables.mts';
import { withTimeZone, zoneWhereItIs } from './timeZones.mts';

const NAME = 'Remind of payments inside calling hours';
const TABLE = 'Invoices';
const RUN = 'Every hour on weekdays';

const weekdayIn = (days: number, zone = 'utc') =>
	DateTime.now().setZone(zone).plus({ days }).setLocale('en').weekdayLong ?? '';

/** The example without its samples, and with other days than the weekend on which nobody is called. */
const withQuietDays = (saturday: string, sunday: string): Change[] => [
	withText(/(?<="rightValue":")(Saturday|Sunday)(?=")/g, (day) =>
		day === 'Saturday' ? saturday : sunday,
	),
	withTimeZone(zoneWhereItIs(10)),
	withParameters('Sample invoices', { jsonOutput: '{ "rows": [] }' }),
];

/** In no time zone is it three or four days later than in UTC. */
const NOT_TODAY = [weekdayIn(3), weekdayIn(4)] as const;

/** An overdue invoice of somebody for whom it is this hour of the day now. */
function overdue(invoice: string, hourThere: number, more: Row = {}): Row {
	const zone = zoneWhereItIs(hourThere);
	return {
		invoice,
		name: `Customer of ${invoice}`,
		phone_number: `+1415555${invoice}`,
		time_zone: zone,
		due_on: dayThere(hourThere, -1),
		amount: '80 dollars',
		...more,
	};
}

const dayThere = (hourThere: number, days: number) =>
	DateTime.now().setZone(zoneWhereItIs(hourThere)).plus({ days }).toISODate();

const daysAgo = (days: number) => DateTime.now().minus({ days }).toISO();

/** Invoices in every state, by day and by night, on days with calls and without. */
export async function remindOfPayments(gallery: Gallery): Promise<void> {
	const { check, largeCheck, open, tables } = gallery;

	await check('the set-up makes the table of invoices with its samples once', async () => {
		await (await open(NAME)).setUp();
		const invoices = (await tables.rows(TABLE)).map(({ invoice }) => invoice);
		assert.deepEqual(invoices, ['2026-101', '2026-102', '2026-103']);
		await tables.remove(TABLE);
	});

	const example = await open(NAME, withQuietDays(...NOT_TODAY));
	const { control, run } = example;
	await run(SET_UP);

	const getRow = async (invoice: string) => await tables.row(TABLE, { invoice });
	const leads = async () => await example.sent('createLead');
	/** Does something. @returns the invoices about which people are called then */
	const invoicesCalled = async (work: () => Promise<unknown>) => {
		const before = (await leads()).length;
		await work();
		return (await leads())
			.slice(before)
			.map(({ variables }) => asObject(variables, 'the variables').invoice)
			.toSorted();
	};
	/** Adds invoices, and runs the example. */
	const runWith = async (...rows: Row[]) =>
		await invoicesCalled(async () => {
			if (rows.length > 0) await tables.insert(TABLE, rows);
			await run(RUN);
		});

	await check('only overdue invoices start calls, in turn, and inside calling hours', async () => {
		const called = await runWith(
			overdue('0101', 10),
			overdue('0102', 16, { paid: false, reminders: 2, last_reminder: daysAgo(8) }),
			overdue('0103', 16, { promised_on: dayThere(16, -1) }),
			overdue('0104', 10, { due_on: dayThere(10, 0) }),
			overdue('0105', 10, { paid: true }),
			overdue('0106', 10, { reminders: 3, last_reminder: daysAgo(8) }),
			overdue('0107', 10, { reminders: 1, last_reminder: daysAgo(6) }),
			overdue('0108', 10, { promised_on: dayThere(10, 0) }),
			overdue('0109', 3),
			overdue('0110', 20),
			overdue('0120', 10),
			overdue('0121', 10, {
				phone_number: '+14155550120',
				paid: true,
				reminders: 1,
				last_reminder: daysAgo(6),
			}),
			overdue('0122', 10, { reminders: 3, last_reminder: daysAgo(8) }),
			overdue('0123', 10, { phone_number: '+14155550122' }),
		);
		assert.deepEqual(called, ['0101', '0102', '0103', '0123']);
		const dueDate = DateTime.fromISO(dayThere(10, -1) ?? '', { locale: 'en' });
		assert.deepEqual(
			(await leads()).find(({ phone_number: to }) => to === '+14155550101'),
			{
				campaign_id: 7,
				phone_number: '+14155550101',
				allow_dupplicate: true,
				variables: {
					customer_name: 'Customer of 0101',
					invoice: '0101',
					amount: '80 dollars',
					due_date: dueDate.toFormat('LLLL d, yyyy'),
				},
			},
		);
		assert.deepEqual(await example.sent('updateCampaignStatus'), [
			{ campaign_id: 7, action: 'start' },
		]);
	});

	await check('an invoice is called about once a week, also by two runs at once', async () => {
		const runTwice = async () => await Promise.all([run(RUN), run(RUN)]);
		assert.deepEqual(await invoicesCalled(runTwice), []);
		await tables.insert(TABLE, [overdue('0111', 10)]);
		assert.deepEqual(await invoicesCalled(runTwice), ['0111']);
		for (const [invoice, reminders] of [
			['0101', 1],
			['0102', 3],
			['0111', 1],
		] as const) {
			assert.equal((await getRow(invoice)).reminders, reminders);
		}
	});

	await check('a person with two invoices gets one call about a payment in a week', async () => {
		const phone = { phone_number: '+14155550112' };
		const called = await runWith(overdue('0112', 10, phone), overdue('0113', 10, phone));
		assert.equal(called.length, 1);
		assert.deepEqual(await runWith(), []);
	});

	await check('an invoice whose call is uncertain stays counted, and says why', async () => {
		await control.fault({ operation: 'createLead', drop: 'after' });
		assert.deepEqual(await runWith(overdue('0114', 10)), ['0114']);
		assert.deepEqual(await runWith(), []);
		const { reminders, lead_id: leadId, problem } = await getRow('0114');
		assert.deepEqual({ reminders, leadId }, { reminders: 1, leadId: null });
		assert.ok(problem);
	});

	await check(
		'a wrong time zone, due date or number calls nobody, and says why; no time zone is that of the workflow',
		async () => {
			const called = await runWith(
				overdue('0115', 10, { time_zone: 'Berlin' }),
				overdue('0116', 10, { due_on: '31.01.2026' }),
				overdue('0117', 10, { phone_number: '12' }),
				overdue('0124', 10, { time_zone: null }),
			);
			assert.deepEqual(called, ['0117', '0124']);
			for (const [invoice, problem] of [
				['0115', /^Write the time zone/],
				['0116', /^Write the time zone/],
				['0117', /Phone Number/],
			] as const) {
				assert.match(String((await getRow(invoice)).problem), problem);
			}
		},
	);

	await check('a promised day is in the row of its invoice; nothing else is', async () => {
		const rows = await tables.rows(TABLE);
		await example.publish();
		/** Waits until the workflow has seen the calls that were answered. @returns them */
		const answered = async () => {
			await control.advance('PT10M');
			const completed = (await control.calls()).filter(({ status }) => status === 'completed');
			for (const { id } of completed) await example.untilHandled(id);
			return completed;
		};
		const calls = await answered();
		assert.ok(calls.length >= 3);
		const promises = new Map(
			calls.map(({ lead_id: leadId, variables }) => [
				leadId,
				asObject(variables, 'the values').promised_date,
			]),
		);
		const promised = rows.map(({ invoice, lead_id: leadId, promised_on: day }) => [
			invoice,
			promises.get(leadId) ?? day,
		]);
		const assertPromised = async () => {
			const present = await tables.rows(TABLE);
			assert.deepEqual(
				present.map(({ invoice, promised_on: day }) => [invoice, day]),
				promised,
			);
		};
		await assertPromised();
		const { lead_id: leadId, phone_number: to, promised_on: day } = await getRow('0101');
		assert.match(String(day), /^\d{4}-\d{2}-\d{2}$/);

		const call = { assistant_id: 7, to: String(to) };
		const values = { promised_date: 'on Friday' };
		await control.outbound({ ...call, lead_id: Number(leadId), values });
		await control.outbound({ ...call, values: { promised_date: '2030-01-31' } });
		await answered();
		await assertPromised();
	});

	let invoice = 300;
	await checkDoNotCall(gallery, example, async (numbers) => {
		await tables.insert(
			TABLE,
			numbers.map((phone_number) => overdue(`0${(invoice += 1)}`, 12, { phone_number })),
		);
		return await numbersAddedBy(example, async () => await run(RUN));
	});

	await largeCheck('of 1,000 invoices, the 100 that are due are called about once', async () => {
		const invoices = Array.from({ length: 1000 }, (_, index) => String(1000 + index));
		await tables.insert(
			TABLE,
			invoices.map((invoice, index) => overdue(invoice, index < 100 ? 12 : 3)),
		);
		const called = await invoicesCalled(async () => await runWithProbe(gallery, example, RUN));
		assert.deepEqual(called, invoices.slice(0, 100));
	});
	await tables.remove(TABLE);

	await check('nobody is called about a payment on a weekend of their own', async () => {
		const today = weekdayIn(0, zoneWhereItIs(10));
		for (const days of [withQuietDays(today, NOT_TODAY[1]), withQuietDays(NOT_TODAY[0], today)]) {
			const weekend = await open(NAME, days);
			await weekend.run(SET_UP);
			await tables.insert(TABLE, [overdue('0119', 10)]);
			await weekend.run(RUN);
			assert.deepEqual(await weekend.control.requests(), []);
			assert.equal((await getRow('0119')).reminders, null);
			await tables.remove(TABLE);
		}
	});
}
