import assert from 'node:assert/strict';

import { buildIfStale } from '../../host/n8n/buildIfStale.mts';
import { runChecks, type Checks } from '../support/checks.mts';
import { copyCheckout, mutate } from './brokenCopy.mts';
import { runTests } from './fastSuite.mts';
import { MUTATIONS, type Mutation } from './mutations.mts';

/** How many mutants are tested at once. */
const AT_ONCE = 2;

// Breaks the package in one way after the other; the named test must fail each time.
await runChecks(async (checks) => {
	await checks.require('the unchanged package passes all these tests', async () => {
		await buildIfStale();
		const copy = await copyCheckout(checks.cleanup);
		const results = await runTests(copy, MUTATIONS, checks.cleanup.shutdownSignal);
		for (const { test } of MUTATIONS) {
			assert.equal(results.get(test), 'passed', test);
		}
	});

	const mutations = MUTATIONS.values();
	const work = async (): Promise<void> => {
		for (const mutation of mutations) await isCaught(checks, mutation);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
});

async function isCaught({ check, cleanup }: Checks, mutation: Mutation): Promise<void> {
	const { what, test } = mutation;
	await check(`${what}\n${' '.repeat(15)}caught by: ${test}`, async () => {
		const copy = await copyCheckout(cleanup);
		await mutate(copy, mutation);
		const results = await runTests(copy, [mutation], cleanup.shutdownSignal);
		assert.equal(results.get(test), 'failed', 'the test did not fail');
	});
}
