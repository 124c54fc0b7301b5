import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { execa } from 'execa';
import { root } from '../../../test/support/package.mts';
import { InvalidInput } from '../../src/base/invalidInput.mts';
import { VERIFY_OPTIONS } from '../../src/cli/verify/options.mts';
import { verifyHelpText } from '../../src/cli/verify/helpText.mts';
import { readToken } from '../../src/cli/verify/readToken.mts';
import { readVerifyOptions } from '../../src/cli/verify/readOptions.mts';
import { folderPerTest } from '../support/process.mts';
import { TOKEN } from './support/account.mts';
import { startProvider } from './support/measure.mts';
import { startProxy, type ForwardedRequest } from './support/proxy.mts';

const folder = folderPerTest();

const cli = fileURLToPath(new URL('../../cli.mts', import.meta.url));

/** Runs verify as users do, without a terminal. */
const run = (args: string[], token = TOKEN) =>
	execa('npm', ['run', '--silent', 'verify', '--', ...args], {
		cwd: root,
		env: { VOICE_ASSISTANT_CALLING_TOKEN: token },
		reject: false,
		stdin: 'ignore',
		timeout: 60_000,
	});

describe('npm run verify', () => {
	it('prints what it finds, writes the reports, and exits with 1 when something differs', async () => {
		await using provider = await startProvider({
			assume: { 'page-envelope': 'meta', 'call-order': 'oldest-first' },
		});
		const report = join(folder(), 'report');
		const { exitCode, stdout, stderr } = await run([
			'--base-url',
			provider.url,
			'--report',
			report,
		]);
		expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
		expect(stdout).toMatch(/^as assumed {3}unauthenticated +status 401/m);
		expect(stdout).toMatch(/^other form {3}page-envelope +`meta` and `links`/m);
		expect(stdout).toMatch(/^differs {6}call-order +oldest first/m);
		expect(stdout).toContain(`--assume-file ${report}/provider.yaml`);
		expect(await readFile(join(report, 'provider.yaml'), 'utf8')).toContain(
			'\npage-envelope: meta\n',
		);
		expect(stdout).not.toContain(TOKEN);
	});

	it('warns before the token goes over http to another machine', async () => {
		const { exitCode, stderr } = await run(['--base-url', 'http://verify.invalid/api']);
		expect(exitCode).toBe(2);
		expect(stderr).toContain('Warning: the API token goes to verify.invalid without encryption.');
	});
});

const TOLD = 'It ends as soon as the present request is over.';

/** Runs verify with --refused, and sends it signals before the service gets the first such request. */
async function interruptedAt(
	baseUrl: string,
	signals: NodeJS.Signals[],
	isWanted: (request: ForwardedRequest) => boolean,
) {
	let interrupt = (): Promise<void> => Promise.resolve();
	await using proxy = await startProxy(baseUrl, {
		before: async (request) => {
			if (isWanted(request)) await interrupt();
			return undefined;
		},
	});
	const child = execa(process.execPath, [cli, 'verify', '--base-url', proxy.url, '--refused'], {
		env: { VOICE_ASSISTANT_CALLING_TOKEN: TOKEN },
		reject: false,
		stdin: 'ignore',
		timeout: 60_000,
	});
	let stderr = '';
	child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
	interrupt = async () => {
		for (const [index, signal] of signals.entries()) {
			child.kill(signal);
			while (stderr.split(TOLD).length < index + 2) await once(child.stderr, 'data');
		}
	};
	const { exitCode, stdout } = await child;
	return { exitCode, stdout };
}

describe('a signal', () => {
	it('ends it at once, and what it has found is printed', async () => {
		await using provider = await startProvider();
		const { exitCode, stdout } = await interruptedAt(
			provider.url,
			['SIGINT'],
			({ number }) => number === 5,
		);
		expect(exitCode).toBe(2);
		expect(stdout).toMatch(/^as assumed {3}unauthenticated +status 401/m);
		expect(stdout).toContain('The verification was interrupted');
		expect(stdout).toContain('5 requests were sent.');
	});

	it('does not cut off a write: what the service accepts is told', async () => {
		await using provider = await startProvider();
		const body = { message: 'Lead created successfully', data: { id: 77 } };
		await provider.control.fault({ operation: 'createLead', status: 200, body });
		const { exitCode, stdout } = await interruptedAt(
			provider.url,
			['SIGINT', 'SIGINT', 'SIGHUP', 'SIGTERM'],
			({ method }) => method !== 'GET',
		);
		expect(exitCode).toBe(2);
		expect(stdout).toContain('It may have created or changed the record 77.');
		const methods = (await provider.control.requests()).map(({ method }) => method);
		expect(methods.filter((method) => method !== 'GET')).toHaveLength(1);
	});
});

