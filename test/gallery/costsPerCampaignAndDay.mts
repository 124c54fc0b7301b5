import assert from 'node:assert/strict';

import { SET_UP } from '../../host/n8n/examples.mts';
import { DateTime } from 'luxon';

import type { Gallery } from './gallery.mts';
import { runWithProbe } from './largeRuns.mts';
import type { Row } from './tables.mts';

const TABLE = 'Call costs';
const RUN = 'Every morning';
const CAMPAIGNS = ['Offers', 'Spring', undefined];
const STATUSES = ['completed', 'ended_by_customer', 'no-answer', 'busy'];

const daysAgo = (days: number) => DateTime.utc().minus({ days }).toISODate();

/** A call of today or of the days before, in one of two campaigns or in none. */
function pastCall(index: number) {
	const talked = index % 4 < 2;
	return {
		campaign_name: CAMPAIGNS[index % 3],
		status: STATUSES[index % 4],
		answered_by: talked ? (index % 5 === 0 ? 'machine' : 'human') : 'unknown',
		duration: talked ? 1 + (index % 90) : 0,
		cents: talked ? 1 + ((index * 7) % 250) : 0,
		created_at: `${daysAgo(Math.floor(index / 3) % 4)} 23:59:${String(index % 60).padStart(2, '0')}`,
	};
}

type PastCall = ReturnType<typeof pastCall>;

/** The rows of one day. */
function rowsOfDay(calls: PastCall[], day: string): Row[] {
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	return CAMPAIGNS.map((campaign) => {
		const own = calls.filter(
			(call) => call.campaign_name === campaign && call.created_at.startsWith(day),
		);
		return {
			day,
			campaign: campaign ?? 'No campaign',
			calls: own.length,
			// Calls end as completed or ended by the customer when somebody talked.
			answered: own.filter(({ answered_by }) => answered_by === 'human').length,
			minutes: Number((sum(own.map(({ duration }) => duration)) / 60).toFixed(2)),
			total_cost: sum(own.map(({ cents }) => cents)) / 100,
		};
	});
}

/** What calls of some days cost, added up by campaign and day, also when there are many. */
export async function costsPerCampaignAndDay(gallery: Gallery): Promise<void> {
	const { check, open, tables } = gallery;

	/** Opens the example with an account that has these calls. */
	const openWithCalls = async (calls: PastCall[]) => {
		const seeded = calls.map(({ cents, campaign_name: name, ...call }) => ({
			...call,
			...(name !== undefined && { campaign_name: name }),
			total_cost: cents / 100,
			transcript: 'Assistant: Hello, I am an AI assistant.\nCustomer: Hello.',
		}));
		const example = await open('Costs per campaign and day', [], seeded);
		await example.run(SET_UP);
		return example;
	};
	/** Checks the rows, without the columns that n8n adds. */
	const assertCosts = async (expected: Row[]) => {
		const key = ({ day, campaign }: Row) => `${String(day)} ${String(campaign)}`;
		const rows = (await tables.rows(TABLE))
			.map(({ day, campaign, calls, answered, minutes, ...row }) => {
				return { day, campaign, calls, answered, minutes, total_cost: row.total_cost };
			})
			.toSorted((a, b) => key(a).localeCompare(key(b)));
		assert.deepEqual(
			rows,
			expected.toSorted((a, b) => key(a).localeCompare(key(b))),
		);
	};

	await check('10,000 calls of two days are added up to the cent, also twice', async () => {
		// Half of the calls are of today and of earlier days.
		const calls = Array.from({ length: 20_000 }, (_, index) => pastCall(index));
		const example = await openWithCalls(calls);
		const expected = [1, 2].flatMap((days) => rowsOfDay(calls, daysAgo(days)));
		await runWithProbe(gallery, example, RUN);
		await assertCosts(expected);
		await example.run(RUN);
		await assertCosts(expected);
		await tables.remove(TABLE);
	});

	await check('days without calls give no costs, and are no failure', async () => {
		const { run } = await openWithCalls([]);
		await run(RUN);
		await assertCosts([]);
	});
}
