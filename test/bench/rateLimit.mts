import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import { leadWorkflow, MEASURED, type Variant } from './leadWorkflow.mts';
import { assertEachOnce, DEFAULT_CONCURRENT } from './leads.mts';
import { measureRun, type MeasuredRun } from './measuredRun.mts';
import type { Round } from './round.mts';
import { LATENCY_MS, type Windows } from './serviceClient.mts';

const SEND_LIMIT_MS = 60_000;

/** Measures leads at a service that limits the requests in a window of time. */
export async function limit(round: Round): Promise<void> {
	await leadsUnderLimit(round, 'fixed');
	// As the sandbox has them. docs/decisions/0014 explains why this goal is missed.
	await leadsUnderLimit(round, 'on demand');
}

async function leadsUnderLimit(
	{ environment, results, quick, check }: Round,
	windows: Windows,
): Promise<void> {
	const { service } = environment;
	const count = quick ? 60 : 1_000;
	const [allowed, perMs] = quick ? [20, 1_000] : [100, 3_000];
	const limit = { requests: allowed, perMs, windows };
	const work = `${count.toLocaleString('en')} leads under ${allowed} requests per ${perMs / 1000} s, windows ${windows}`;
	const run = async (variant: Variant): Promise<MeasuredRun> => {
		const workflow = leadWorkflow(environment, count, variant);
		return await measureRun(environment, `${work}, by ${variant.node}`, workflow, MEASURED, {
			limit,
		});
	};

	const subject = { work, by: 'this node' };
	// All windows except the last one pass completely. Then the requests of the last one take their time.
	const used = Math.ceil(count / allowed);
	const last = (LATENCY_MS * (count - (used - 1) * allowed)) / DEFAULT_CONCURRENT;
	results.expect(
		'time',
		subject,
		{
			name: `${used - 1} windows and the last one's requests`,
			value: ((used - 1) * perMs + last) / 1000,
		},
		{ atMost: 1.1 },
	);
	await check(`${work}, by this node: each exists once, in the order of the items`, async () => {
		const measured = await run({ node: 'this node' });
		assertEachOnce(measured, count);
		const { requests, refused, peakInFlight } = measured.counts;
		assert.equal(requests, count + refused);
		assert.ok(refused > 0, 'The service refused nothing.');
		assert.ok(peakInFlight <= DEFAULT_CONCURRENT);
		results.record(subject, measured.metrics);
	});

	if (quick) return;
	await check(`${work}, by HTTP Request: fails`, async () => {
		const { execution, metrics } = await run({ node: 'HTTP Request' });
		assert.equal(execution.status, 'error');
		results.record({ work, by: 'HTTP Request (fails)' }, metrics);
		// It continues to send after it has failed (n8n 2.41).
		await waitFor('HTTP Request to send the rest', SEND_LIMIT_MS, async () =>
			(await service.counts()).requests >= count ? true : undefined,
		);
	});
}
