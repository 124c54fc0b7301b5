import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

import type { Mutation } from './mutations.mts';

const LIMIT_MS = 120_000;

const report = z.object({
	testResults: z.array(
		z.object({
			message: z.string(),
			assertionResults: z.array(
				z.object({
					fullName: z.string(),
					status: z.string(),
					failureMessages: z.array(z.string()),
				}),
			),
		}),
	),
});

/**
 * Runs the tests of mutations.
 *
 * @param folder a built checkout
 * @returns `passed` or `failed` by name; tests that do not exist are missing
 * @throws Error when a file cannot run, or a test does not end
 */
export async function runTests(
	folder: string,
	tests: Mutation[],
	signal: AbortSignal,
): Promise<Map<string, string>> {
	const names = tests.map(({ test }) => test.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
	const output = join(folder, 'jest.json');
	const args = [
		join(folder, 'node_modules/jest/bin/jest.js'),
		'--maxWorkers=2',
		'--json',
		`--outputFile=${output}`,
		`--testNamePattern=^(${names.join('|')})$`,
		'--runTestsByPath',
		...new Set(tests.map(({ testFile }) => testFile)),
	];
	const errors = await new Promise<string>((resolve) => {
		const options = { cwd: folder, timeout: LIMIT_MS, signal };
		// A test that fails makes the exit code 1; the report has the result.
		execFile(process.execPath, args, options, (_error, _stdout, stderr) => resolve(stderr));
	});
	const text = await readFile(output, 'utf8').catch(() => {
		throw new Error(`jest did not run:\n${errors}`);
	});
	const results = report.parse(JSON.parse(text)).testResults;
	const broken = results.find(({ assertionResults }) => assertionResults.length === 0);
	if (broken !== undefined) throw new Error(broken.message);
	const late = results
		.flatMap(({ assertionResults }) => assertionResults)
		.flatMap(({ failureMessages }) => failureMessages)
		.find((message) => message.includes('Exceeded timeout'));
	if (late !== undefined) throw new Error(late);
	return new Map(
		results
			.flatMap(({ assertionResults }) => assertionResults)
			.filter(({ status }) => status !== 'pending')
			.map(({ fullName, status }) => [fullName, status]),
	);
}
