import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from '@jest/globals';
import { root } from '../package.mts';
import { asObject } from './contract.mts';

const cli = fileURLToPath(new URL('../../../sandbox/cli.mts', import.meta.url));
const START_LIMIT_MS = 30_000;

interface SandboxProcess {
	readonly url: string;
	readonly token: string;
	readonly control: string;
	/** The first line of its stdout. */
	readonly line: string;
	/** Its stdout so far. */
	stdout(): string;
	/** Its stderr so far. */
	stderr(): string;
	/** Kills it with SIGKILL: it cannot clean up. */
	kill(): Promise<void>;
	/** Asks it to end, as Ctrl-C does. @returns its exit code */
	interrupt(): Promise<number | null>;
}

/** Starts the sandbox's command line in a process of its own, with `--json` and a free port. */
function startProcess(...options: string[]): Promise<SandboxProcess> {
	const child = run(['--json', '--port', '0', ...options]);
	return started(child, (signal) => child.kill(signal));
}

/** Starts it through `npm run --silent sandbox`, as users do. */
const startThroughNpm = (...options: string[]): Promise<SandboxProcess> =>
	startThrough(['npm', 'run', '--silent', 'sandbox', '--'], options);

/** Starts it with `npx ./sandbox`, as if for the first time, and without the network. */
async function startThroughNpx(...options: string[]): Promise<SandboxProcess> {
	const cache = await mkdtemp(join(tmpdir(), 'npx-'));
	const env = { ...process.env, npm_config_cache: cache, npm_config_offline: 'true' };
	const sandbox = await startThrough(['npx', './sandbox'], options, env);
	await rm(cache, { recursive: true });
	return sandbox;
}

function startThrough(
	[program = '', ...command]: string[],
	options: string[],
	env = process.env,
): Promise<SandboxProcess> {
	const child = spawn(
		program,
		[...command, '--json', '--port', '0', ...options],
		// A process group of its own, because npm does not pass SIGKILL on to its child.
		{ cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
	);
	return started(child, (signal) => {
		if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
	});
}

async function started(
	child: ReturnType<typeof run>,
	end: (signal: NodeJS.Signals) => void,
): Promise<SandboxProcess> {
	const errors: string[] = [];
	child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
	let stdout = '';
	child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
	const limit = setTimeout(() => end('SIGKILL'), START_LIMIT_MS);
	const firstLine = once(createInterface({ input: child.stdout }), 'line').then(([line]) =>
		String(line),
	);
	const line = await Promise.race([firstLine, once(child, 'exit').then(() => undefined)]);
	clearTimeout(limit);
	if (line === undefined) throw new Error(`the sandbox did not start: ${errors.join('')}`);
	const { url, token, control } = asObject(JSON.parse(line), 'the line of --json');
	return {
		url: String(url),
		token: String(token),
		control: String(control),
		line,
		stdout: () => stdout,
		stderr: () => errors.join(''),
		kill: async () => {
			end('SIGKILL');
			if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
		},
		interrupt: async () => {
			end('SIGINT');
			if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
			return child.exitCode;
		},
	};
}

/** Runs the command line to its end. @returns its exit code and output */
export async function runToEnd(
	...options: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
	const child = run(options);
	const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
	await once(child, 'close');
	clearTimeout(limit);
	return { code: child.exitCode, stdout, stderr };
}

function run(options: string[]) {
	return spawn(process.execPath, [cli, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Gives functions that start the sandbox. Kills it after each test. Call it at the top of a file. */
export function processesPerTest() {
	const running: SandboxProcess[] = [];
	afterEach(async () => {
		await Promise.all(running.splice(0).map((sandbox) => sandbox.kill()));
	});
	const tracked =
		(start: typeof startProcess): typeof startProcess =>
		async (...options) => {
			const sandbox = await start(...options);
			running.push(sandbox);
			return sandbox;
		};
	return {
		startProcess: tracked(startProcess),
		startThroughNpm: tracked(startThroughNpm),
		startThroughNpx: tracked(startThroughNpx),
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
