import { setMaxListeners } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { runCLI } from 'jest';

import { copyCheckout, mutate } from './brokenCopy.mts';
import type { Mutation } from './mutations.mts';

// run.mts runs this module in processes of their own. Each keeps the modules of packages, which takes
// longer to load than most tests, from one copy of the checkout to the next.

// Modules of each copy wait for the end of the process, to remove a folder of their own.
setMaxListeners(0, process);

/**
 * Runs tests of mutations in a copy of the checkout.
 *
 * @param parent folder for the copy
 * @param mutation breaks the copy before; without one it stays as it is
 * @returns `passed` or `failed` by name; tests that do not exist are missing
 * @throws Error when the copy no longer compiles, a file cannot run, or a test does not end
 */
export async function runTests(
	parent: string,
	tests: Mutation[],
	mutation?: Mutation,
): Promise<Array<[test: string, outcome: string]>> {
	await using folder = await mkdtempDisposable(join(parent, 'mutant-'));
	await copyCheckout(folder.path);
	if (mutation) await mutate(folder.path, mutation);
	// The folder is removed afterwards.
	return await runIn(folder.path, tests);
}

async function runIn(folder: string, tests: Mutation[]): Promise<Array<[string, string]>> {
	const names = tests.map(({ test }) => test.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
	const files = new Set(tests.map(({ testFile }) => join(folder, testFile)));
	const options = {
		runInBand: true,
		reporters: [],
		runTestsByPath: true,
		testNamePattern: `^(${names.join('|')})$`,
		_: [...files],
		$0: 'jest',
	};
	const { testResults: results } = (await runCLI(options, [folder])).results;
	const broken = results.find(({ testResults }) => testResults.length === 0);
	if (broken) throw new Error(broken.failureMessage ?? `${broken.testFilePath} has no tests.`);
	const outcomes = results.flatMap(({ testResults }) => testResults);
	const late = outcomes
		.flatMap(({ failureMessages }) => failureMessages)
		.find((message) => message.includes('Exceeded timeout'));
	if (late !== undefined) throw new Error(late);
	return outcomes
		.filter(({ status }) => status !== 'pending')
		.map(({ fullName, status }) => [fullName, status]);
}
