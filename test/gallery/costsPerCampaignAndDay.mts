import assert from 'node:assert/strict';

import { DateTime } from 'luxon';

import { withCredential } from '../../host/api/workflow.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import type { Checks } from '../support/checks.mts';
import { startService } from '../support/sandbox/service.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample } from './openExample.mts';
import { runWithProbe } from './runWithProbe.mts';
import type { Row } from './tables.mts';

const NAME = 'Costs per campaign and day';
const TABLE = 'Call costs';
const TOKEN = 'costs-token';
const CAMPAIGNS = ['Spring', 'Offers', undefined];
const STATUSES = ['completed', 'ended_by_customer', 'no-answer', 'busy'] as const;

/** On a machine that does other work too. */
const LONGEST_SILENCE_MS = 10_000;

const daysAgo = (days: number) => DateTime.utc().minus({ days }).toISODate();

interface PastCall {
	campaign_name: string | undefined;
	status: (typeof STATUSES)[number];
	answered_by: 'human' | 'machine' | 'unknown';
	duration: number;
	/** of the whole call */
	cents: number;
	created_at: string;
}

/** Calls of today and of the days before, in two campaigns and in none. */
const pastCalls = (count: number): PastCall[] =>
	Array.from({ length: count }, (_, index) => {
		const status = STATUSES[index % 4] ?? 'completed';
		const talked = index % 4 < 2;
		return {
			campaign_name: CAMPAIGNS[index % 3],
			status,
			answered_by: talked ? (index % 5 === 0 ? 'machine' : 'human') : 'unknown',
			duration: talked ? 1 + (index % 90) : 0,
			cents: talked ? 1 + ((index * 7) % 250) : 0,
			created_at: `${daysAgo(Math.floor(index / 3) % 4)} 23:59:${String(index % 60).padStart(2, '0')}`,
		};
	});

/** The row of one campaign and day. */
function expectedRow(calls: PastCall[], day: string, campaign: string | undefined): Row {
	const own = calls.filter(
		(call) => call.campaign_name === campaign && call.created_at.startsWith(day),
	);
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	const answered = own.filter(
		(call) =>
			call.answered_by === 'human' && ['completed', 'ended_by_customer'].includes(call.status),
	);
	return {
		day,
		campaign: campaign ?? 'No campaign',
		calls: own.length,
		answered: answered.length,
		minutes: Number((sum(own.map(({ duration }) => duration)) / 60).toFixed(2)),
		total_cost: sum(own.map(({ cents }) => cents)) / 100,
	};
}

const dayAndCampaign = ({ day, campaign }: Row): string => `${String(day)} ${String(campaign)}`;
const inOrder = (rows: Row[]) =>
	rows.toSorted((a, b) => dayAndCampaign(a).localeCompare(dayAndCampaign(b)));

/** What calls of some days cost, added up by campaign and day, also when there are many. */
export async function costsPerCampaignAndDay(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check, cleanup } = checks;
	const { editor, tables } = environment;

	/** Opens the example with an account that has these calls. */
	const openWithCalls = async (calls: PastCall[]) => {
		const seeded = calls.map(({ cents, campaign_name: name, ...call }) => ({
			...call,
			...(name !== undefined && { campaign_name: name }),
			total_cost: cents / 100,
			transcript: 'Assistant: Hello, I am an AI assistant.\nCustomer: Hello.',
		}));
		const { url } = await cleanup.use(
			startService({ seed: { users: [{ token: TOKEN, calls: seeded }] } }),
		);
		const account = await saveCredential(editor, `${NAME}: ${calls.length}`, { url, token: TOKEN });
		const example = await openExample(checks, environment, NAME, (workflow) =>
			withCredential(workflow, account),
		);
		await example.run('Set up once');
		return example;
	};

	/** The rows, without the columns that n8n adds. */
	const costs = async () =>
		inOrder(
			(await tables.rows(TABLE)).map(({ day, campaign, calls, answered, minutes, ...row }) => {
				return { day, campaign, calls, answered, minutes, total_cost: row.total_cost };
			}),
		);

	await check(
		'1,000 calls of two days are added up for each campaign and day, and a second run changes nothing',
		async () => {
			const calls = pastCalls(1_000);
			const { run } = await openWithCalls(calls);
			const expected = [1, 2].flatMap((days) =>
				CAMPAIGNS.map((campaign) => expectedRow(calls, daysAgo(days), campaign)),
			);
			await run('Every morning');
			assert.deepEqual(await costs(), inOrder(expected));
			await run('Every morning');
			assert.deepEqual(await costs(), inOrder(expected));
			await tables.remove(TABLE);
		},
	);

	await check('10,000 calls of yesterday are added up to the cent while n8n answers', async () => {
		const calls = pastCalls(10_000).map((call) => ({
			...call,
			created_at: `${daysAgo(1)} 12:00:00`,
		}));
		const example = await openWithCalls(calls);
		await runWithProbe(environment, example, 'Every morning', LONGEST_SILENCE_MS);
		assert.deepEqual(
			await costs(),
			inOrder(CAMPAIGNS.map((campaign) => expectedRow(calls, daysAgo(1), campaign))),
		);
		await tables.remove(TABLE);
	});

	await check('days without calls give no costs, and are no failure', async () => {
		const { run } = await openWithCalls([]);
		await run('Every morning');
		assert.deepEqual(await costs(), []);
		await tables.remove(TABLE);
	});
}
