import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { onlyInFull, sampled } from '../../test/support/sample.mts';
import { createSandbox } from '../index.mts';
import { InvalidInput } from '../src/base/invalidInput.mts';
import { helpText } from '../src/cli/helpText.mts';
import { OPTIONS } from '../src/cli/options.mts';
import { readOptions } from '../src/cli/readOptions.mts';
import { assistantRecord } from './support/calls.mts';
import { serviceClient } from './support/client.mts';
import { folderPerTest, processesPerTest, runToEnd } from './support/process.mts';
import { startReceiver } from './support/receiver.mts';
import { newAssistant } from './support/seed.mts';
import { startOwnService } from './support/testService.mts';

const { startProcess, startThroughNpm, startThroughNpx } = processesPerTest();
const folder = folderPerTest();

const receiver = await startReceiver();
afterAll(() => receiver.close());
const TAKEN = new URL(receiver.url).port;

const writeSeed = async (text: string): Promise<string> => {
	const file = join(folder(), 'seed.yaml');
	await writeFile(file, text);
	return file;
};

/** Starts in this process what the command line starts with these options. */
async function start(...args: string[]): Promise<void> {
	const { json, watch, ...options } = readOptions(args) ?? {};
	expect([json, watch]).toEqual([false, false]);
	await (await createSandbox(options)).close();
}

