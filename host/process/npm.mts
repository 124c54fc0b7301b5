import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface NpmRun {
	/** the folder npm works in */
	folder: string;
	args: string[];
	/** file that takes all output, appended */
	log?: string;
	/** milliseconds until npm is stopped */
	limitMs: number;
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal;
	onLine?: (line: string) => void;
}

export interface NpmResult {
	ok: boolean;
	stdout: string;
	output: string;
}

/**
 * Runs npm, the very one that runs this script, on this Node.
 *
 * @returns whether npm succeeded, what it printed on stdout, and all its output
 * @throws Error when npm cannot be started, takes longer than the limit, or `signal` ends it
 */
export async function runNpm(run: NpmRun): Promise<NpmResult> {
	const log = run.log === undefined ? undefined : createWriteStream(run.log, { flags: 'a' });
	const limit = AbortSignal.timeout(run.limitMs);
	const signal = run.signal ? AbortSignal.any([limit, run.signal]) : limit;
	// npm tells its scripts where it lives; without it there is the npm on PATH.
	const cli = process.env.npm_execpath;
	const [command, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]];
	const child = spawn(command, [...first, ...run.args], {
		cwd: run.folder,
		env: { ...process.env, ...run.env },
		stdio: ['ignore', 'pipe', 'pipe'],
		signal,
	});
	const printed: string[] = [];
	const all: string[] = [];
	const read = (stream: Readable, also?: string[]): void => {
		createInterface({ input: stream }).on('line', (line) => {
			log?.write(`${line}\n`);
			all.push(line);
			also?.push(line);
			run.onLine?.(line);
		});
	};
	read(child.stdout, printed);
	read(child.stderr);
	try {
		await once(child, 'close');
		return {
			ok: child.exitCode === 0,
			stdout: printed.join('\n'),
			output: all.join('\n'),
		};
	} catch (error) {
		if (limit.aborted) {
			const command = `npm ${run.args.join(' ')}`;
			throw new Error(
				`${command} was stopped after ${run.limitMs / 60_000} minutes. Its last lines:\n${all.slice(-5).join('\n')}`,
				{ cause: error },
			);
		}
		throw error;
	} finally {
		log?.end();
	}
}
