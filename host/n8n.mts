import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort, LOOPBACK } from './ports.mts';
import { waitFor } from './wait.mts';

const START_LIMIT_MS = 180_000;
const PROBE_LIMIT_MS = 5_000;
/** n8n gets this long to end what it is doing, and a little more before it is killed. */
const SHUTDOWN_LIMIT_S = 10;
const KILL_AFTER_MS = (SHUTDOWN_LIMIT_S + 2) * 1_000;

export interface N8nOptions {
	/** folder of the host that n8n is installed in (see install.mts) */
	folder: string;
	/** keeps all of n8n's data; created where it does not exist */
	userFolder: string;
	port: number;
	/** further settings, as environment variables */
	env?: NodeJS.ProcessEnv;
	/** ends the start */
	signal?: AbortSignal;
}

export interface N8n {
	/** base URL, without a slash at the end */
	url: string;
	pid: number;
	/** never fulfilled; rejects when n8n ends before it was asked to */
	failure: Promise<never>;
	/** the last lines of n8n's log */
	logTail: () => Promise<string>;
	/** ends n8n: politely, and after a limit with force */
	stop: () => Promise<void>;
	/** ends n8n on the spot, as a power cut would */
	kill: () => Promise<void>;
}

/**
 * Starts n8n on the loopback address and waits until its REST API answers.
 *
 * @throws Error with the end of n8n's log when it does not come up
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { folder, userFolder, port } = options;
	options.signal?.throwIfAborted();
	await mkdir(userFolder, { recursive: true });
	const logFile = join(userFolder, 'n8n.log');
	const log = openSync(logFile, 'w');
	const child = spawn(process.execPath, [join(folder, 'node_modules', 'n8n', 'bin', 'n8n')], {
		// n8n reads a .env file from here: only its own folder may hold one.
		cwd: userFolder,
		env: { ...(await environment(userFolder, port)), ...options.env },
		stdio: ['ignore', log, log],
		// A process group of its own: Ctrl-C reaches only us, and stop() reaches n8n's children too.
		detached: true,
	});
	closeSync(log);
	const { pid } = child;
	if (pid === undefined) {
		throw new Error('n8n could not be started.', { cause: await once(child, 'error') });
	}

	const killGroup = (): void => {
		try {
			process.kill(-pid, 'SIGKILL');
		} catch {
			// Nothing of it is left.
		}
	};
	// The last resort: whatever ends this process, no n8n stays behind.
	process.once('exit', killGroup);

	const logTail = async (): Promise<string> =>
		(await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-40).join('\n');

	let stopping = false;
	const ended = once(child, 'exit');
	const failure = ended.then(async (): Promise<never> => {
		if (stopping) await new Promise<never>(() => {});
		const how = child.signalCode ?? `exit code ${child.exitCode}`;
		throw new Error(`n8n ended unexpectedly (${how}).`);
	});
	// Who waits for something races against it; where nobody does, it is not an unhandled error.
	failure.catch(() => {});

	const kill = async (): Promise<void> => {
		stopping = true;
		killGroup();
		await ended;
		process.off('exit', killGroup);
	};
	const stop = async (): Promise<void> => {
		stopping = true;
		if (child.exitCode === null && child.signalCode === null) {
			child.kill('SIGTERM');
			await Promise.race([ended, delay(KILL_AFTER_MS, undefined, { ref: false })]);
		}
		await kill();
	};

	const n8n: N8n = { url: `http://${LOOPBACK}:${port}`, pid, failure, logTail, stop, kill };
	const over = new AbortController();
	const signal = AbortSignal.any([over.signal, ...(options.signal ? [options.signal] : [])]);
	try {
		await Promise.race([untilReady(n8n.url, signal), failure]);
	} catch (error) {
		over.abort();
		await stop();
		if (options.signal?.aborted) throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`n8n did not start. ${reason} The end of its log:\n${await logTail()}`, {
			cause: error,
		});
	}
	return n8n;
}

/**
 * Only what n8n needs is passed on. Settings of another n8n on this machine (N8N_*, DB_*,
 * QUEUE_*), and npm's, stay away from it: they could point it at that one's database.
 */
async function environment(userFolder: string, port: number): Promise<NodeJS.ProcessEnv> {
	const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'USER', 'SHELL'];
	return {
		...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: LOOPBACK,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_PORT: String(port),
		WEBHOOK_URL: `http://${LOOPBACK}:${port}/`,
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: LOOPBACK,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		// Without https a browser that takes the setting seriously would not keep the login.
		N8N_SECURE_COOKIE: 'false',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(SHUTDOWN_LIMIT_S),
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
async function untilReady(url: string, signal: AbortSignal): Promise<void> {
	await waitFor('n8n to start', START_LIMIT_MS, async () => {
		signal.throwIfAborted();
		try {
			const response = await fetch(`${url}/rest/settings`, {
				signal: AbortSignal.timeout(PROBE_LIMIT_MS),
			});
			const body: unknown = await response.json();
			return typeof body === 'object' && body !== null && 'data' in body ? true : undefined;
		} catch {
			return undefined;
		}
	});
}
