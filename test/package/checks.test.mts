import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { folderPerTest } from '../../sandbox/test/support/process.mts';
import { root } from '../support/package.mts';

const RUNNER = pathToFileURL(join(root, 'test/support/checks.mts')).href;

const folder = folderPerTest();

const STOPS = "await cleanup.defer(async () => console.log('stopped'));";

/** A suite as code, its exit code, the checks that passed and failed, and what it prints among other things. */
const SUITES: Array<[what: string, suite: string, code: number, outcome: object, printed: string]> =
	[
		[
			'ends with 0 when all passed',
			"await check('a', () => {}); if (await check('b', async () => 5) !== 5) fails();",
			0,
			{ passed: ['a', 'b'], failed: [] },
			'',
		],
		[
			'continues after a failure, and prints the details',
			"onFailure('The log', async () => 'wet'); await check('a', fails); await check('b', () => {});",
			1,
			{ passed: ['b'], failed: ['a'] },
			'The log:\nwet',
		],
		[
			'ends when a required check fails, and stops what was started',
			`${STOPS} await require('a', fails); await check('b', () => {});`,
			1,
			{ passed: [], failed: ['a'] },
			'stopped',
		],
		[
			'stops what was started when it is interrupted',
			`${STOPS} await check('a', () => { process.kill(process.pid, 'SIGINT'); return new Promise(() => {}); });`,
			1,
			{ passed: [] },
			'stopped',
		],
		['fails when it has no checks', '', 1, {}, 'The suite has no checks.'],
		['fails for its own error', "await check('a', () => {}); fails();", 1, {}, 'It rains.'],
		[
			'fails for an error of the cleanup',
			"await check('a', () => {}); await cleanup.defer(async () => fails());",
			1,
			{ passed: ['a'] },
			'It rains.',
		],
	];

it.each(SUITES)('a suite %s', async (_, suite, code, outcome, contained) => {
	const file = join(folder(), 'suite.mts');
	writeFileSync(
		file,
		`import { runChecks } from ${JSON.stringify(RUNNER)};
		const fails = () => { throw new Error('It rains.'); };
		await runChecks(async ({ check, require, cleanup, onFailure }) => { ${suite} });`,
	);
	const child = spawn(process.execPath, ['--test-reporter=tap', file]);
	const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	const [passed, failed] = ['ok', 'not ok'].map((result) =>
		[...printed.matchAll(new RegExp(`^ {4}${result} \\d+ - (.*)$`, 'gm'))].map(([, name]) => name),
	);
	expect({ code: child.exitCode, passed, failed }).toMatchObject({ code, ...outcome });
	expect(printed).toContain(contained);
});
