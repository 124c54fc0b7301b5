import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'jest-worker';

import { buildIfStale } from '../../host/n8n/buildIfStale.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { runChecks } from '../support/checks.mts';
import type * as FastSuite from './fastSuite.mts';
import { FIRST_MUTATIONS, MUTATIONS } from './mutations.mts';

/** Processes that test mutants. */
const PROCESSES = 2;
const LIMIT_MS = 120_000;
/** For the tests of all mutations. */
const UNCHANGED_LIMIT_MS = 10 * 60_000;

/** --quick: one mutation for each test file, which shows that the file runs the package and can fail. */
const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const chosen = quick ? FIRST_MUTATIONS : MUTATIONS;

// Breaks the package in one way after the other; the named test must fail each time.
await runChecks(async ({ check, cleanup }) => {
	await buildIfStale();
	const folder = await temporaryFolder('mutants', cleanup);
	const processes = new Worker(fileURLToPath(new URL('fastSuite.mts', import.meta.url)), {
		exposedMethods: ['runTests'],
		numWorkers: PROCESSES,
	}) as Worker & Pick<typeof FastSuite, 'runTests'>;
	await cleanup.defer(async () => {
		await processes.end();
	});
	const inEach = async (work: () => Promise<void>): Promise<void> => {
		await Promise.all(Array.from({ length: PROCESSES }, work));
	};

	const mutations = chosen.values();
	await inEach(async () => {
		for (const mutation of mutations) {
			const { what, test } = mutation;
			await check(
				`${what} (caught by: ${test})`,
				async () => {
					const results = new Map(await processes.runTests(folder, [mutation], mutation));
					assert.equal(results.get(test), 'failed', 'the test did not fail');
				},
				LIMIT_MS,
			);
		}
	});

	// Last, and in both processes: none of these tests has failed because of one that ran before it.
	await check(
		'the unchanged package passes all these tests',
		async () => {
			await inEach(async () => {
				const results = new Map(await processes.runTests(folder, chosen));
				for (const { test } of chosen) assert.equal(results.get(test), 'passed', test);
			});
		},
		UNCHANGED_LIMIT_MS,
	);
});
