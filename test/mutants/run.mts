import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

import { runChecks } from '../support/checks.mts';
import { chosenParts } from '../support/chosenParts.mts';
import { AREAS, type Area } from './areas.mts';

/** For two cores. */
const PROCESSES = 2;
/** A process starts anew after so many mutants: one may leave something in memory that another meets. */
const MUTANTS_OF_A_PROCESS = 50;
/** Of a test: many a mutant makes one wait for ever. The slowest needs a third of it. */
const TEST_LIMIT_MS = 10_000;
/** Beyond the time that the tests need without a mutant: one may make a loop endless. */
const MUTANT_LIMIT_MS = 20_000;
/** For the tests without a mutant, also beside other work. */
const FIRST_LIMIT_MINUTES = 30;
/** An idle machine needs a tenth of it: a mutant takes about a second of a core. */
const LIMIT_MS = 3 * 60 * 60_000;

const DAY_MS = 24 * 60 * 60_000;

// A sample of the tests would leave mutants that the others find.
process.env.FULL_TESTS = 'true';

/** Parts of the names of areas; without any, all. --tonight: the area whose night it is, as all need longer. */
const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: { tonight: { type: 'boolean', default: false } },
});
const tonight = (): string[] => {
	const names = Object.keys(AREAS);
	const night = Math.floor(Date.now() / DAY_MS) % names.length;
	return names.slice(night, night + 1);
};

/** Changes each decision of an area, one at a time. @returns what became of the mutants */
async function mutate({ files, tests }: Area, name: string) {
	return await new Stryker({
		mutate: files,
		// Words of a message decide nothing.
		mutator: { excludedMutations: ['StringLiteral'] },
		// Node loads the package once, so what runs while it is loaded has run before a mutant is on.
		ignoreStatic: true,
		coverageAnalysis: 'perTest',
		concurrency: PROCESSES,
		maxTestRunnerReuse: MUTANTS_OF_A_PROCESS,
		timeoutMS: MUTANT_LIMIT_MS,
		dryRunTimeoutMinutes: FIRST_LIMIT_MINUTES,
		tempDirName: '.data/mutants/sandbox',
		ignorePatterns: ['.data', 'coverage', 'docs/images', 'host/*/node_modules'],
		buildCommand: 'npm run --silent build',
		plugins: ['@stryker-mutator/jest-runner'],
		testRunner: 'jest',
		jest: {
			enableFindRelatedTests: false,
			config: {
				testMatch: tests.map((glob) => `<rootDir>/${glob}`),
				testTimeout: TEST_LIMIT_MS,
				testEnvironment: './test/mutants/environment.mts',
				runtime: './test/mutants/runtime.mts',
			},
		},
		reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
		jsonReporter: { fileName: `.data/mutants/${name}.json` },
		htmlReporter: { fileName: `.data/mutants/${name}.html` },
		allowConsoleColors: false,
	}).runMutationTest();
}

/** Mutates an area. @throws Error when its tests find fewer than they must */
async function checkArea(name: string, area: Area): Promise<void> {
	const mutants = await mutate(area, name);
	const count = (...states: string[]) =>
		mutants.filter(({ status }) => states.includes(status)).length;
	const found = count('Killed', 'Timeout');
	const all = found + count('Survived', 'NoCoverage');
	assert.ok(found > 0, 'No mutant was found.');
	assert.ok(found >= all * ((area.least ?? 0) / 100), `${found} of ${all} were found.`);
}

await runChecks(async ({ check }) => {
	const parts: Record<string, () => Promise<void>> = {};
	for (const [name, area] of Object.entries(AREAS)) {
		parts[name] = async () => {
			const claim = `${name}: the tests find ${area.least ?? 'some'} of 100 mutants`;
			await check(claim, async () => await checkArea(name, area), LIMIT_MS);
		};
	}
	await chosenParts(values.tonight ? tonight() : positionals, parts)(parts, undefined);
});
