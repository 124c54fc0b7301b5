import assert from 'node:assert/strict';

import { runChecks, type Checks } from '../support/checks.mts';
import { copyCheckout, mutate } from './brokenCopy.mts';
import { runTests } from './fastSuite.mts';
import { MUTATIONS, type Mutation } from './mutations.mts';

/** How many mutants are tested at once. */
const AT_ONCE = 2;

// Breaks the package in one way after the other; the named test must fail each time.
await runChecks(async (checks) => {
	await checks.require('the unchanged package passes all these tests', async () => {
		const tests = MUTATIONS.map(({ caughtBy }) => caughtBy);
		const copy = await copyCheckout(checks.cleanup);
		const results = await runTests(copy, tests, checks.cleanup.shutdownSignal);
		for (const { name } of tests) assert.equal(results.get(name), 'passed', name);
	});

	const mutations = MUTATIONS.values();
	const work = async (): Promise<void> => {
		for (const mutation of mutations) await isCaught(checks, mutation);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
});

async function isCaught({ check, cleanup }: Checks, mutation: Mutation): Promise<void> {
	const { what, caughtBy } = mutation;
	await check(`${what}\n${' '.repeat(15)}caught by: ${caughtBy.name}`, async () => {
		const copy = await copyCheckout(cleanup);
		await mutate(copy, mutation);
		const results = await runTests(copy, [caughtBy], cleanup.shutdownSignal);
		assert.equal(results.get(caughtBy.name), 'failed', 'the test did not fail');
	});
}
