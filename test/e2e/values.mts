import assert from 'node:assert/strict';

import { action, start, START, workflow } from '../support/workflows.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

/** Expressions for dates, and how many days ago each date is. */
const DATES: Array<[expression: string, daysAgo: number]> = [
	['={{ $today }}', 0],
	['={{ $now }}', 0],
	['={{ $today.minus({ days: 7 }) }}', 7],
	['={{ new Date() }}', 0],
	['={{ $now.toISODate().toDateTime() }}', 0],
];

/** A day in UTC, the time zone of the workflow. */
const day = (daysAgo: number): string =>
	new Date(Date.now() - daysAgo * 24 * 3_600_000).toISOString().slice(0, 10);

/** Values of n8n's own expression engine, which only a server has. */
export async function values(environment: E2eEnvironment): Promise<void> {
	const { check, editor } = environment;
	const { aliceRef, control } = await startOwnService(environment, 'dates');

	await check('a filter for a date takes all dates of expressions', async () => {
		const names = DATES.map(([expression]) => expression);
		const nodes = names.map((dateFrom) => {
			const parameters = { resource: 'call', operation: 'getAll', filters: { dateFrom } };
			return { ...action(dateFrom, parameters, aliceRef), alwaysOutputData: true };
		});
		const links = names.map((name, index): [string, string] => [names[index - 1] ?? START, name]);
		const { id } = await editor.createWorkflow({
			...workflow('Dates', [start(), ...nodes], links),
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		});
		const execution = await editor.run(id, START);
		assert.equal(execution.status, 'success', execution.error);
		const sent = (await control.requests()).map(
			({ query }) => (query as Record<string, unknown>).date_from,
		);
		assert.equal(sent.length, DATES.length);
		for (const [index, [expression, daysAgo]] of DATES.entries()) {
			// The test may run at midnight.
			const days: unknown[] = [day(daysAgo), day(daysAgo + 1)];
			assert.ok(days.includes(sent[index]), `${expression}: ${String(sent[index])}`);
		}
	});
}
