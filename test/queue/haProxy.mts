import { writeFile } from 'node:fs/promises';

import type { Cleanup } from '../../host/process/cleanup.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import type { Programs } from './programs.mts';
import { fileOf } from './settings.mts';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;

/**
 * Starts HAProxy with the configuration of docs/scaling.md, but without TLS.
 *
 * @param folder for its files
 * @param ports of main and the webhook process, on this machine
 * @returns the base URL of n8n, without a slash at the end
 */
export async function startHaProxy(
	{ haproxy }: Programs,
	folder: string,
	ports: { main: number; webhook: number },
	cleanup: Cleanup,
): Promise<string> {
	const port = await freePort();
	const configuration = `${folder}/haproxy.cfg`;
	await writeFile(
		configuration,
		fileOf('The gateway', {
			':443 ssl crt <your certificate>': `${LOOPBACK}:${port}`,
			'<where the webhook process is>:5678': `${LOOPBACK}:${ports.webhook}`,
			'<where main is>:5678': `${LOOPBACK}:${ports.main}`,
		}),
	);
	const url = `http://${LOOPBACK}:${port}`;
	await startServer({
		name: 'HAProxy',
		command: haproxy,
		args: ['-db', '-f', configuration],
		folder,
		env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
		logFile: `${folder}/haproxy.log`,
		isReady: async () => {
			// HAProxy responds itself while n8n is not running.
			await fetch(url, { signal: AbortSignal.timeout(START_LIMIT_MS) });
			return true;
		},
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		cleanup,
	});
	return url;
}
