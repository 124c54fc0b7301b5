import { dirname, join } from 'node:path';
import { execa } from 'execa';

/** npm can take long to undo what it has begun. Shorter than what a command has to end. */
const END_LIMIT_MS = 4_000;

interface NpmRun {
	folder: string;
	args: string[];
	/** all output is appended to this file */
	log?: string;
	/** milliseconds until npm is stopped */
	limitMs: number;
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal;
	onLine?: (line: string) => void;
}

/**
 * Finds the program of the npm that runs this script, as a file for Node.
 *
 * @throws Error when no npm runs it
 */
export function npmCli(): string {
	const { npm_execpath: running } = process.env;
	if (running === undefined) throw new Error('Run this with npm run.');
	// npx is another file in the same folder.
	return join(dirname(running), 'npm-cli.js');
}

/**
 * Runs npm, the one that runs this script, on this Node.
 *
 * @throws Error when npm takes longer than the limit; the reason of `signal` when that ends it. npm and
 *   all that it has started have ended then.
 */
export async function runNpm(run: NpmRun) {
	const readLine = function* (line: unknown): Generator {
		run.onLine?.(String(line));
		yield line;
	};
	const logFile = run.log === undefined ? [] : [{ file: run.log, append: true } as const];
	const result = await execa(process.execPath, [npmCli(), ...run.args], {
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

/** The end of what npm said. */
export const lastLines = (output: string): string => output.split('\n').slice(-15).join('\n');
