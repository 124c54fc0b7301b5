import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

import { runChecks } from '../support/checks.mts';
import { chosenParts } from '../support/chosenParts.mts';
import { AREAS, type Area } from './areas.mts';

/** For two cores. */
const PROCESSES = 2;
/** A process starts anew after so many mutants: one may leave something in memory that another meets. */
const MUTANTS_OF_A_PROCESS = 20;
/** Beyond the time that the tests need without a mutant: one may make a loop endless. */
const MUTANT_LIMIT_MS = 30_000;
const AREA_LIMIT_MS = 60 * 60_000;

/** Parts of the names of areas; without any, all. */
const { positionals } = parseArgs({ allowPositionals: true });

/** Changes each decision of an area, one at a time. @returns what became of the mutants */
async function mutate({ mutate, tests }: Area, name: string) {
	return await new Stryker({
		mutate,
		// Words of a message decide nothing.
		mutator: { excludedMutations: ['StringLiteral'] },
		// Node loads the package once, so what runs while it is loaded has run before a mutant is on.
		ignoreStatic: true,
		coverageAnalysis: 'perTest',
		concurrency: PROCESSES,
		maxTestRunnerReuse: MUTANTS_OF_A_PROCESS,
		timeoutMS: MUTANT_LIMIT_MS,
		tempDirName: '.data/mutants/sandbox',
		ignorePatterns: ['.data', 'coverage', 'docs/images', 'host/*/node_modules'],
		buildCommand: 'npm run --silent build',
		plugins: ['@stryker-mutator/jest-runner'],
		testRunner: 'jest',
		jest: {
			enableFindRelatedTests: false,
			config: {
				testMatch: tests.map((glob) => `<rootDir>/${glob}`),
				testEnvironment: './test/mutants/environment.mts',
				runtime: './test/mutants/runtime.mts',
			},
		},
		reporters: ['clear-text', 'html'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
		htmlReporter: { fileName: `.data/mutants/${name}.html` },
		allowConsoleColors: false,
	}).runMutationTest();
}

await runChecks(async ({ check }) => {
	const parts = Object.entries(AREAS).map(([name, area]) => {
		const work = async (): Promise<void> => {
			await check(
				`${name}: the tests find ${area.least} of 100 mutants`,
				async () => {
					const mutants = await mutate(area, name);
					const of = (...states: string[]) =>
						mutants.filter(({ status }) => states.includes(status)).length;
					const found = of('Killed', 'Timeout');
					const all = found + of('Survived', 'NoCoverage');
					assert.ok(found >= (area.least / 100) * all, `${found} of ${all}`);
				},
				AREA_LIMIT_MS,
			);
		};
		return [name, work] as const;
	});
	await chosenParts(positionals, AREAS)(Object.fromEntries(parts), undefined);
});
