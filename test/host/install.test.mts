import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { installInto } from '../../host/n8n/installN8n.mts';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { holdFile } from '../../host/process/holdFile.mts';
import { waitFor } from '../../host/process/wait.mts';
import { folderPerTest } from '../support/sandbox/process.mts';

const NPM_START_LIMIT_MS = 30_000;

const folder = folderPerTest();
const npmOfThisRun = process.env.npm_execpath;
beforeEach(async () => {
	jest.spyOn(console, 'log').mockReturnValue();
	jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	const manifest = { name: 'host', dependencies: { n8n: '9.9.9' } };
	await writeFile(join(folder(), 'package.json'), JSON.stringify(manifest));
	await writeFile(join(folder(), 'package-lock.json'), JSON.stringify({ packages: { '': {} } }));
});
afterEach(() => {
	jest.restoreAllMocks();
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
const calls = (): string => join(folder(), 'calls.txt');
const marker = (): string => join(folder(), 'node_modules', '.installed');

/** An npm that installs a driver that loads. */
const GOOD_NPM = `
	const { mkdirSync, rmSync, writeFileSync } = require('fs');
	if (command === 'ci') {
		rmSync('node_modules', { recursive: true, force: true });
		mkdirSync('node_modules/sqlite3', { recursive: true });
		writeFileSync('node_modules/sqlite3/index.js', '');
	}
`;
const install = async (signal = new AbortController().signal): Promise<string> =>
	await installInto(folder(), signal).then(() => 'installed', errorMessage);

describe('the installation of n8n', () => {
	it('happens once', async () => {
		await useNpm(GOOD_NPM);
		expect(await install()).toBe('installed');
		const before = await readFile(calls(), 'utf8');
		expect(before).toMatch(/^ci .*\n(rebuild node\n)?rebuild sqlite3\n$/);
		expect(await install()).toBe('installed');
		expect(await readFile(calls(), 'utf8')).toBe(before);
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

	it('ends at Ctrl-C, and the next one begins again', async () => {
		await useNpm(`setInterval(() => {}, 1000);`);
		const interrupt = new AbortController();
		const cut = install(interrupt.signal);
		await waitFor('npm to run', NPM_START_LIMIT_MS, async () => {
			return await readFile(calls(), 'utf8').catch(() => undefined);
		});
		interrupt.abort(new Error('Ctrl-C'));
		expect(await cut).toBe('The operation was aborted');
		expect(existsSync(marker())).toBe(false);
		await useNpm(GOOD_NPM);
		expect(await install()).toBe('installed');
	});

	it('that does not end at Ctrl-C is ended by force', async () => {
		await useNpm(`
			process.on('SIGTERM', () => {});
			require('fs').writeFileSync('pid.txt', String(process.pid));
			setInterval(() => {}, 1000);`);
		const interrupt = new AbortController();
		const cut = install(interrupt.signal);
		const pid = await waitFor('npm to run', NPM_START_LIMIT_MS, async () => {
			const text = await readFile(join(folder(), 'pid.txt'), 'utf8').catch(() => '');
			return text === '' ? undefined : Number(text);
		});
		interrupt.abort(new Error('Ctrl-C'));
		expect(await cut).toBe('The operation was aborted');
		expect(() => process.kill(pid, 0)).toThrow('ESRCH');
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
	it.each([
		[
			'a full disk',
			'ci',
			'npm error code ENOSPC\nnpm error syscall write\nnpm error nospc ENOSPC: no space left on device, write',
			/The disk is full\. .*Make room, and run the same command again/,
		],
		[
			'no network',
			'ci',
			'npm error code ENOTFOUND\nnpm error errno ENOTFOUND\nnpm error network request failed',
			/npm could not reach its registry\. Check the network/,
		],
		[
			'a folder of another user',
			'ci',
			"npm error code EACCES\nnpm error Error: EACCES: permission denied, mkdir 'node_modules'",
			/may not be written to\..*Make it yours/,
		],
		[
			'no Python',
			'rebuild',
			'npm error gyp ERR! find Python Python is not set from command line or npm configuration',
			/no C\+\+ compiler.*apt-get install python3 make g\+\+.*xcode-select --install/s,
		],
		[
			'no make',
			'rebuild',
			'npm error gyp ERR! build error\nnpm error gyp ERR! stack Error: not found: make',
			/apt-get install python3 make g\+\+/,
		],
		[
			'no C++ compiler',
			'rebuild',
			'make: g++: No such file or directory\nmake: *** [sqlite3.target.mk:120] Error 127',
			/apt-get install python3 make g\+\+/,
		],
		[
			'a full disk while it compiles',
			'rebuild',
			'g++: fatal error: error writing to x.s: No space left on device',
			/The disk is full\./,
		],
		[
			'something else',
			'ci',
			'npm error code EWHATEVER\nnpm error the reason',
			/Run the same command again.*the reason/s,
		],
	])('explains %s', async (_what, failing, output, words) => {
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