describe('the token', () => {
	const { signal } = new AbortController();
	const before = process.env['VOICE_ASSISTANT_CALLING_TOKEN'];
	afterEach(() => {
		process.env['VOICE_ASSISTANT_CALLING_TOKEN'] = before;
		if (before === undefined) delete process.env['VOICE_ASSISTANT_CALLING_TOKEN'];
	});

	it('comes from the environment', async () => {
		process.env['VOICE_ASSISTANT_CALLING_TOKEN'] = ` ${TOKEN}\n`;
		expect(await readToken(signal)).toBe(TOKEN);
	});

	it.each(['', 'two words', 'line\nbreak', 'é'])('is no token: %j', async (text) => {
		process.env['VOICE_ASSISTANT_CALLING_TOKEN'] = text;
		await expect(readToken(signal)).rejects.toThrow(
			'The API token is empty, or has characters that no token has.',
		);
	});

	it('is needed where nobody can type it', async () => {
		delete process.env['VOICE_ASSISTANT_CALLING_TOKEN'];
		await expect(readToken(signal, new PassThrough())).rejects.toThrow(
			'There is no API token. Put it into VOICE_ASSISTANT_CALLING_TOKEN.',
		);
	});

	it('can be typed, and is not shown', async () => {
		delete process.env['VOICE_ASSISTANT_CALLING_TOKEN'];
		const shown: unknown[] = [];
		for (const stream of [process.stdout, process.stderr]) {
			jest.spyOn(stream, 'write').mockImplementation((text) => shown.push(text) > 0);
		}
		const keyboard = Object.assign(new PassThrough(), { isTTY: true });
		const token = readToken(signal, keyboard);
		keyboard.write(`${TOKEN}\r`);
		expect(await token).toBe(TOKEN);
		jest.restoreAllMocks();
		expect(shown).toEqual(['API token (it is not shown): ', '\n']);
	});

	it('need not be typed: Ctrl-C ends the process', async () => {
		delete process.env['VOICE_ASSISTANT_CALLING_TOKEN'];
		const controller = new AbortController();
		jest.spyOn(process.stderr, 'write').mockReturnValue(true);
		const kill = jest.spyOn(process, 'kill').mockImplementation(() => {
			controller.abort();
			return true;
		});
		const keyboard = Object.assign(new PassThrough(), { isTTY: true });
		const token = readToken(controller.signal, keyboard);
		keyboard.write('abc\u0003');
		await expect(token).rejects.toThrow('Interrupted. Nothing was sent.');
		expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT');
		jest.restoreAllMocks();
	});
});

describe('the options', () => {
	const levels = (...args: string[]) =>
		readVerifyOptions(['--base-url', 'https://voice.example/api', ...args])?.levels;

	it('choose levels: reading is part of each', () => {
		expect(levels()).toEqual(['address', 'read']);
		expect(levels('--read')).toEqual(['address', 'read']);
		expect(levels('--refused')).toEqual(['address', 'read', 'refused']);
	});

	it.each([
		['https://voice.example/api/', 'https://voice.example/api'],
		[' voice.example/api ', 'https://voice.example/api'],
		['http://127.0.0.1:4010/api', 'http://127.0.0.1:4010/api'],
	])('take the Base URL %j', (given, baseUrl) => {
		expect(readVerifyOptions(['--base-url', given])?.baseUrl).toBe(baseUrl);
	});

	it.each([
		[['--base-url', 'ftp://voice.example'], '--base-url takes the address of the API'],
		[
			['--base-url', 'https://jane:secret@voice.example'],
			'--base-url takes the address of the API',
		],
		[['--base-url', 'https://voice.example/api?x=1'], '--base-url takes the address of the API'],
		[['--base-url', 'https://'], '--base-url takes the address of the API'],
		[[], '--base-url is missing, as in: npm run verify'],
		[['--token', TOKEN], 'The token is no option. Put it into VOICE_ASSISTANT_CALLING_TOKEN'],
		[['--reports', 'x'], 'There is no option --reports. Did you mean --report?'],
		[['https://voice.example/api'], 'belongs to no option'],
	])('refuse %j', (args, message) => {
		const read = () => readVerifyOptions(args);
		expect(read).toThrow(InvalidInput);
		expect(read).toThrow(message);
		expect(read).not.toThrow(TOKEN);
		expect(read).not.toThrow('secret');
	});

	it('are all in the help', () => {
		expect(readVerifyOptions(['--help'])).toBeUndefined();
		for (const name of Object.keys(VERIFY_OPTIONS)) {
			expect(verifyHelpText()).toContain(`--${name}`);
		}
	});
});
