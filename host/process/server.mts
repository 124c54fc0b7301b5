import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';

import type { Cleanup } from './cleanup.mts';
import { errorMessage } from './errorMessage.mts';
import { waitFor } from './wait.mts';

interface ServerOptions {
	/** for messages: "n8n" */
	name: string;
	command: string;
	args: string[];
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

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server and waits until it is ready. However this process ends, the server and what it has
 * started end with it (docs/decisions/0006: after `kill -9` they do not).
 *
 * @throws Error with the end of its log when it does not start
 */
export async function startServer(options: ServerOptions) {
	const { name, logFile, cleanup } = options;
	// An open file: the server writes to it by itself, also while this process is busy.
	const log = createWriteStream(logFile);
	await once(log, 'open');
	cleanup.shutdownSignal.throwIfAborted();
	const server = execa(options.command, options.args, {
		cwd: options.folder,
		env: options.env,
		extendEnv: false,
		stdin: 'ignore',
		stdout: log,
		stderr: log,
		...options.user,
		// Ctrl-C reaches only us, because the server then has a process group of its own.
		killDescendants: true,
		killSignal: 'SIGKILL',
		reject: false,
	});
	log.close();
	const { pid } = server;
	if (pid === undefined) throw new Error(`${name} could not be started.`, { cause: await server });

	const logTail = async (): Promise<string> =>
		(await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-40).join('\n');
	const withLog = async (message: string) => `${message} The end of its log:\n${await logTail()}`;

	let hasEnded = false;
	let isStopping = false;
	let wasForced = false;
	const ended = server.then(({ signal, exitCode }) => {
		hasEnded = true;
		return signal ?? `exit code ${exitCode}`;
	});
	const failure = ended.then(async (how): Promise<never> => {
		if (isStopping) await new Promise<never>(() => {});
		throw new Error(await withLog(`${name} ended unexpectedly (${how}).`));
	});
	// Callers race against it; without a caller it would be an unhandled rejection.
	failure.catch(() => {});

	const kill = async (): Promise<void> => {
		isStopping = true;
		// Also after its end: processes of its group may be left.
		server.kill();
		await ended;
	};
	const stop = async (): Promise<void> => {
		isStopping = true;
		if (!hasEnded) {
			// The server alone, which ends its own processes in its own order.
			server.nodeChildProcess.kill(options.stopSignal);
			await Promise.race([ended, delay(options.stopLimitMs, undefined, { ref: false })]);
			wasForced = !hasEnded;
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
	return {
		pid,
		/** never fulfilled; rejects, with the end of the log, when the process ends before it is stopped */
		failure,
		logFile,
		logTail,
		/** asks it to end, and kills it after a limit */
		stop,
		/** whether `stop` had to kill it */
		wasForced: () => wasForced,
		/** ends it on the spot, as a power cut would */
		kill,
	};
}
