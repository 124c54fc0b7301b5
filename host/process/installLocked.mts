import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

import { explainOutput } from './explainFailure.mts';
import { holdFile, type HeldFile } from './holdFile.mts';
import { runNpm } from './npm.mts';
import { withProgress } from './progress.mts';
import { lastLines, runInstaller } from './runInstaller.mts';
import { waitFor } from './wait.mts';

/**
 * What is in npm's lockfile, and nothing else: bun reads it, and makes no lockfile of its own (bun 1.4).
 * `finish` runs what is needed of the packages' scripts.
 */
const BUN_INSTALL = [
	'install',
	'--frozen-lockfile',
	'--no-save',
	'--omit=peer',
	'--ignore-scripts',
];
const NPM_INSTALL = ['ci', '--ignore-scripts', '--no-progress', '--loglevel=http'];
const INSTALL_LIMIT_MS = 30 * 60_000;
/** An installation can take longer where a driver is compiled. */
const WAIT_LIMIT_MS = 75 * 60_000;

interface Installation {
	/** for messages: "n8n" */
	name: string;
	/** printed before it begins */
	announcement: string;
	/** folder that keeps the packages for other installations, by hard links where that is possible */
	cache: string;
	signal: AbortSignal;
	/** does what the packages' scripts would do, which do not run; takes the path of the log */
	finish?: (log: string) => Promise<void>;
}

/**
 * Installs a folder with a package.json and a lockfile, unless it is installed. Starts again where an
 * installation was cut off or the lockfile has changed since. Waits while another process installs it.
 *
 * @throws Error that says what failed, what to do, and where the log is
 */
export async function installLocked(folder: string, installation: Installation): Promise<void> {
	const lockfile = await readFile(join(folder, 'package-lock.json'), 'utf8');
	const wanted = `${createHash('sha256').update(lockfile).digest('hex')} ${process.platform}-${process.arch}`;
	// An installation removes node_modules first, and this file with it.
	const marker = join(folder, 'node_modules', '.installed');
	const isInstalled = async (): Promise<boolean> =>
		(await readFile(marker, 'utf8').catch(() => undefined)) === wanted;
	if (await isInstalled()) return;

	const lock = await lockWhenFree(join(folder, '.lock'), installation);
	try {
		if (await isInstalled()) return;
		const log = join(folder, 'install.log');
		await rm(log, { force: true });
		console.log(installation.announcement);
		await downloadPackages(folder, lockfile, log, installation);
		await installation.finish?.(log);
		await writeFile(marker, wanted);
	} finally {
		lock.close();
	}
}

/** @throws Error when another process holds the file for longer than an installation takes */
async function lockWhenFree(file: string, { name, signal }: Installation): Promise<HeldFile> {
	const free = holdFile(file);
	if (free !== undefined) return free;
	const hold = () => {
		signal.throwIfAborted();
		return Promise.resolve(holdFile(file));
	};
	return await withProgress(
		`waiting for another command that installs ${name}`,
		() => 'this one goes on by itself',
		() => waitFor(`another command to install ${name}`, WAIT_LIMIT_MS, hold),
	);
}

/** With bun, which takes seconds for an n8n; with npm, which takes minutes, where bun does not run or fails. */
async function downloadPackages(
	folder: string,
	lockfile: string,
	log: string,
	{ name, cache, signal }: Installation,
): Promise<void> {
	const { packages } = z.object({ packages: z.record(z.unknown()) }).parse(JSON.parse(lockfile));
	const total = Object.keys(packages).length - 1;
	const state = (count: number): string =>
		count === 0 ? 'reading the list of packages' : `${count} of at most ${total} packages`;
	const run = { folder, log, limitMs: INSTALL_LIMIT_MS, signal };

	// Unlike npm ci, bun leaves what an earlier lockfile had.
	await rm(join(folder, 'node_modules'), { recursive: true, force: true });
	const before = unpacked(cache);
	const bun = await withProgress(
		'downloading and unpacking',
		() => state(unpacked(cache) - before),
		() => runInstaller('bun', { ...run, args: [...BUN_INSTALL, `--cache-dir=${cache}`] }),
	);
	if (bun.ok) return;
	const fetched = new Set<string>();
	const onLine = (line: string): void => {
		const url = /https?:\S+\.tgz/.exec(line)?.[0];
		if (url !== undefined) fetched.add(url);
	};
	const npm = await withProgress(
		'downloading and unpacking with npm',
		() => state(fetched.size),
		() => runNpm({ ...run, args: NPM_INSTALL, onLine }),
	);
	if (!npm.ok) throw new Error(installFailure(name, npm.output, log));
}

/** How many packages are in bun's cache, as `name@1.0.0@@@1` and `@scope/name@1.0.0@@@1` (bun 1.4). */
const unpacked = (cache: string): number => globSync(['*@@@*', '@*/*@@@*'], { cwd: cache }).length;

function installFailure(name: string, output: string, log: string): string {
	const noNetwork =
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT/;
	const advice = noNetwork.test(output)
		? 'npm could not reach its registry. Check the network, or the proxy in npm’s settings, and run the same command again.'
		: (explainOutput(output) ??
			`Run the same command again; if it fails in the same way, these lines say why:\n${lastLines(output)}`);
	return `${name} could not be installed. ${advice}\nAll output: ${log}`;
}
