import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { installInto } from '../../host/n8n/installN8n.mts';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { holdFile } from '../../host/process/holdFile.mts';
import { waitFor } from '../../host/process/wait.mts';
import { onlyInFull } from '../support/sample.mts';
import { folderPerTest } from '../../sandbox/test/support/process.mts';

const NPM_START_LIMIT_MS = 30_000;

const folder = folderPerTest();
const npmOfThisRun = process.env.npm_execpath;
const pathOfThisRun = process.env.PATH;
beforeEach(async () => {
	// Without bun, unless a test has one.
	process.env.PATH = folder();
	jest.spyOn(console, 'log').mockReturnValue();
	jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	const manifest = { name: 'host', dependencies: { n8n: '9.9.9' } };
	await writeFile(join(folder(), 'package.json'), JSON.stringify(manifest));
	await writeFile(join(folder(), 'package-lock.json'), JSON.stringify({ packages: { '': {} } }));
});
afterEach(() => {
	jest.restoreAllMocks();
	process.env.PATH = pathOfThisRun;
	if (npmOfThisRun === undefined) delete process.env.npm_execpath;
	else process.env.npm_execpath = npmOfThisRun;
});

/**
 * Puts another npm in the place of npm. It writes its arguments to calls.txt.
 *
 * @param script what it does; `command` is its first argument
 */
async function useNpm(script: string): Promise<void> {
	const program = join(folder(), 'npm');
	await mkdir(program, { recursive: true });
	const log = `require('fs').appendFileSync(${JSON.stringify(calls())}, process.argv.slice(2).join(' ') + '\\n');`;
	await writeFile(
		join(program, 'npm-cli.js'),
		`const [command] = process.argv.slice(2);\n${log}\n${script}`,
	);
	process.env.npm_execpath = join(program, 'npm-cli.js');
}

/** Puts a bun on PATH. It writes its arguments to calls.txt. @param script what it does */
async function useBun(script: string): Promise<void> {
	const log = `require('fs').appendFileSync(${JSON.stringify(calls())}, 'bun ' + process.argv.slice(2).join(' ') + '\\n');`;
	const program = `#!${process.execPath}\n${log}\n${script}`;
	await writeFile(join(folder(), 'bun'), program, { mode: 0o755 });
}
const calls = (): string => join(folder(), 'calls.txt');
const marker = (): string => join(folder(), 'node_modules', '.installed');

const FILES = `const { mkdirSync, rmSync, writeFileSync } = require('fs');`;
/** Installs a driver that loads. */
const INSTALL = `
	rmSync('node_modules', { recursive: true, force: true });
	mkdirSync('node_modules/sqlite3', { recursive: true });
	writeFileSync('node_modules/sqlite3/index.js', '');
`;
const GOOD_NPM = `${FILES} if (command === 'ci') { ${INSTALL} }`;
const GOOD_BUN = `${FILES} ${INSTALL}`;
const DRIVER = 'build/Release/node_sqlite3.node';
const install = async (
	signal = new AbortController().signal,
	others: string[] = [],
): Promise<string> =>
	await installInto(folder(), signal, others).then(() => 'installed', errorMessage);

