import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Cleanup } from '../../host/process/cleanup.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.mts';

const CLI = fileURLToPath(new URL('../../sandbox/cli.mts', import.meta.url));
/** A seed of 100,000 calls takes a minute on a busy machine. */
const START_LIMIT_MS = 5 * 60_000;
const STOP_LIMIT_MS = 5_000;

/** A sandbox in another process. */
export interface SandboxProcess {
	/** the base URL for a credential */
	url: string;
	control: SandboxClient;
}

/** Starts a sandbox in another process, because its work would delay the probes of the bench. */
export async function startSandboxProcess(cleanup: Cleanup, seed: object): Promise<SandboxProcess> {
	const folder = await temporaryFolder('sandbox', cleanup);
	const seedFile = join(folder, 'seed.json');
	await writeFile(seedFile, JSON.stringify(seed));
	const port = await freePort();
	const origin = `http://${LOOPBACK}:${port}`;
	const control = createSandboxClient(`${origin}/__sandbox`);
	await startServer({
		name: 'the sandbox',
		command: process.execPath,
		args: [CLI, '--port', String(port), '--seed', seedFile],
		folder,
		env: { PATH: process.env.PATH },
		logFile: join(folder, 'sandbox.log'),
		isReady: async () => {
			await control.requests();
			return true;
		},
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		cleanup,
	});
	return { url: `${origin}/api`, control };
}
