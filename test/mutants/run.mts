import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';

import { runChecks, type Checks } from '../support/checks.mts';
import { copyCheckout, mutate } from './brokenCopy.mts';
import { runTests } from './fastSuite.mts';
import { MUTATIONS, type Mutation } from './mutations.mts';

/** Copies that are tested at once; each takes a core. */
const AT_ONCE = 2;

/** Breaks the package on purpose, one way at a time: a named test has to notice each. */
await runChecks(async (checks) => {
	await checks.require('unbroken, the package passes all these tests', async () => {
		const tests = MUTATIONS.map(({ caughtBy }) => caughtBy);
		const outcome = await runTests(await freshCopy(checks), tests, checks.interrupt);
		for (const { name } of tests) assert.equal(outcome.get(name), 'passed', name);
	});

	const left = [...MUTATIONS];
	const work = async (): Promise<void> => {
		for (let next = left.shift(); next !== undefined; next = left.shift()) {
			await isCaught(checks, next);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
});

async function isCaught(checks: Checks, mutation: Mutation): Promise<void> {
	const { what, caughtBy } = mutation;
	await checks.check(`${what}\n${' '.repeat(15)}caught by: ${caughtBy.name}`, async () => {
		const copy = await freshCopy(checks);
		await mutate(copy, mutation);
		const outcome = await runTests(copy, [caughtBy], checks.interrupt);
		assert.equal(outcome.get(caughtBy.name), 'failed', 'the test did not notice');
	});
}

async function freshCopy({ lifetime }: Checks): Promise<string> {
	const copy = await copyCheckout();
	await lifetime.atEnd(async () => await rm(copy, { recursive: true, force: true }));
	return copy;
}