describe('the command line, in a process of its own', () => {
	onlyInFull(it)('with --json says one line, and nothing else', async () => {
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

	onlyInFull(it)('with --json says it through npm, too, as the README has it', async () => {
		const sandbox = await startThroughNpm();
		expect(Object.keys(JSON.parse(sandbox.line) as object)).toEqual(['url', 'token', 'control']);
		expect(sandbox.stdout()).toBe(`${sandbox.line}\n`);
	});

	onlyInFull(it)(
		'starts through npx in the checkout, with its options, such as a seed in YAML',
		async () => {
			const voices = [{ id: 7, name: 'Vera' }];
			const assistants = [{ ...newAssistant, id: 70, voice_id: 7 }];
			const file = await writeSeed(stringify({ users: [{ token: 'mine', voices, assistants }] }));
			const sandbox = await startThroughNpx('--seed', file);
			expect(sandbox.token).toBe('mine');
			expect(sandbox.stdout()).toBe(`${sandbox.line}\n`);
			const record = await assistantRecord(serviceClient(sandbox.url, 'mine'), 70);
			expect(record).toMatchObject({ voice_id: 7 });
		},
	);

	const refused: Array<
		[what: string, code: number, words: RegExp, options: () => Promise<string[]>]
	> = [
		[
			'wrong usage',
			2,
			/^There is no option --colour\.\nAll options: npm run sandbox -- --help\n$/,
			() => Promise.resolve(['--colour', 'blue']),
		],
		[
			'what cannot be done',
			1,
			/^The seed file .*balance: Expected number/s,
			async () => ['--seed', await writeSeed('users: [{ token: t, balance: lots }]')],
		],
	];
	it.each(sampled(refused, 2))(
		'refuses %s with exit code %d, in words',
		async (_what, code, words, options) => {
			const { stdout, stderr, ...ended } = await runToEnd(
				'--json',
				'--port',
				'0',
				...(await options()),
			);
			expect({ stdout, code: ended.code }).toEqual({ stdout: '', code });
			expect(stderr).toMatch(words);
			expect(stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
		},
	);

	it('explains itself: every option, examples, the exit codes', async () => {
		const { code, stdout, stderr } = await runToEnd('--help');
		expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${helpText()}\n`, stderr: '' });
		for (const name of Object.keys(OPTIONS)) expect(stdout).toContain(`  --${name} `);
		expect(stdout.match(/^ {2}npm run sandbox/gm)).toHaveLength(4);
		expect(stdout).toMatch(/^Exit codes: 0 .*1 .*2 /ms);
	});
});

describe('a data file that cannot be used is refused', () => {
	const changedBy = (file: string, sql: string): string => {
		using data = new DatabaseSync(file);
		data.exec(sql);
		return file;
	};
	const diary = (version: number): string =>
		changedBy(
			join(folder(), 'diary.sqlite'),
			`CREATE TABLE users (day TEXT); INSERT INTO users VALUES ('Monday'); PRAGMA user_version = ${version};`,
		);
	/** A data file of the sandbox, after which something has gone wrong with it. */
	const stateFile = async (damage = (bytes: Buffer) => bytes): Promise<string> => {
		const file = join(folder(), 'state.db');
		await start('--port', '0', '--data', file);
		await writeFile(file, damage(await readFile(file)));
		return file;
	};
	const olderFile = async (): Promise<string> =>
		changedBy(await stateFile(), 'PRAGMA user_version = 2');
	const FOREIGN = /diary\.sqlite is not a sandbox data file/;
	const OLDER = /state\.db is of another version of the sandbox\. Delete it/;
	const DAMAGED = /state\.db cannot be used\. It is damaged.*elete it or move it away/;

	it.each<[what: string, words: RegExp, file: () => string | Promise<string>]>([
		['of somebody else', FOREIGN, () => diary(0)],
		['of somebody else, with a version', FOREIGN, () => diary(1)],
		['of somebody else, of the same version', FOREIGN, () => diary(7)],
		['of an earlier format', OLDER, olderFile],
		[
			'whose end is missing',
			DAMAGED,
			() => stateFile((bytes) => bytes.subarray(0, bytes.length / 2)),
		],
		['whose beginning is overwritten', DAMAGED, () => stateFile((bytes) => bytes.fill(7, 0, 100))],
		['with nonsense', DAMAGED, () => stateFile((bytes) => bytes.fill(7, 8192, 12_288))],
		['that is no data file', /seed\.yaml/, () => writeSeed('Dear Ada,\n'.repeat(500))],
	])('because it is one %s, and stays as it is', async (_what, words, make) => {
		const file = await make();
		const before = await readFile(file);
		await expect(start('--port', '0', '--data', file)).rejects.toThrow(words);
		expect(await readFile(file)).toEqual(before);
	});

	onlyInFull(it)('because another sandbox has it open', async () => {
		const file = join(folder(), 'state.db');
		await startProcess('--data', file);
		await expect(start('--port', '0', '--data', file)).rejects.toThrow(
			/state\.db cannot be used\. Another sandbox has it open.*Stop that one/,
		);
	});

	it('because its folder is not there', async () => {
		const file = join(folder(), 'nowhere', 'state.db');
		await expect(start('--data', file)).rejects.toThrow(
			/nowhere.state\.db.*folder must exist, and you need write permission/,
		);
	});
});

it('a port that is taken is refused, and a free one is offered', async () => {
	const error = (await start('--port', TAKEN).catch((reason: unknown) => reason)) as Error;
	expect(error.message).toMatch(
		/^Port \d+ is in use by another program\. Stop that program, or use a free port: --port \d+$/,
	);
	const port = Number(/\d+$/.exec(error.message));
	await using own = await startOwnService({ port });
	expect(new URL(own.url).port).toBe(String(port));
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
		['--clock', 'accelerated', '--speed', '0'],
		'--speed takes a number above 0, at most 1000000, not "0".',
	],
	[['--speed', '10'], '--speed is for --clock accelerated; the clock is real.'],
	[['--service', 'newest'], '--service takes contract or current, not "newest".'],
	[['--weather', 'stormy'], '--weather takes fair or ordinary, not "stormy".'],
	[['--weather-scale', '0.1'], '--weather-scale is for --weather ordinary.'],
	[
		['--weather', 'ordinary', '--weather-scale', '0'],
		'--weather-scale takes a number above 0, at most 100, not "0".',
	],
	[
		['4020'],
		'"4020" belongs to no option. With npm, options come after "--", as in: npm run sandbox -- --port 4020',
	],
])('%j is refused as wrong usage', (options, ...messages) => {
	expect(() => readOptions(options)).toThrow(new InvalidInput(messages.join('\n')));
});

it('ordinary weather has the scale that is given', () => {
	const options = readOptions(['--weather', 'ordinary', '--weather-scale', '0.01']);
	expect(options).toMatchObject({ weather: { scale: 0.01 } });
});

it.each([
	['lead-attempt=3', /no assumption "lead-attempt".* Did you mean lead-attempts\?/],
	['final-call-statuses=["over"]', /final-call-statuses/],
])('the assumption %s is refused as wrong usage', async (assumption, words) => {
	const error: unknown = await start('--assume', assumption).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(InvalidInput);
	expect(error).toMatchObject({ message: expect.stringMatching(words) });
});

describe('exec', () => {
	/** Runs JavaScript as the command, and has it end with a status. */
	const exec = (script: string, ...options: string[]) =>
		runToEnd('exec', ...options, '--', process.execPath, '--input-type=module', '-e', script);

	onlyInFull(it)('runs a command that reaches the sandbox, and ends with its status', async () => {
		const file = await writeSeed(stringify({ users: [{ token: 'mine' }] }));
		const script = `
			const { VOICE_ASSISTANT_CALLING_BASE_URL: url, VOICE_ASSISTANT_CALLING_TOKEN: token } = process.env;
			const control = process.env.VOICE_ASSISTANT_CALLING_CONTROL_URL;
			const headers = { Authorization: \`Bearer \${token}\` };
			const calls = await fetch(\`\${url}/user/calls\`, { headers });
			const health = await (await fetch(\`\${control}/health\`)).json();
			console.log(token, calls.status, health.mode);
			process.exitCode = 7;`;
		const ended = await exec(script, '--seed', file, '--clock', 'manual');
		expect(ended).toEqual({ code: 7, stdout: 'mine 200 manual\n', stderr: '' });
	});

	onlyInFull(it)(
		'ends with the status that a shell has when a signal ends the command',
		async () => {
			const { code } = await exec(
				"process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)",
			);
			expect(code).toBe(143);
		},
	);

	onlyInFull(it)('says that a command does not exist', async () => {
		const { code, stderr } = await runToEnd('exec', '--', 'no-such-command');
		expect(code).toBe(127);
		expect(stderr).toMatch(/^"no-such-command" could not be started\. .*ENOENT/);
	});

	onlyInFull(it)('explains itself, and refuses options that would print', async () => {
		expect((await runToEnd('exec', '--help')).stdout).toBe(`${helpText()}\n`);
		const { code, stderr } = await runToEnd('exec', '--watch', '--', 'true');
		expect([code, stderr]).toEqual([2, expect.stringContaining('leave out --json and --watch')]);
	});

	onlyInFull(it).each([[[]], [['npm', 'test']], [['--']]])(
		'without a command says how to write one: %j',
		async (args) => {
			const { code, stderr } = await runToEnd('exec', ...args);
			expect(code).toBe(2);
			expect(stderr).toMatch(/^Write the command after "--"/);
		},
	);
});
