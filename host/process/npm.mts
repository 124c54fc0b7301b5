import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** npm can take long to undo what it has begun. Shorter than what a command has to end. */
const END_LIMIT_MS = 4_000;

interface NpmRun {
	/** the folder npm works in */
	folder: string;
	args: string[];
	/** all output is appended to this file */
	log?: string;
	/** milliseconds until npm is stopped */
	limitMs: number;
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal | undefined;
	onLine?: (line: string) => void;
}

interface NpmResult {
	ok: boolean;
	stdout: string;
	/** stdout and stderr */
	output: string;
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
 * @throws Error when npm cannot be started, takes longer than the limit, or `signal` ends it. npm has
 *   ended then.
 */
export async function runNpm(run: NpmRun): Promise<NpmResult> {
	const limit = AbortSignal.timeout(run.limitMs);
	const child = spawn(process.execPath, [npmCli(), ...run.args], {
		cwd: run.folder,
		env: { ...process.env, ...run.env },
		stdio: ['ignore', 'pipe', 'pipe'],
		signal: run.signal ? AbortSignal.any([limit, run.signal]) : limit,
	});
	const log = run.log === undefined ? undefined : createWriteStream(run.log, { flags: 'a' });
	// A full disk, for instance: npm reports that too.
	log?.on('error', () => {});
	const stdout: string[] = [];
	const output: string[] = [];
	const read = (stream: Readable, lines?: string[]): void => {
		createInterface({ input: stream }).on('line', (line) => {
			log?.write(`${line}\n`);
			output.push(line);
			lines?.push(line);
			run.onLine?.(line);
		});
	};
	read(child.stdout, stdout);
	read(child.stderr);
	try {
		await once(child, 'close');
		return { ok: child.exitCode === 0, stdout: stdout.join('\n'), output: output.join('\n') };
	} catch (error) {
		await untilEnded(child);
		if (!limit.aborted) throw error;
		throw new Error(
			`npm ${run.args.join(' ')} was stopped after ${run.limitMs / 1000} s. Its last lines:\n${output.slice(-5).join('\n')}`,
			{ cause: error },
		);
	} finally {
		log?.end();
	}
}

/** Waits for a process that was told to end, and ends it by force when it takes too long. */
async function untilEnded(child: ChildProcess): Promise<void> {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const force = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
	await once(child, 'exit');
	clearTimeout(force);
}