onlyInFull(describe)('the installation of n8n', () => {
	it('happens once', async () => {
		await useNpm(GOOD_NPM);
		expect(await install()).toBe('installed');
		const before = await readFile(calls(), 'utf8');
		// npm may be set to run no scripts, but the driver is made by one.
		expect(before).toMatch(
			/^ci .*\n(rebuild node --ignore-scripts=false\n)?rebuild sqlite3 --ignore-scripts=false\n$/,
		);
		expect(await install()).toBe('installed');
		expect(await readFile(calls(), 'utf8')).toBe(before);
	});

	it('is made by bun, which takes exactly what is in the lockfile, and nothing of an earlier one', async () => {
		await useNpm('');
		await useBun(`if (require('fs').existsSync('node_modules')) process.exit(1); ${GOOD_BUN}`);
		await mkdir(join(folder(), 'node_modules', 'earlier'), { recursive: true });
		expect(await install()).toBe('installed');
		expect(await readFile(calls(), 'utf8')).toMatch(
			/^bun install --frozen-lockfile --no-save --omit=peer --ignore-scripts --cache-dir=\S+\n(rebuild node .*\n)?rebuild sqlite3 .*\n$/,
		);
		expect(existsSync(marker())).toBe(true);
	});

	it('is made by npm where bun fails', async () => {
		await useNpm(GOOD_NPM);
		await useBun('process.exit(1);');
		expect(await install()).toBe('installed');
		expect(await readFile(calls(), 'utf8')).toMatch(/^bun install .*\nci /);
	});

	it.each([
		['copies the driver of another one', '5.1.7', false],
		['makes a driver where another one has another version', '5.1.8', true],
	])('%s', async (_what, version, isMade) => {
		await useNpm(`${GOOD_NPM} if (command === 'ci') {
			writeFileSync('node_modules/sqlite3/package.json', '{ "version": "5.1.7" }');
			writeFileSync('node_modules/sqlite3/index.js', 'require("fs").readFileSync(__dirname + "/${DRIVER}")');
		} else {
			mkdirSync('node_modules/sqlite3/build/Release', { recursive: true });
			writeFileSync('node_modules/sqlite3/${DRIVER}', '');
		}`);
		const other = join(folder(), 'other');
		const sqlite = join(other, 'node_modules/sqlite3');
		await mkdir(join(sqlite, 'build/Release'), { recursive: true });
		await writeFile(join(sqlite, 'package.json'), `{ "version": "${version}" }`);
		await writeFile(join(sqlite, DRIVER), '');
		expect(await install(undefined, [other])).toBe('installed');
		expect((await readFile(calls(), 'utf8')).includes('rebuild sqlite3')).toBe(isMade);
	});

	it.each([
		['in the download', `if (command === 'ci') process.exit(1);`],
		[
			'while the driver is made',
			`${GOOD_NPM} if (command === 'rebuild') { rmSync('node_modules/sqlite3', { recursive: true, force: true }); process.exit(1); }`,
		],
	])('that was cut %s is made good by the next', async (_where, script) => {
		await useNpm(script);
		expect(await install()).not.toBe('installed');
		expect(existsSync(marker())).toBe(false);
		await useNpm(GOOD_NPM);
		expect(await install()).toBe('installed');
		expect(existsSync(marker())).toBe(true);
	});

	it.each([
		['ended', ''],
		['ended by force', `process.on('SIGTERM', () => {});`],
	])('is %s at Ctrl-C, and the next one begins again', async (_how, script) => {
		await useNpm(`${script}
			require('fs').writeFileSync('pid.txt', String(process.pid));
			setInterval(() => {}, 1000);`);
		const interrupt = new AbortController();
		const cut = install(interrupt.signal);
		const pid = await waitFor('npm to run', NPM_START_LIMIT_MS, async () => {
			const text = await readFile(join(folder(), 'pid.txt'), 'utf8').catch(() => '');
			return text === '' ? undefined : Number(text);
		});
		interrupt.abort(new Error('Ctrl-C'));
		expect(await cut).toBe('Ctrl-C');
		expect(() => process.kill(pid, 0)).toThrow('ESRCH');
		expect(existsSync(marker())).toBe(false);
		await useNpm(GOOD_NPM);
		expect(await install()).toBe('installed');
	});

	it('of two commands at the same moment is one', async () => {
		await useNpm(GOOD_NPM);
		expect(await Promise.all([install(), install()])).toEqual(['installed', 'installed']);
		expect((await readFile(calls(), 'utf8')).match(/^ci /gm)).toHaveLength(1);
	});

	it('waits for another command’s until Ctrl-C', async () => {
		await useNpm(GOOD_NPM);
		const other = holdFile(join(folder(), '.lock'));
		const interrupt = new AbortController();
		const waiting = install(interrupt.signal);
		interrupt.abort(new Error('Ctrl-C'));
		expect(await waiting).toBe('Ctrl-C');
		other?.close();
		expect(existsSync(calls())).toBe(false);
	});

	/** What npm and node-gyp print, and what the user is told. */
	const NO_COMPILER =
		/no C\+\+ compiler.*apt-get install python3 make g\+\+.*xcode-select --install/s;
	const FULL = /The disk is full\. .*Make room, and run the same command again/;
	it.each([
		['ci', 'ENOSPC: no space left on device, write', FULL],
		[
			'ci',
			'network request failed ENOTFOUND',
			/npm could not reach its registry\. Check the network/,
		],
		['ci', 'EWHATEVER\nnpm error the reason', /Run the same command again.*the reason/s],
		['rebuild', 'find Python Python is not set from command line', NO_COMPILER],
		['rebuild', 'gyp ERR! stack Error: not found: make', NO_COMPILER],
		['rebuild', 'make: g++: No such file or directory\nmake: Error 127', NO_COMPILER],
		['rebuild', 'g++: error writing to x.s: No space left on device', FULL],
	])('explains a failure of npm %s: %s', async (failing, output, words) => {
		await useNpm(
			`if (command === 'ci') require('fs').mkdirSync('node_modules', { recursive: true });
			if (command === '${failing}') { console.error(${JSON.stringify(output)}); process.exit(1); }`,
		);
		const message = await install();
		expect(message).toMatch(words);
		expect(message).toContain(join(folder(), 'install.log'));
		expect(existsSync(marker())).toBe(false);
	});
});
