import assert from 'node:assert/strict';

import { itemsOf, type Execution } from '../../host/api/execution.mts';
import { leadWorkflow, MEASURED, type Variant } from './leadWorkflow.mts';
import { measureRun, warmUp, type MeasuredRun } from './measuredRun.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';
import { FIRST_NUMBER, LATENCY_MS } from './serviceClient.mts';

/** The default of *Max Concurrent Requests*. */
export const DEFAULT_CONCURRENT = 10;
const MANY = 100;
const WARM_UP = 50;

/** Measures leads by this node (many at a time, ten at a time, one by one) and by HTTP Request. */
export async function leads(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	const small = (variant: Variant) => leadWorkflow(environment, WARM_UP, variant);
	if (!quick) {
		await warmUp(environment, [small({ node: 'this node' }), small({ node: 'HTTP Request' })]);
	}

	const count = quick ? 200 : 1_000;
	// Long enough, even on a busy machine, to reach the allowed number of requests at once.
	const latencyMs = quick ? 5 * LATENCY_MS : LATENCY_MS;

	const asMany = { node: 'this node', maxConcurrent: MANY } as const;
	const many = await createLeads(round, count, asMany, latencyMs);
	const http = await createLeads(round, count, { node: 'HTTP Request' }, latencyMs);
	results.expect('time', many, http, { atMost: 0.8 });

	const ten = await createLeads(round, count, { node: 'this node' }, latencyMs);
	const value = (Math.ceil(count / DEFAULT_CONCURRENT) * latencyMs) / 1000;
	results.expect('time', ten, { name: 'latency × items / 10', value }, { atMost: 1.4 });

	const items = quick ? count : 10_000;
	const asFields = { node: 'this node', sendsAll: true } as const;
	const allFields = await createLeads(round, items, asFields, latencyMs);
	// Per second, because the numbers of leads differ.
	results.expect('rate', allFields, ten, { atLeast: 0.8 });

	const ofFive = { ...asMany, accountCount: 5 };
	const perItem = await createLeads(round, count, ofFive, latencyMs);
	const httpOfFive = { node: 'HTTP Request', accountCount: 5 } as const;
	results.expect('time', perItem, await createLeads(round, count, httpOfFive, latencyMs), {
		atMost: 1.2,
	});
	results.expect('silence', perItem, many, { atMost: 0.2 }, 'difference');

	const few = quick ? 20 : 200;
	await createLeads(round, few, { node: 'this node', maxConcurrent: 1 }, latencyMs);
}

/** Measures the longest time without a response of n8n while it creates many leads. */
export async function silence(round: Round): Promise<void> {
	const subject = await createLeads(round, 5_000, { node: 'this node', maxConcurrent: MANY });
	const http = await createLeads(round, 5_000, { node: 'HTTP Request' });
	round.results.expect('silence', subject, http, { atMost: 0.2 }, 'difference');
}

/** Measures the memory for many leads, each time in an n8n that has just started. */
export async function memory(round: Round): Promise<void> {
	const { environment, results } = round;
	await environment.restart();
	const subject = await createLeads(round, 10_000, { node: 'this node', maxConcurrent: MANY });
	await environment.restart();
	const http = await createLeads(round, 10_000, { node: 'HTTP Request' });
	results.expect('memoryGrowth', subject, http, { atMost: 1.5 });
}

/** Creates leads, checks that each exists once and in order, and records the measurements. */
async function createLeads(
	round: Round,
	count: number,
	variant: Variant,
	latencyMs = LATENCY_MS,
): Promise<Subject> {
	const subject = subjectOf(count, variant);
	const name = `${subject.work}, by ${subject.by}: each exists once, in the order of the items`;
	await round.check(name, async () => {
		const { environment, results, quick } = round;
		const workflow = leadWorkflow(environment, count, variant);
		const title = `${subject.work}, by ${subject.by}`;
		const { accountCount } = variant;
		const settings = { latencyMs, accountCount };
		const measured = await measureRun(environment, title, workflow, MEASURED, settings);
		assertEachOnce(measured, count);
		assert.equal(measured.counts.inOtherAccount, 0);
		assert.equal(measured.counts.requests, count);
		if (variant.node === 'this node') {
			const { maxConcurrent = DEFAULT_CONCURRENT } = variant;
			assert.ok(measured.counts.peakInFlight <= maxConcurrent);
			if (quick && maxConcurrent <= DEFAULT_CONCURRENT) {
				assert.equal(measured.counts.peakInFlight, maxConcurrent);
			}
		}
		const { metrics } = measured;
		results.record(subject, { ...metrics, rate: count / metrics.time });
	});
	return subject;
}

function subjectOf(count: number, variant: Variant): Subject {
	const { accountCount } = variant;
	const owners = accountCount === undefined ? '' : ` of ${accountCount} accounts`;
	const items = `${count.toLocaleString('en')} leads${owners}`;
	if (variant.node === 'HTTP Request') return { work: items, by: 'HTTP Request' };
	const { maxConcurrent = DEFAULT_CONCURRENT, sendsAll = false } = variant;
	const pace = maxConcurrent === 1 ? 'one by one' : `${maxConcurrent} at a time`;
	const work = `${items}, ${pace}${sendsAll ? ', all fields of the item' : ''}`;
	return { work, by: 'this node' };
}

/** The service has each lead once, and the node outputs them in the order of its items. */
export function assertEachOnce({ counts, execution, run }: MeasuredRun, count: number): void {
	assert.equal(execution.status, 'success', run.error ?? execution.error);
	assert.equal(counts.leads, count);
	assert.equal(counts.distinctLeads, count);
	assert.deepEqual(phoneNumbers(execution), wantedNumbers(count));
}

function phoneNumbers(execution: Execution): unknown[] {
	// HTTP Request outputs the whole response, this node the lead in it.
	return itemsOf(execution, MEASURED).map(({ data, ...rest }) =>
		typeof data === 'object' && data !== null && 'phone_number' in data
			? data.phone_number
			: rest.phone_number,
	);
}

const wantedNumbers = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `+49${FIRST_NUMBER + index}`);
