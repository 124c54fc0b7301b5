import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { Cleanup } from './cleanup.mts';
import { errorMessage } from './errorMessage.mts';
import { waitFor } from './wait.mts';

interface ServerOptions {
	/** for messages: "n8n" */
	name: string;
	command: string;
	args: string[];
	/** the folder it runs in */
	folder: string;
	env: NodeJS.ProcessEnv;
	/** takes all its output; an earlier one is replaced */
	logFile: string;
	/** whom it runs as; the user of this process unless given */
	user?: { uid: number; gid: number } | undefined;
	/** whether it can do its work; what it throws means "not yet" */
	isReady: () => Promise<boolean>;
	startLimitMs: number;
	/** asks it to end; SIGTERM unless given */
	stopSignal?: NodeJS.Signals;
	/** how long it has for that */
	stopLimitMs: number;
	/** stops the server; its shutdown signal ends the start, too */
	cleanup: Cleanup;
}

/** The process of a server. */
export interface ServerProcess {
	pid: number;
	/** never fulfilled; rejects, with the end of the log, when the process ends before it is stopped */
	failure: Promise<never>;
	logFile: string;
	/** the last lines of its log */
	logTail: () => Promise<string>;
	/** asks it to end, and kills it after a limit */
	stop: () => Promise<void>;
	/** whether `stop` had to kill it */
	wasForced: () => boolean;
	/** ends it on the spot, as a power cut would */
	kill: () => Promise<void>;
}

/** Windows has no process groups: only the process itself is killed there. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Starts a server and waits until it is ready.
 *
 * @throws Error with the end of its log when it does not start
 */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
	const { name, logFile, cleanup } = options;
	cleanup.shutdownSignal.throwIfAborted();
	const log = openSync(logFile, 'w');
	const child = spawn(options.command, options.args, {
		cwd: options.folder,
		env: options.env,
		stdio: ['ignore', log, log],
		...options.user,
		// A process group of its own: Ctrl-C reaches only us, and kill() reaches its children too.
		detached: HAS_GROUPS,
		windowsHide: true,
	});
	closeSync(log);
	const { pid } = child;
	if (pid === undefined) {
		throw new Error(`${name} could not be started.`, { cause: await once(child, 'error') });
	}

	const killGroup = (): void => {
		if (!HAS_GROUPS) {
			child.kill('SIGKILL');
			return;
		}
		try {
			process.kill(-pid, 'SIGKILL');
		} catch {
			// All processes of the group have ended.
		}
	};
	// The last resort: however this process ends, no server stays behind.
	process.once('exit', killGroup);

	const logTail = async (): Promise<string> =>
		(await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-40).join('\n');
	const withLog = async (message: string): Promise<string> =>
		`${message} The end of its log:\n${await logTail()}`;

	let stopping = false;
	let forced = false;
	const ended = once(child, 'exit');
	const failure = ended.then(async (): Promise<never> => {
		if (stopping) await new Promise<never>(() => {});
		const how = child.signalCode ?? `exit code ${child.exitCode}`;
		throw new Error(await withLog(`${name} ended unexpectedly (${how}).`));
	});
	// Callers race against it; without a caller it would be an unhandled rejection.
	failure.catch(() => {});

	const kill = async (): Promise<void> => {
		stopping = true;
		killGroup();
		await ended;
		process.off('exit', killGroup);
	};
	const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
	const stop = async (): Promise<void> => {
		stopping = true;
		if (isRunning()) {
			child.kill(options.stopSignal);
			await Promise.race([ended, delay(options.stopLimitMs, undefined, { ref: false })]);
			forced = isRunning();
		}
		await kill();
	};
	// Before it is ready, because the shutdown signal may come first.
	await cleanup.defer(stop);

	let hasFailed = false;
	const ready = async (): Promise<boolean | undefined> => {
		cleanup.shutdownSignal.throwIfAborted();
		return hasFailed || (await options.isReady().catch(() => false)) || undefined;
	};
	try {
		await Promise.race([
			waitFor(`${name} to start`, options.startLimitMs, ready).catch(async (error: unknown) => {
				throw new Error(await withLog(errorMessage(error)), { cause: error });
			}),
			failure,
		]);
	} catch (error) {
		hasFailed = true;
		await stop();
		cleanup.shutdownSignal.throwIfAborted();
		throw new Error(`${name} did not start. ${errorMessage(error)}`, { cause: error });
	}
	return { pid, failure, logFile, logTail, stop, kill, wasForced: () => forced };
}
