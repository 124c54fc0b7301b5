import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Lifetime } from '../process/cleanup.mts';
import { freePort, LOOPBACK } from '../process/ports.mts';
import { startServer, type Server } from '../process/server.mts';

const START_LIMIT_MS = 180_000;
const PROBE_LIMIT_MS = 5_000;
const SHUTDOWN_LIMIT_S = 10;
/** After its limit n8n takes two seconds to end itself (2.41). Only then it is killed. */
const SPARE_MS = 5_000;

/** What an n8n process does: everything, or in queue mode only receiving webhooks or only running workflows. */
export type N8nCommand = 'start' | 'webhook' | 'worker';

export interface N8nOptions {
	/** folder of the host that n8n is installed in (see installN8n.mts) */
	folder: string;
	/** keeps all of n8n's data and its log; created where it does not exist */
	userFolder: string;
	/** where it listens; a worker only for questions after its health */
	port: number;
	/** `start` unless said otherwise */
	command?: N8nCommand;
	/** options of the command, such as `--concurrency=10` */
	args?: string[];
	/** further settings, as environment variables */
	env?: NodeJS.ProcessEnv;
	/** how long it may take to end what it is doing, in seconds; 10 unless said otherwise */
	shutdownLimitS?: number;
	/** ends the start, and at its end n8n */
	lifetime: Lifetime;
}

/** A running n8n. */
export interface N8n extends Server {
	/** base URL, without a slash at the end */
	url: string;
}

/**
 * Starts n8n on the loopback address and waits until it can do its work.
 *
 * @throws Error with the end of n8n's log when it does not come up
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { folder, userFolder, port, command = 'start', args = [] } = options;
	const { shutdownLimitS = SHUTDOWN_LIMIT_S } = options;
	await mkdir(userFolder, { recursive: true });
	const url = `http://${LOOPBACK}:${port}`;
	const isReady = command === 'start' ? servesEditor : isHealthy;
	const server = await startServer({
		name: command === 'start' ? 'n8n' : `n8n ${command}`,
		command: process.execPath,
		args: [join(folder, 'node_modules', 'n8n', 'bin', 'n8n'), command, ...args],
		// n8n reads a .env file from here: only its own folder may hold one.
		folder: userFolder,
		env: { ...(await environment(userFolder, port, shutdownLimitS)), ...options.env },
		logFile: join(userFolder, 'n8n.log'),
		isReady: async () => await isReady(url),
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: shutdownLimitS * 1_000 + SPARE_MS,
		lifetime: options.lifetime,
	});
	return { url, ...server };
}

/**
 * Only what n8n needs is passed on. Settings of another n8n on this machine (N8N_*, DB_*,
 * QUEUE_*), and npm's, stay away from it: they could point it at that one's database.
 */
async function environment(
	userFolder: string,
	port: number,
	shutdownLimitS: number,
): Promise<NodeJS.ProcessEnv> {
	const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'USER', 'SHELL'];
	return {
		...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: LOOPBACK,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_PORT: String(port),
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: LOOPBACK,
		WEBHOOK_URL: `http://${LOOPBACK}:${port}/`,
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: LOOPBACK,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		// Without https a browser that takes the setting seriously would not keep the login.
		N8N_SECURE_COOKIE: 'false',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
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

/** While n8n migrates its database, every path answers 200 with a page; only JSON with `data` means ready. */
async function servesEditor(url: string): Promise<boolean> {
	const body: unknown = await (await probe(`${url}/rest/settings`)).json();
	return typeof body === 'object' && body !== null && 'data' in body;
}

/** Webhook processes and workers have no REST API (n8n 2.41). */
async function isHealthy(url: string): Promise<boolean> {
	return (await probe(`${url}/healthz/readiness`)).ok;
}

async function probe(url: string): Promise<Response> {
	return await fetch(url, { signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
}
