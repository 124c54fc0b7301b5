import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { assistantRecord } from '../support/sandbox/calls.mts';
import { serviceClient } from '../support/sandbox/client.mts';
import { asObject } from '../support/sandbox/contract.mts';
import { folderPerTest, processesPerTest, runToEnd } from '../support/sandbox/process.mts';
import { startReceiver } from '../support/sandbox/receiver.mts';
import { newAssistant } from '../support/sandbox/seed.mts';

const { startProcess, startThroughNpm } = processesPerTest();
const folder = folderPerTest();
const receiver = await startReceiver();
afterAll(() => receiver.close());

describe('the command line', () => {
	it('with --json says one line, and nothing else', async () => {
		const sandbox = await startProcess();
		expect(JSON.parse(sandbox.line)).toEqual({
			url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
			token: 'sandbox-token',
			control: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/__sandbox$/),
		});
		const response = await serviceClient(sandbox.url, sandbox.token).get('/user/assistants/get');
		expect(response.status).toBe(200);
		expect(await sandbox.interrupt()).toBe(0);
		expect(sandbox.stdout()).toBe(`${sandbox.line}\n`);
	});

	it('with --json says it through npm, too, as the README has it', async () => {
		const sandbox = await startThroughNpm();
		expect(Object.keys(asObject(JSON.parse(sandbox.line), 'the line'))).toEqual([
			'url',
			'token',
			'control',
		]);
		expect(sandbox.stdout()).toBe(`${sandbox.line}\n`);
	});

	it('takes a seed in YAML (durability.test.mts has one in JSON)', async () => {
		const file = join(folder(), 'seed.yaml');
		const voices = [{ id: 7, name: 'Vera' }];
		const assistants = [{ ...newAssistant, id: 70, voice_id: 7 }];
		await writeFile(file, stringify({ users: [{ token: 'mine', voices, assistants }] }));
		const sandbox = await startProcess('--seed', file);
		expect(sandbox.token).toBe('mine');
		const record = await assistantRecord(serviceClient(sandbox.url, 'mine'), 70);
		expect(record).toMatchObject({ voice_id: 7 });
	});

	it.each([0, 1, 7])(
		"refuses somebody else's database (user_version %d), and leaves it as it is",
		async (version) => {
			const file = join(folder(), 'diary.sqlite');
			const diary = new DatabaseSync(file);
			diary.exec(
				`CREATE TABLE users (day TEXT); INSERT INTO users VALUES ('Monday'); PRAGMA user_version = ${version};`,
			);
			diary.close();
			const before = await readFile(file);
			const { code, stdout, stderr } = await runToEnd('--port', '0', '--data', file);
			expect(code).toBe(1);
			expect(stdout).toBe('');
			expect(stderr).toMatch(/diary\.sqlite is not a sandbox data file/);
			expect(await readFile(file)).toEqual(before);
		},
	);

	/** A data file of the sandbox, after which something has gone wrong with it. */
	const damagedFile = async (damage: (bytes: Buffer) => Buffer): Promise<string> => {
		const file = join(folder(), 'state.db');
		await (await startProcess('--data', file)).interrupt();
		await writeFile(file, damage(await readFile(file)));
		return file;
	};

	it.each<[string, (bytes: Buffer) => Buffer]>([
		['whose end is missing', (bytes) => bytes.subarray(0, bytes.length / 2)],
		['whose beginning is overwritten', (bytes) => bytes.fill(7, 0, 100)],
		['with a page of nonsense', (bytes) => bytes.fill(7, 8192, 12_288)],
	])('refuses a data file %s: says what to do, and leaves it as it is', async (_what, damage) => {
		const file = await damagedFile(damage);
		const before = await readFile(file);
		const { code, stdout, stderr } = await runToEnd('--port', '0', '--data', file);
		expect(code).toBe(1);
		expect(stdout).toBe('');
		expect(stderr).toMatch(/state\.db cannot be used\. It is damaged.*elete it or move it away/);
		expect(stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
		expect(await readFile(file)).toEqual(before);
	});

	it('refuses a data file that another sandbox has open', async () => {
		const file = join(folder(), 'state.db');
		await startProcess('--data', file);
		const { code, stderr } = await runToEnd('--port', '0', '--data', file);
		expect(code).toBe(1);
		expect(stderr).toMatch(/state\.db cannot be used\. Another sandbox has it open.*Stop that one/);
	});

	const refusals: { what: string; options: () => Promise<string[]> | string[]; words: RegExp }[] = [
		{
			what: 'a seed that is not there',
			options: () => ['--seed', join(folder(), 'nowhere.yaml')],
			words: /nowhere\.yaml/,
		},
		{
			what: 'a seed that is wrong',
			options: async () => {
				const file = join(folder(), 'seed.yaml');
				await writeFile(file, 'users: [{ token: t, balance: lots }]');
				return ['--seed', file];
			},
			words: /balance/,
		},
		{
			what: 'a port that is taken',
			options: () => ['--port', new URL(receiver.url).port],
			words: /port/i,
		},
		{
			what: 'a data file that is no data file',
			options: async () => {
				const file = join(folder(), 'letter.txt');
				await writeFile(file, 'Dear Ada,\n'.repeat(500));
				return ['--data', file];
			},
			words: /letter\.txt/,
		},
		{
			what: 'a data file in a folder that is not there',
			options: () => ['--data', join(folder(), 'nowhere', 'state.db')],
			words: /nowhere.state\.db.*folder must exist, and you need write permission/,
		},
		{
			what: 'a clock that stands still',
			options: () => ['--clock', 'accelerated', '--speed', '0'],
			words: /speed.*above 0/,
		},
		{
			what: 'a speed for a clock that has none',
			options: () => ['--speed', '10'],
			words: /--speed.*accelerated/,
		},
		{
			what: 'a call status that there is none of',
			options: () => ['--assume', 'final-call-statuses=["over"]'],
			words: /final-call-statuses/,
		},
		{ what: 'an unknown option', options: () => ['--colour', 'blue'], words: /colour/ },
		{
			what: 'a clock that does not exist',
			options: () => ['--clock', 'sundial'],
			words: /sundial/,
		},
	];
	it.each(refusals)('refuses $what, in words', async ({ options, words }) => {
		const { code, stdout, stderr } = await runToEnd('--json', ...(await options()));
		expect(code).not.toBe(0);
		expect(code).not.toBeNull();
		expect(stdout).toBe('');
		expect(stderr).toMatch(words);
		expect(stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
	});
});
