import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { folderPerTest } from '../../sandbox/test/support/process.mts';
import { root } from '../support/package.mts';

const SCRIPT = 'scripts/requireSetup.js';
/** What `npx ./sandbox` starts. */
const LAUNCHER = 'sandbox/bin.js';
/** With it beside itself, the launcher knows that it is in a checkout. */
const SOURCE = 'sandbox/cli.mts';

/** A checkout in which `npm ci` has not run. */
const copy = folderPerTest();
beforeEach(() => {
	for (const file of ['package.json', SCRIPT, LAUNCHER, SOURCE]) {
		cpSync(join(root, file), join(copy(), file));
	}
});

/** Writes what npm writes when everything is installed. */
function install(): void {
	mkdirSync(join(copy(), 'node_modules'));
	writeFileSync(join(copy(), 'node_modules/.package-lock.json'), '{}');
}

/** Runs a script in the copy, with its arguments or after those of Node. */
function run(...args: string[]): { status: number | null; output: string } {
	const { status, stdout, stderr } = spawnSync(process.execPath, args, {
		cwd: copy(),
		encoding: 'utf8',
	});
	return { status, output: stdout + stderr };
}

describe('a script in a checkout', () => {
	it.each([[[SCRIPT]], [[LAUNCHER, '--port', '0']]])(
		'without packages asks for npm ci: %j',
		(args) => {
			expect(run(...args)).toEqual({
				status: 1,
				output:
					'\nThe packages of this repository are not installed, or their installation was cut short.\n' +
					'Run this first, then the same command again:\n  npm ci\n\n',
			});
		},
	);

	it('on an older Node says which one it needs', () => {
		install();
		const old = join(copy(), 'old.js');
		writeFileSync(
			old,
			`Object.defineProperty(process, 'version', { value: 'v18.20.8' });
			Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } });`,
		);
		expect(run('--require', old, SCRIPT)).toEqual({
			status: 1,
			output:
				'\nThis needs Node 24, and this is v18.20.8. npm ci installs Node 24 inside this repository, but it is not there.\n' +
				'Node 20.19 or newer, with its own npm, suffices for npm ci. Allow npm to run scripts (no --ignore-scripts), and run this:\n  npm ci\n\n',
		});
	});

	it('with packages, on this Node, begins', () => {
		install();
		expect(run(SCRIPT)).toEqual({ status: 0, output: '' });
	});
});
