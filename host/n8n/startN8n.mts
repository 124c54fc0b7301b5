import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Cleanup } from '../process/cleanup.mts';
import { freePort, LOOPBACK } from '../process/ports.mts';
import { startServer, type ServerProcess } from '../process/server.mts';
import { hostFolder, type Host } from './installN8n.mts';

const START_LIMIT_MS = 180_000;
const PROBE_LIMIT_MS = 5_000;
const SHUTDOWN_LIMIT_S = 10;
/** n8n 2.41 ends two seconds after its own limit. */
const KILL_DELAY_MS = 5_000;

/** What an n8n process does: everything, or in queue mode only receiving webhooks or only running workflows. */
type N8nCommand = 'start' | 'webhook' | 'worker';

export interface N8nOptions {
	host: Host;
	/** keeps all of n8n's data and its log; created if it does not exist */
	userFolder: string;
	/** where it listens, any free port unless given; a worker only serves health checks there */
	port?: number;
	/** `start` unless given */
	command?: N8nCommand;
	/** options of the command, such as `--concurrency=10` */
	args?: string[];
	/** further settings, as environment variables */
	env?: NodeJS.ProcessEnv;
	/** seconds that it has to finish its executions at the end; 10 unless given */
	shutdownLimitS?: number;
	cleanup: Cleanup;
}

export interface N8n extends ServerProcess {
	/** base URL, without a slash at the end */
	url: string;
}

/**
 * Starts n8n on the loopback address and waits until it can do its work.
 *
 * @throws Error with the end of n8n's log when it does not start
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { host, userFolder, command = 'start', args = [], cleanup } = options;
	const { port = await freePort(), shutdownLimitS = SHUTDOWN_LIMIT_S } = options;
	await mkdir(userFolder, { recursive: true });
	const url = `http://${LOOPBACK}:${port}`;
	const logFile = join(userFolder, 'n8n.log');
	const server = await startServer({
		name: command === 'start' ? 'n8n' : `n8n ${command}`,
		command: process.execPath,
		args: [join(hostFolder(host), 'node_modules', 'n8n', 'bin', 'n8n'), command, ...args],
		// n8n reads a .env file from the folder it runs in.
		folder: userFolder,
		env: { ...(await environment(userFolder, port, shutdownLimitS)), ...options.env },
		logFile,
		isReady: async () => await (command === 'start' ? hasStarted(logFile) : isHealthy(url)),
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: shutdownLimitS * 1_000 + KILL_DELAY_MS,
		cleanup,
	});
	return { url, ...server };
}

const INHERITED = [
	...['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'USER', 'SHELL'],
	'NODE_COMPILE_CACHE',
];
/** What Windows programs need. */
const WINDOWS = ['SystemRoot', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP', 'TMP'];

/** That of this machine. n8n has no name *UTC* (2.41: its list has *Etc/UTC*). */
function timeZone(): string {
	const { timeZone: name } = Intl.DateTimeFormat().resolvedOptions();
	return name === 'UTC' ? 'Etc/UTC' : name;
}

/** Settings of another n8n (N8N_*, DB_*, QUEUE_*) are not inherited: its database could be used. */
async function environment(
	userFolder: string,
	port: number,
	shutdownLimitS: number,
): Promise<NodeJS.ProcessEnv> {
	return {
		...Object.fromEntries([...INHERITED, ...WINDOWS].map((name) => [name, process.env[name]])),
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: LOOPBACK,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_PORT: String(port),
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: LOOPBACK,
		WEBHOOK_URL: `http://${LOOPBACK}:${port}/`,
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: LOOPBACK,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		// Browsers keep secure cookies only with https.
		N8N_SECURE_COOKIE: 'false',
		GENERIC_TIMEZONE: timeZone(),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(shutdownLimitS),
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// No telemetry, and no news, survey or advertisement before the first workflow.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	};
}

/**
 * n8n prints this when it serves webhooks (n8n 2.0, 2.41). It serves its editor before, and answers webhooks
 * with 404 until then.
 */
const hasStarted = async (logFile: string): Promise<boolean> =>
	(await readFile(logFile, 'utf8')).includes('Editor is now accessible via');

/** Webhook processes and workers print other things (n8n 2.41). */
async function isHealthy(url: string): Promise<boolean> {
	const signal = AbortSignal.timeout(PROBE_LIMIT_MS);
	return (await fetch(`${url}/healthz/readiness`, { signal })).ok;
}
