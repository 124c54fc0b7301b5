import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import { action, start, START, workflow } from '../support/workflows.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

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
export async function values(
	{ check }: Checks,
	{ editor, service, alice }: E2eEnvironment,
): Promise<void> {
	for (const [expression, daysAgo] of DATES) {
		await check(`a filter for a date takes ${expression}`, async () => {
			const parameters = {
				resource: 'call',
				operation: 'getAll',
				filters: { dateFrom: expression },
			};
			const { id } = await editor.createWorkflow({
				...workflow('Dates', [start(), action(NODE, parameters, alice)], [[START, NODE]]),
				settings: { executionOrder: 'v1', timezone: 'UTC' },
			});
			const execution = await editor.run(id, START);
			assert.equal(execution.status, 'success', execution.error);
			const received = (await service.control.requests()).at(-1);
			const { date_from: sent } = received?.query as Record<string, unknown>;
			// The test may run at midnight.
			assert.ok([day(daysAgo), day(daysAgo + 1)].includes(String(sent)), String(sent));
		});
	}
}
