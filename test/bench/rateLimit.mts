import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import { leadWorkflow, MEASURED, type Variant } from './leadWorkflow.mts';
import { assertEachOnce, DEFAULT_CONCURRENT } from './leads.mts';
import { measureRun, type MeasuredRun } from './measuredRun.mts';
import type { Round } from './round.mts';
import { LATENCY_MS } from './serviceClient.mts';

const SEND_LIMIT_MS = 60_000;

/** Measures leads at a service that limits the requests in a window of time. */
export async function limit({ environment, results, quick, check }: Round): Promise<void> {
	const { service, credential } = environment;
	const count = quick ? 60 : 1_000;
	const limit = quick ? { requests: 20, perMs: 1_000 } : { requests: 100, perMs: 3_000 };
	const work = `${count.toLocaleString('en')} leads under ${limit.requests} requests per ${limit.perMs / 1000} s`;
	const run = async (variant: Variant): Promise<MeasuredRun> => {
		const workflow = leadWorkflow(service, credential, count, variant);
		return await measureRun(environment, `${work}, by ${variant.node}`, workflow, MEASURED, {
			limit,
		});
	};

	const subject = { work, by: 'this node' };
	// All windows except the last one pass completely. Then the requests of the last one take their time.
	const windows = Math.ceil(count / limit.requests);
	const last = (LATENCY_MS * (count - (windows - 1) * limit.requests)) / DEFAULT_CONCURRENT;
	results.expect(
		'time',
		subject,
		{
			name: `${windows - 1} windows and the last one's requests`,
			value: ((windows - 1) * limit.perMs + last) / 1000,
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
