import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../support/package.mts';

const RUNNER = pathToFileURL(join(root, 'test/support/checks.mts')).href;

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'checks-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a suite that is given as code. @returns its exit code and its lines without times */
function run(suite: string): { status: number | null; lines: string[] } {
	const file = join(folder, 'suite.mts');
	writeFileSync(
		file,
		`import { runChecks } from ${JSON.stringify(RUNNER)};
		const fails = () => { throw new Error('It rains.'); };
		await runChecks(async ({ check, require, skip, cleanup, onFailure }) => { ${suite} });`,
	);
	const { status, stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
	const lines = stdout.trimEnd().split('\n');
	return { status, lines: lines.map((line) => line.replace(/\d+\.\d s/, '… s').trim()) };
}

describe('the runner of the suites', () => {
	it('ends with 0 when all passed', () => {
		const { status, lines } = run("await check('a', () => {}); await check('b', async () => {});");
		expect(status).toBe(0);
		expect(lines[0]).toMatch(/^ok +… s {2}a$/);
		expect(lines.at(-1)).toBe('2 passed, 0 failed');
	});

	it('continues after a failure, prints the reason, and ends with 1', () => {
		const { status, lines } = run(
			"onFailure('The log', async () => 'wet'); await check('a', fails); await check('b', () => {});",
		);
		expect(status).toBe(1);
		expect(lines[0]).toMatch(/^FAIL +… s {2}a$/);
		expect(lines).toEqual(expect.arrayContaining(['It rains.', 'The log:', 'wet']));
		expect(lines.at(-1)).toBe('1 passed, 1 failed');
	});

	it('ends the suite when a required check fails, and stops what was started', () => {
		const { status, lines } = run(
			"await cleanup.defer(async () => console.log('stopped')); await require('a', fails); await check('b', () => {});",
		);
		expect(status).toBe(1);
		expect(lines).toContain('stopped');
		expect(lines.at(-1)).toBe('0 passed, 1 failed');
	});

	it('waits for checks that run in parallel', () => {
		const { lines } = run("void check('a', () => new Promise((done) => setTimeout(done, 50)));");
		expect(lines.at(-1)).toBe('1 passed, 0 failed');
	});

	it('ends a check that hangs', () => {
		const { status, lines } = run("await check('a', () => new Promise(() => {}), 20);");
		expect(status).toBe(1);
		expect(lines).toContain('It did not end within 0.02 s.');
	});

	it('counts an error of the suite itself, and of the cleanup, as failed', () => {
		expect(run("await check('a', () => {}); fails();").lines.at(-1)).toBe('1 passed, 1 failed');
		const { lines } = run("await check('a', () => {}); await cleanup.defer(async () => fails());");
		expect(lines.at(-1)).toBe('1 passed, 1 failed');
	});

	it('treats a skipped check as failed, unless the skip is allowed', () => {
		const skipped = run("await check('a', () => {}); skip('b', 'no time');");
		expect(skipped.status).toBe(1);
		expect(skipped.lines).toContain('******** not checked: no time ********');
		const allowed = run("await check('a', () => {}); skip('b', 'no time', 'allowed');");
		expect(allowed.status).toBe(0);
		expect(allowed.lines).toContain('******** not checked: no time ********');
	});

	it('treats a suite without checks as failed', () => {
		expect(run('')).toMatchObject({ status: 1 });
	});
});
