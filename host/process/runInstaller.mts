import { execa } from 'execa';

/** npm can take long to undo what it has begun. Shorter than what a command has to end. */
const END_LIMIT_MS = 4_000;

export interface InstallerRun {
	folder: string;
	args: string[];
	/** all output is appended to this file */
	log?: string;
	/** milliseconds until it is stopped */
	limitMs: number;
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal;
	onLine?: (line: string) => void;
}

/**
 * Runs a program that installs packages.
 *
 * @param command its path, or its name on PATH; without one, the run is not ok
 * @throws Error when it takes longer than the limit; the reason of `signal` when that ends it. It and
 *   all that it has started have ended then.
 */
export async function runInstaller(command: string, run: InstallerRun) {
	const readLine = function* (line: unknown): Generator {
		run.onLine?.(String(line));
		yield line;
	};
	const logFile = run.log === undefined ? [] : [{ file: run.log, append: true } as const];
	const result = await execa(command, run.args, {
		cwd: run.folder,
		env: run.env,
		stdin: 'ignore',
		stdout: [readLine, ...logFile],
		stderr: [readLine, ...logFile],
		all: true,
		timeout: run.limitMs,
		cancelSignal: run.signal,
		forceKillAfterDelay: END_LIMIT_MS,
		killDescendants: true,
		reject: false,
	});
	run.signal?.throwIfAborted();
	if (result.timedOut) throw new Error(`${result.shortMessage}\n${lastLines(result.all)}`);
	// What failed comes first in the output.
	return { ok: !result.failed, stdout: result.stdout, output: result.message ?? result.all };
}

/** The end of what an installer said. */
export const lastLines = (output: string): string => output.split('\n').slice(-15).join('\n');
