import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from '@jest/globals';
import { execa } from 'execa';
import { root } from '../../../test/support/package.mts';
import { asObject } from './contract.mts';

const cli = fileURLToPath(new URL('../../cli.mts', import.meta.url));
const START_LIMIT_MS = 30_000;

interface SandboxProcess {
	readonly url: string;
	readonly token: string;
	readonly control: string;
	/** The first line of its stdout. */
	readonly line: string;
	/** Its output so far. */
	stdout(): string;
	stderr(): string;
	/** Kills it with SIGKILL: it cannot clean up. */
	kill(): Promise<void>;
	/** Asks it to end, as Ctrl-C does. @returns its exit code */
	interrupt(): Promise<number | undefined>;
}

/** Starts the sandbox with a free port. */
async function start(
	[program = '', ...command]: string[],
	options: string[],
	env: NodeJS.ProcessEnv = {},
): Promise<SandboxProcess> {
	const child = execa(program, [...command, '--json', '--port', '0', ...options], {
		cwd: root,
		env,
		// npm does not pass SIGKILL on to its child.
		killDescendants: true,
		reject: false,
	});
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
	const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
	const [line] = await Promise.race([
		once(createInterface({ input: child.stdout }), 'line') as Promise<string[]>,
		child.then(() => []),
	]);
	clearTimeout(limit);
	if (line === undefined) throw new Error(`the sandbox did not start: ${stderr}`);
	const { url, token, control } = asObject(JSON.parse(line), 'the line of --json');
	const end = async (signal: NodeJS.Signals): Promise<number | undefined> => {
		child.kill(signal);
		return (await child).exitCode;
	};
	return {
		url: String(url),
		token: String(token),
		control: String(control),
		line,
		stdout: () => stdout,
		stderr: () => stderr,
		kill: async () => {
			await end('SIGKILL');
		},
		interrupt: () => end('SIGINT'),
	};
}

/** Runs the command line to its end. @returns its exit code and output */
export async function runToEnd(
	...options: string[]
): Promise<{ code: number | undefined; stdout: string; stderr: string }> {
	const { exitCode, stdout, stderr } = await execa(process.execPath, [cli, ...options], {
		timeout: START_LIMIT_MS,
		reject: false,
		stripFinalNewline: false,
	});
	return { code: exitCode, stdout, stderr };
}

/** Gives functions that start the sandbox with these options. Kills it after each test. Call it at the top of a file. */
export function processesPerTest() {
	const running: SandboxProcess[] = [];
	afterEach(async () => {
		await Promise.all(running.splice(0).map((sandbox) => sandbox.kill()));
	});
	const startTracked = async (...args: Parameters<typeof start>): Promise<SandboxProcess> => {
		const sandbox = await start(...args);
		running.push(sandbox);
		return sandbox;
	};
	return {
		/** In a process of its own. */
		startProcess: (...options: string[]) => startTracked([process.execPath, cli], options),
		/** As users do. */
		startThroughNpm: (...options: string[]) =>
			startTracked(['npm', 'run', '--silent', 'sandbox', '--'], options),
		/** As if for the first time, and without the network. */
		startThroughNpx: async (...options: string[]) => {
			const cache = await mkdtemp(join(tmpdir(), 'npx-'));
			const env = { npm_config_cache: cache, npm_config_offline: 'true' };
			const sandbox = await startTracked(['npx', './sandbox'], options, env);
			await rm(cache, { recursive: true });
			return sandbox;
		},
	};
}

/** Creates a temporary folder for each test. Call it at the top of a file, after {@link processesPerTest}. */
export function folderPerTest(): () => string {
	let folder: string;
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
	});
	afterEach(() => rm(folder, { recursive: true, force: true }));
	return () => folder;
}
