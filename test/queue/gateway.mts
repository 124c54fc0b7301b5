import { writeFile } from 'node:fs/promises';

import type { Lifetime } from '../../host/process/cleanup.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer, type Server } from '../../host/process/server.mts';
import type { Programs } from './programs.mts';
import { fileOf } from './settings.mts';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;

/** What stands before n8n. */
export interface Gateway extends Server {
	/** without a slash at the end */
	url: string;
}

/**
 * Starts HAProxy as docs/scaling.md has it, but without TLS.
 *
 * @param folder takes its files
 * @param ports of main and the webhook process, on this machine
 */
export async function startGateway(
	{ haproxy }: Programs,
	folder: string,
	ports: { main: number; webhook: number },
	lifetime: Lifetime,
): Promise<Gateway> {
	const port = await freePort();
	const configuration = `${folder}/gateway.cfg`;
	await writeFile(
		configuration,
		fileOf('The gateway', {
			':443 ssl crt <your certificate>': `${LOOPBACK}:${port}`,
			'<where the webhook process is>:5678': `${LOOPBACK}:${ports.webhook}`,
			'<where main is>:5678': `${LOOPBACK}:${ports.main}`,
		}),
	);
	const url = `http://${LOOPBACK}:${port}`;
	const server = await startServer({
		name: 'HAProxy',
		command: haproxy,
		args: ['-db', '-f', configuration],
		folder,
		env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
		logFile: `${folder}/gateway.log`,
		isReady: async () => {
			// It answers by itself while nobody is behind it.
			await fetch(url, { signal: AbortSignal.timeout(START_LIMIT_MS) });
			return true;
		},
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		lifetime,
	});
	return { url, ...server };
}
