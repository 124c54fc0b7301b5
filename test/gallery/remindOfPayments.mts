import assert from 'node:assert/strict';

import { DateTime } from 'luxon';

import type { Workflow } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import { asObject } from '../support/sandbox/contract.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample, withParameters } from './openExample.mts';
import { runWithProbe } from './runWithProbe.mts';
import type { Row } from './tables.mts';
import { zoneWhereItIs } from './timeZones.mts';
import { untilCallIsHandled } from './untilCallIsHandled.mts';

const NAME = 'Remind of payments inside calling hours';
const TABLE = 'Invoices';
const ASSISTANT = 7;
const CAMPAIGN = 7;

const weekdayIn = (days: number, zone = 'utc') =>
	DateTime.now().setZone(zone).plus({ days }).setLocale('en').weekdayLong ?? '';

/** The example without its samples, and with other days than the weekend on which nobody is called. */
const withQuietDays =
	(saturday: string, sunday: string) =>
	(workflow: Workflow): Workflow => {
		const text = JSON.stringify(workflow);
		assert.ok(text.includes('"rightValue":"Saturday"'), 'The example calls on a Saturday.');
		assert.ok(text.includes('"rightValue":"Sunday"'), 'The example calls on a Sunday.');
		const changed = JSON.parse(
			text.replace(/(?<="rightValue":")(Saturday|Sunday)(?=")/g, (day) =>
				day === 'Saturday' ? saturday : sunday,
			),
		) as Workflow;
		return withParameters(changed, 'Sample invoices', { jsonOutput: '{ "rows": [] }' });
	};

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
		due_on: DateTime.now().setZone(zone).minus({ days: 1 }).toISODate(),
		amount: '80 dollars',
		...more,
	};
}

const isDay = (value: unknown): boolean => /^\d{4}-\d{2}-\d{2}$/.test(String(value));

const dayThere = (hourThere: number, days: number) =>
	DateTime.now().setZone(zoneWhereItIs(hourThere)).plus({ days }).toISODate();

const daysAgo = (days: number) => DateTime.now().minus({ days }).toISO();

