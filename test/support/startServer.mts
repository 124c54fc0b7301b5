import { join } from 'node:path';

import { npmCli } from '../../host/process/npm.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { runCommand } from '../../host/process/runCommand.mts';
import { startServer } from '../../host/process/server.mts';
import { root } from './package.mts';

const LIMIT_MS = 30_000;

const [folder = '', then] = process.argv.slice(2);

// Starts a sandbox that npm and a shell are in front of, says where it is, and ends as it is told.
await runCommand(async (cleanup) => {
	const port = String(await freePort());
	const url = `http://${LOOPBACK}:${port}`;
	const { failure } = await startServer({
		name: 'the sandbox',
		command: process.execPath,
		args: [npmCli(), 'run', 'sandbox', '--', '--port', port],
		folder: root,
		env: process.env,
		logFile: join(folder, 'sandbox.log'),
		isReady: async () => (await fetch(url)).status > 0,
		startLimitMs: LIMIT_MS,
		stopLimitMs: LIMIT_MS,
		cleanup,
	});
	console.log(url);
	if (then === 'exit') process.exit();
	if (then === 'fail') throw new Error('It fails.');
	await failure;
});
