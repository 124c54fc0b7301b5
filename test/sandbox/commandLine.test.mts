import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { OPTIONS } from '../../sandbox/src/cli/options.mts';
import { assistantRecord } from '../support/sandbox/calls.mts';
import { serviceClient } from '../support/sandbox/client.mts';
import { asObject } from '../support/sandbox/contract.mts';
import { folderPerTest, processesPerTest, runToEnd } from '../support/sandbox/process.mts';
import { startReceiver } from '../support/sandbox/receiver.mts';
import { newAssistant } from '../support/sandbox/seed.mts';

const { startProcess, startThroughNpm, startThroughNpx } = processesPerTest();
const folder = folderPerTest();
/** Exit codes. */
const FAILURE = 1;
const WRONG_USAGE = 2;

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

	it('starts through npx in the checkout, with its options', async () => {
		const file = join(folder(), 'seed.yaml');
		await writeFile(file, 'users: [{ token: mine }]');
		const sandbox = await startThroughNpx('--seed', file);
		expect(sandbox.token).toBe('mine');
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

	it('refuses a data file of an earlier format: says that, and to delete it', async () => {
		const file = join(folder(), 'state.db');
		await (await startProcess('--data', file)).interrupt();
		const data = new DatabaseSync(file);
		data.exec('DROP TABLE events; DROP TABLE requests; PRAGMA user_version = 2;');
		data.close();
		const { code, stderr } = await runToEnd('--port', '0', '--data', file);
		expect(code).toBe(FAILURE);
		expect(stderr).toMatch(/state\.db is of another version of the sandbox\. Delete it/);
	});

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

	const refusals: {
		what: string;
		options: () => Promise<string[]> | string[];
		words: RegExp;
		exitCode?: number;
	}[] = [
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
			what: 'traffic for a seed without an assistant that makes calls',
			options: async () => {
				const file = join(folder(), 'seed.yaml');
				await writeFile(file, 'users: [{ token: mine }]');
				return ['--traffic', '10', '--seed', file];
			},
			words: /seed\.yaml:1:\d+ users\.0\.assistants: Traffic needs an assistant/,
		},
		{
			what: 'a port that is taken',
			options: () => ['--port', new URL(receiver.url).port],
			words:
				/^Port \d+ is in use by another program\. Stop that program, or use a free port: --port \d+$/m,
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
			exitCode: WRONG_USAGE,
		},
		{
			what: 'a speed for a clock that has none',
			options: () => ['--speed', '10'],
			words: /--speed.*accelerated/,
			exitCode: WRONG_USAGE,
		},
		{
			what: 'a call status that there is none of',
			options: () => ['--assume', 'final-call-statuses=["over"]'],
			words: /final-call-statuses/,
			exitCode: WRONG_USAGE,
		},
	];
	it.each(refusals)('refuses $what, in words', async ({ options, words, exitCode = FAILURE }) => {
		const { code, stdout, stderr } = await runToEnd('--json', '--port', '0', ...(await options()));
		expect(code).toBe(exitCode);
		expect(stdout).toBe('');
		expect(stderr).toMatch(words);
		expect(stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
	});

	it('makes no traffic when the port is taken', async () => {
		const options = ['--traffic', '20', '--data', join(folder(), 'state.db')];
		const { code, stderr } = await runToEnd('--port', new URL(receiver.url).port, ...options);
		expect({ code, stderr }).toEqual({ code: FAILURE, stderr: expect.stringMatching(/is in use/) });
		expect((await startProcess(...options)).stderr()).toBe('');
	});

	it('offers a port that is free', async () => {
		const { stderr } = await runToEnd('--port', new URL(receiver.url).port);
		const [port = ''] = /\d+$/.exec(stderr.trim()) ?? [];
		const sandbox = await startProcess('--port', port);
		expect(new URL(sandbox.url).port).toBe(port);
	});

	it('explains itself: every option, three examples, the exit codes', async () => {
		const { code, stdout, stderr } = await runToEnd('--help');
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		for (const name of Object.keys(OPTIONS)) expect(stdout).toContain(`  --${name} `);
		expect(stdout.match(/^ {2}npm run sandbox/gm)).toHaveLength(3);
		expect(stdout).toMatch(/^Exit codes: 0 .*1 .*2 /ms);
	});

	it.each<[string[], ...string[]]>([
		[
			['--colour', 'blue', '--colck', 'manual', '--sead=x', '-p', '1'],
			'There is no option --colour.',
			'There is no option --colck. Did you mean --clock?',
			'There is no option --sead. Did you mean --seed?',
			'There is no option -p.',
		],
		[
			['--json=yes', '--seed', '--port', '0', '--data'],
			'--json takes no value.',
			'--seed needs a value: --seed FILE',
			'--data needs a value: --data FILE',
		],
		[['--clock', 'sundial'], '--clock takes real, accelerated, manual; not "sundial".'],
		[
			['--port', '4010.5', '--clock', 'Manul', '--call-speed', '-1', '--assume', 'x'],
			'--clock takes real, accelerated, manual; not "Manul". Did you mean manual?',
			'--assume takes KEY=VALUE, not "x".',
			'--port takes a whole number from 0 to 65535, not "4010.5".',
			'--call-speed takes a number above 0, at most 1000000, not "-1".',
		],
		[
			['4020'],
			'"4020" belongs to no option. With npm, options come after "--", as in: npm run sandbox -- --port 4020',
		],
	])('refuses %j as wrong usage', async (options, ...messages) => {
		expect(await runToEnd(...options)).toEqual({
			code: WRONG_USAGE,
			stdout: '',
			stderr: [...messages, 'All options: npm run sandbox -- --help', ''].join('\n'),
		});
	});

	it('names the assumption that was meant', async () => {
		const { code, stderr } = await runToEnd('--assume', 'lead-attempt=3');
		expect(code).toBe(WRONG_USAGE);
		expect(stderr).toMatch(/no assumption "lead-attempt".* Did you mean lead-attempts\?/);
	});
});
