import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, jest } from '@jest/globals';
import { folderPerTest } from './support/process.mts';
import { twoUsers } from './support/seed.mts';
import { startOwnService } from './support/testService.mts';

const folder = folderPerTest();

/** Lists of calls as the control API and the service show them. */
const CONTROL = ['', '?before=20', '?status=busy&campaign_id=1&before=20', '?running=true'];
const SERVICE: Array<Record<string, string | number>> = [
	{},
	{ page: 2 },
	{ status: 'completed', per_page: 1 },
	{ assistant_id: 1, type: 'outbound', per_page: 1 },
];

const [alice] = twoUsers().users;
const calls = Array.from({ length: 40 }, (_, hours) => ({ assistant_id: 1, ago: `PT${hours}H` }));

/** The plan of a query that finds its records, and of one that counts without reading any record. */
const READ = /^SEARCH calls USING (INTEGER PRIMARY KEY|INDEX \w+) \([^;]+\)$/;
const COUNT = /^(SEARCH|SCAN) calls USING COVERING INDEX \w+( \([^;]+\))?$/;

// So the time of a page does not grow with the number of calls, but for the count of all of them.
it('pages of calls are read from an index: no page looks at each record, or sorts them', async () => {
	const prepare = jest.spyOn(DatabaseSync.prototype, 'prepare');
	const dataFile = join(folder(), 'state.db');
	{
		await using own = await startOwnService({ dataFile, seed: { users: [{ ...alice, calls }] } });
		prepare.mockClear();
		for (const query of CONTROL) {
			const path = `/records/calls${query}`;
			expect((await own.control.request('GET', path)).status).toBe(200);
		}
		for (const query of SERVICE) {
			expect((await own.alice.get('/user/calls', query)).status).toBe(200);
		}
	}
	const queries = new Set(prepare.mock.calls.map(([sql]) => sql));
	prepare.mockRestore();

	using database = new DatabaseSync(dataFile);
	const plans = [...queries]
		.filter((sql) => / FROM calls\b/.test(sql))
		.map((sql) => {
			const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
			return { sql, plan: steps.map(({ detail }) => String(detail)).join('; ') };
		});
	expect(plans.length).toBeGreaterThanOrEqual(10);
	const slow = plans.filter(
		({ sql, plan }) => !(sql.includes('count(*)') ? COUNT : READ).test(plan),
	);
	expect(slow).toEqual([]);
});