/** Invoices in every state, by day and by night, on days with calls and without. */
export async function remindOfPayments(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { editor, tables } = environment;

	await check('Set up once makes the table of invoices, and adds its samples once', async () => {
		const { run } = await openExample(checks, environment, NAME);
		await run('Set up once');
		await run('Set up once');
		const invoices = (await tables.rows(TABLE)).map(({ invoice }) => invoice);
		assert.deepEqual(invoices, ['2026-101', '2026-102', '2026-103']);
		await tables.remove(TABLE);
	});

	const example = await openExample(checks, environment, NAME, withQuietDays(...NOT_TODAY));
	const { run, service } = example;
	await run('Set up once');

	const invoicesCalled = async () =>
		(await example.sent('createLead'))
			.map(({ variables }) => (variables as Row).invoice)
			.toSorted();

	await check(
		'only overdue invoices whose turn it is start calls, and only inside calling hours',
		async () => {
			await tables.insert(TABLE, [
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
			]);
			await run('Every hour on weekdays');
			assert.deepEqual(await invoicesCalled(), ['0101', '0102', '0103', '0123']);
			assert.deepEqual(
				(await example.sent('createLead')).find(({ phone_number: to }) => to === '+14155550101'),
				{
					campaign_id: CAMPAIGN,
					phone_number: '+14155550101',
					allow_dupplicate: true,
					variables: {
						customer_name: 'Customer of 0101',
						invoice: '0101',
						amount: '80 dollars',
						due_date: DateTime.fromISO(dayThere(10, -1) ?? '', { locale: 'en' }).toFormat(
							'LLLL d, yyyy',
						),
					},
				},
			);
			assert.deepEqual(await example.sent('updateCampaignStatus'), [
				{ campaign_id: CAMPAIGN, action: 'start' },
			]);
		},
	);

	await check(
		'an invoice is called about once a week, also when two runs come at the same time',
		async () => {
			await Promise.all([run('Every hour on weekdays'), run('Every hour on weekdays')]);
			assert.deepEqual(await invoicesCalled(), ['0101', '0102', '0103', '0123']);
			await tables.insert(TABLE, [overdue('0111', 10)]);
			await Promise.all([run('Every hour on weekdays'), run('Every hour on weekdays')]);
			assert.deepEqual(await invoicesCalled(), ['0101', '0102', '0103', '0111', '0123']);
			assert.equal((await tables.row(TABLE, 'invoice', '0101')).reminders, 1);
			assert.equal((await tables.row(TABLE, 'invoice', '0102')).reminders, 3);
			assert.equal((await tables.row(TABLE, 'invoice', '0111')).reminders, 1);
		},
	);

	await check('a person with two invoices gets one call about a payment in a week', async () => {
		const before = (await example.sent('createLead')).length;
		const phone = { phone_number: '+14155550112' };
		await tables.insert(TABLE, [overdue('0112', 10, phone), overdue('0113', 10, phone)]);
		await run('Every hour on weekdays');
		assert.equal((await example.sent('createLead')).length, before + 1);
		await run('Every hour on weekdays');
		assert.equal((await example.sent('createLead')).length, before + 1);
	});

	await check(
		'an invoice whose call is uncertain stays counted, and its row says why',
		async () => {
			const before = (await example.sent('createLead')).length;
			await tables.insert(TABLE, [overdue('0114', 10)]);
			await service.control.fault({ operation: 'createLead', drop: 'after' });
			await run('Every hour on weekdays');
			await run('Every hour on weekdays');
			assert.equal((await example.sent('createLead')).length, before + 1);
			const { reminders, lead_id: leadId, problem } = await tables.row(TABLE, 'invoice', '0114');
			assert.deepEqual({ reminders, leadId }, { reminders: 1, leadId: null });
			assert.notEqual(problem, '');
			assert.notEqual(problem, null);
		},
	);

	await check(
		'invoices with a wrong time zone, due date or phone number call nobody, and say why',
		async () => {
			const before = (await example.sent('createLead')).length;
			await tables.insert(TABLE, [
				overdue('0115', 10, { time_zone: null }),
				overdue('0116', 10, { due_on: '31.01.2026' }),
				overdue('0117', 10, { phone_number: '12' }),
			]);
			await run('Every hour on weekdays');
			const sent = (await example.sent('createLead')).slice(before);
			assert.deepEqual(
				sent.map(({ phone_number: number }) => number),
				['12'],
			);
			for (const invoice of ['0115', '0116']) {
				assert.match(
					String((await tables.row(TABLE, 'invoice', invoice)).problem),
					/^Write the time zone/,
				);
			}
			assert.match(String((await tables.row(TABLE, 'invoice', '0117')).problem), /Phone Number/);
		},
	);

	await check(
		'a promised day arrives in the row of its invoice, and other answers change nothing',
		async () => {
			const promises = async () =>
				(await tables.rows(TABLE)).map(({ invoice, promised_on: day }) => [invoice, day]);
			const rows = await tables.rows(TABLE);
			await example.publish();
			/** Waits until the workflow has seen the calls that were answered. @returns them */
			const answered = async () => {
				await service.control.advance('PT10M');
				const calls = await service.control.calls();
				const completed = calls.filter(({ status }) => status === 'completed');
				for (const { id } of completed) {
					await untilCallIsHandled(editor, example.id, 'When a call completes', id);
				}
				return completed;
			};
			const calls = await answered();
			assert.ok(calls.length >= 3);
			const promiseOf = new Map(
				calls.map(({ lead_id: leadId, variables }) => [
					leadId,
					asObject(variables, 'the values').promised_date,
				]),
			);
			const promised = rows.map(({ invoice, lead_id: leadId, promised_on: day }) => [
				invoice,
				promiseOf.get(leadId) ?? day,
			]);
			assert.ok(promised.some(([invoice, day]) => invoice === '0101' && isDay(day)));
			assert.deepEqual(await promises(), promised);

			const { lead_id: leadId, phone_number: to } = await tables.row(TABLE, 'invoice', '0101');
			const call = { assistant_id: ASSISTANT, to: String(to) };
			const values = { promised_date: 'on Friday' };
			await service.control.outbound({ ...call, lead_id: Number(leadId), values });
			await service.control.outbound({ ...call, values: { promised_date: '2030-01-31' } });
			await answered();
			assert.deepEqual(await promises(), promised);
			await example.unpublish();
		},
	);

	await check('of 1,000 invoices, the 100 that are due are called about once', async () => {
		const before = (await example.sent('createLead')).length;
		const invoices = Array.from({ length: 1000 }, (_, index) => String(1000 + index));
		await tables.insert(
			TABLE,
			invoices.map((invoice, index) => overdue(invoice, index < 100 ? 12 : 3)),
		);
		await runWithProbe(environment, example, 'Every hour on weekdays');
		const called = (await example.sent('createLead')).slice(before);
		assert.deepEqual(
			called.map(({ variables }) => asObject(variables, 'the variables').invoice).toSorted(),
			invoices.slice(0, 100),
		);
	});
	await tables.remove(TABLE);

	await check('nobody is called about a payment on a weekend of their own', async () => {
		const today = weekdayIn(0, zoneWhereItIs(10));
		for (const days of [withQuietDays(today, NOT_TODAY[1]), withQuietDays(NOT_TODAY[0], today)]) {
			const weekend = await openExample(checks, environment, NAME, days);
			await weekend.run('Set up once');
			await tables.insert(TABLE, [overdue('0119', 10)]);
			await weekend.run('Every hour on weekdays');
			assert.deepEqual(await weekend.service.control.requests(), []);
			assert.equal((await tables.row(TABLE, 'invoice', '0119')).reminders, null);
			await tables.remove(TABLE);
		}
	});
}
