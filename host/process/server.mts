import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { Lifetime } from './cleanup.mts';
import { waitFor } from './wait.mts';

export interface ServerOptions {
	/** for messages: "n8n" */
	name: string;
	command: string;
	args: string[];
	/** the folder it runs in */
	folder: string;
	env: NodeJS.ProcessEnv;
	/** takes all its output; an earlier one is replaced */
	logFile: string;
	/** runs it as this user; ours unless said otherwise */
	user?: { uid: number; gid: number } | undefined;
	/** whether it can do its work; what it throws means "not yet" */
	isReady: () => Promise<boolean>;
	startLimitMs: number;
	/** asks it to end; SIGTERM unless said otherwise */
	stopSignal?: NodeJS.Signals;
	/** how long it has for that */
	stopLimitMs: number;
	/** ends the start, and at its end the server */
	lifetime: Lifetime;
}

/** A server process that was started here. */
export interface Server {
	pid: number;
	/** never fulfilled; rejects when it ends before it was asked to */
	failure: Promise<never>;
	/** the file with its log */
	logFile: string;
	/** the last lines of its log */
	logTail: () => Promise<string>;
	/** ends it: politely, and after a limit with force */
	stop: () => Promise<void>;
	/** whether it had to be ended with force */
	wasForced: () => boolean;
	/** ends it on the spot, as a power cut would */
	kill: () => Promise<void>;
}

/**
 * Starts a server and waits until it is ready.
 *
 * @throws Error with the end of its log when it does not come up
 */
export async function startServer(options: ServerOptions): Promise<Server> {
	const { name, logFile, lifetime } = options;
	lifetime.interrupt.throwIfAborted();
	const log = openSync(logFile, 'w');
	const child = spawn(options.command, options.args, {
		cwd: options.folder,
		env: options.env,
		stdio: ['ignore', log, log],
		...options.user,
		// A process group of its own: Ctrl-C reaches only us, and kill() reaches its children too.
		detached: true,
	});
	closeSync(log);
	const { pid } = child;
	if (pid === undefined) {
		throw new Error(`${name} could not be started.`, { cause: await once(child, 'error') });
	}

	const killGroup = (): void => {
		try {
			process.kill(-pid, 'SIGKILL');
		} catch {
			// Nothing of it is left.
		}
	};
	// The last resort: whatever ends this process, no server stays behind.
	process.once('exit', killGroup);

	const logTail = async (): Promise<string> =>
		(await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-40).join('\n');

	let stopping = false;
	let forced = false;
	const ended = once(child, 'exit');
	const failure = ended.then(async (): Promise<never> => {
		if (stopping) await new Promise<never>(() => {});
		const how = child.signalCode ?? `exit code ${child.exitCode}`;
		throw new Error(`${name} ended unexpectedly (${how}).`);
	});
	// Who waits for something races against it; where nobody does, it is not an unhandled error.
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
	// Now, because it may be wanted before it is ready.
	await lifetime.atEnd(stop);

	const over = new AbortController();
	const signal = AbortSignal.any([over.signal, lifetime.interrupt]);
	const ready = waitFor(`${name} to start`, options.startLimitMs, async () => {
		signal.throwIfAborted();
		return (await options.isReady().catch(() => false)) ? true : undefined;
	});
	try {
		await Promise.race([ready, failure]);
	} catch (error) {
		over.abort();
		await stop();
		if (lifetime.interrupt.aborted) throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${name} did not start. ${reason} The end of its log:\n${await logTail()}`, {
			cause: error,
		});
	}
	return { pid, failure, logFile, logTail, stop, kill, wasForced: () => forced };
}
