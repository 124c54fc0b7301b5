import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { root } from '../support/package.mts';

const SCRIPT = 'scripts/requireSetup.js';
/** What `npx ./sandbox` starts. */
const LAUNCHER = 'sandbox/bin.js';

/** A checkout in which `npm ci` has not run. */
let copy: string;
beforeEach(() => {
	copy = mkdtempSync(join(tmpdir(), 'setup-'));
	for (const file of ['package.json', SCRIPT, LAUNCHER]) cpSync(join(root, file), join(copy, file));
});
afterEach(() => rmSync(copy, { recursive: true }));

/** Writes what npm writes when everything is installed. */
function install(): void {
	mkdirSync(join(copy, 'node_modules'));
	writeFileSync(join(copy, 'node_modules/.package-lock.json'), '{}');
}

/** Runs the script in the copy. @param options of Node */
function requireSetup(...options: string[]): { status: number | null; output: string } {
	const { status, stdout, stderr } = spawnSync(process.execPath, [...options, SCRIPT], {
		cwd: copy,
		encoding: 'utf8',
	});
	return { status, output: stdout + stderr };
}

describe('a script in a checkout', () => {
	it('without packages asks for npm ci', () => {
		expect(requireSetup()).toEqual({
			status: 1,
			output:
				'\nThe packages of this repository are not installed, or their installation was cut short.\n' +
				'Run this first, then the same command again:\n  npm ci\n\n',
		});
	});

	it('on an older Node says which one it needs', () => {
		install();
		const old = join(copy, 'old.js');
		writeFileSync(
			old,
			`Object.defineProperty(process, 'version', { value: 'v18.20.8' });
			Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } });`,
		);
		expect(requireSetup('--require', old)).toEqual({
			status: 1,
			output:
				'\nThis needs Node 24, and this is v18.20.8. npm ci installs Node 24 inside this repository, but it is not there.\n' +
				'Node 20.19 or newer, with its own npm, suffices for npm ci. Allow npm to run scripts (no --ignore-scripts), and run this:\n  npm ci\n\n',
		});
	});

	it('with packages, on this Node, begins', () => {
		install();
		expect(requireSetup()).toEqual({ status: 0, output: '' });
	});

	it('without packages asks for npm ci also through npx', () => {
		const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, '--port', '0'], {
			cwd: copy,
			encoding: 'utf8',
		});
		expect(status).toBe(1);
		expect(stderr).toMatch(/are not installed.*\n.*\n {2}npm ci\n\n$/);
	});
});
