import { join } from 'node:path';

import { installLocked } from '../../host/process/installLocked.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import type { Cleanup } from '../../host/process/cleanup.mts';
import { root } from '../support/package.mts';

const FOLDER = join(root, 'host/prism');
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;

/** Installs Prism, unless it is installed. @throws Error that says what failed */
export async function installPrism(signal: AbortSignal): Promise<void> {
	await installLocked(FOLDER, {
		name: 'Prism',
		announcement: 'Installing Prism into host/prism/: once, 80 MB of disk.',
		signal,
	});
}

/**
 * Starts Prism with the contract.
 *
 * @param isSilent without its log of each request, which takes half of its time
 * @returns the base URL
 */
export async function startPrism(cleanup: Cleanup, isSilent: boolean): Promise<string> {
	const folder = await temporaryFolder('prism', cleanup);
	const port = await freePort();
	const url = `http://${LOOPBACK}:${port}`;
	await startServer({
		name: 'Prism',
		command: process.execPath,
		args: [
			join(FOLDER, 'node_modules/@stoplight/prism-cli/dist/index.js'),
			...['mock', join(root, 'contract/openapi.yaml')],
			...['--host', LOOPBACK, '--port', String(port)],
			...(isSilent ? ['--verboseLevel', 'silent'] : []),
		],
		folder,
		env: { PATH: process.env.PATH },
		logFile: join(folder, 'prism.log'),
		isReady: async () => (await fetch(url)).status > 0,
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		cleanup,
	});
	return url;
}
