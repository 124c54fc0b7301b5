import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { runCommand } from '../../host/process/runCommand.mts';
import { root } from '../support/package.mts';

const DEFAULT_ITEMS = 10_000;

/** The longest time for one operation. 10,000 items take some minutes on a busy machine. */
const LIMIT_MS = 60 * 60_000;

// Sends as many items of bad input to every operation as the argument says.
await runCommand(async ({ shutdownSignal }) => {
	const items = Number(process.argv[2] ?? DEFAULT_ITEMS);
	if (!Number.isInteger(items) || items < 1) {
		throw new Error('Usage: npm run test:input [-- <number of items for each operation>]');
	}
	const startedAt = Date.now();
	const args = [
		join(root, 'node_modules/jest/bin/jest.js'),
		`--testTimeout=${LIMIT_MS}`,
		'--runTestsByPath',
		'test/nodes/action/fields/badInput.test.mts',
	];
	const env = { ...process.env, BAD_INPUT_ITEMS: String(items) };
	const jest = spawn(process.execPath, args, {
		cwd: root,
		env,
		stdio: 'inherit',
		signal: shutdownSignal,
	});
	const [code] = (await once(jest, 'exit')) as [number | null];
	if (code !== 0) throw new Error('An item did not end as it should.');
	const seconds = Math.round((Date.now() - startedAt) / 1_000);
	console.log(`${items} items for each operation, ${seconds} s`);
});
