import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { execa } from 'execa';

import { root } from '../../../test/support/package.mts';
import { InvalidInput } from '../../src/base/invalidInput.mts';
import { readVerifyOptions } from '../../src/cli/verify/options.mts';
import { readToken } from '../../src/cli/verify/readToken.mts';
import { TOKEN } from './support/account.mts';
import { startProvider } from './support/measure.mts';
import { startProxy } from './support/proxy.mts';
import { onlyInFull } from '../../../test/support/sample.mts';

const cli = fileURLToPath(new URL('../../cli.mts', import.meta.url));

/** Runs verify without a terminal. */
const run = (...args: string[]) =>
	execa(process.execPath, [cli, 'verify', '--base-url', ...args], {
		env: { VOICE_ASSISTANT_CALLING_TOKEN: TOKEN },
		reject: false,
		stdin: 'ignore',
		timeout: 60_000,
	});

describe('the command', () => {
	onlyInFull(it)('prints what the page shows', async () => {
		const page = await readFile(join(root, 'docs/check-your-provider.md'), 'utf8');
		const [, shown = ''] = /```text\n([^]*?)\n```/.exec(page) ?? [];
		await using provider = await startProvider();
		const { exitCode, stdout, stderr } = await run(provider.url);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
		expect(stdout.split('\n')).toEqual(expect.arrayContaining(shown.split('\n')));
		expect(stdout).toMatch(/ ok, .* 0 problem, 0 open, 0 failed\. 13 requests were sent\.$/);
		expect(stdout).not.toContain(TOKEN);
	});

	it('warns before the token goes over http to another machine', async () => {
		const { exitCode, stderr } = await run('http://verify.invalid/api');
		expect(exitCode).toBe(2);
		expect(stderr).toContain('Warning: the API token goes to verify.invalid without encryption.');
	});
});

const TOLD = 'It ends as soon as the present request is over.';

onlyInFull(it)('a signal does not cut off a write: what the service accepts is told', async () => {
	await using provider = await startProvider();
	const body = { message: 'Lead created successfully', data: { id: 77 } };
	await provider.control.fault({ operation: 'createLead', status: 200, body });
	let interrupt = (): Promise<void> => Promise.resolve();
	await using proxy = await startProxy(provider.url, {
		before: async ({ method }) => {
			if (method !== 'GET') await interrupt();
			return undefined;
		},
	});
	const child = run(proxy.url, '--refused');
	let stderr = '';
	child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
	interrupt = async () => {
		for (const [index, signal] of (['SIGINT', 'SIGHUP', 'SIGTERM'] as const).entries()) {
			child.kill(signal);
			while (stderr.split(TOLD).length < index + 2) await once(child.stderr, 'data');
		}
	};
	const { exitCode, stdout } = await child;
	expect(exitCode).toBe(2);
	expect(stdout).toContain('It may have created or changed the record 77.');
});

describe('the token', () => {
	const before = { ...process.env };
	afterEach(() => {
		process.env = { ...before };
		jest.restoreAllMocks();
	});

	it.each(['', 'two words', 'line\nbreak', 'é'])('is no token: %j', async (text) => {
		process.env['VOICE_ASSISTANT_CALLING_TOKEN'] = text;
		await expect(readToken()).rejects.toThrow('is empty, or has characters that no token has.');
	});

	it('is needed where nobody can type it', async () => {
		await expect(readToken(new PassThrough())).rejects.toThrow('There is no API token. Put it');
	});

	it('can be typed and is not shown, and Ctrl-C ends the process', async () => {
		const shown: unknown[] = [];
		for (const stream of [process.stdout, process.stderr]) {
			jest.spyOn(stream, 'write').mockImplementation((text) => shown.push(text) > 0);
		}
		const typed = () => Object.assign(new PassThrough(), { isTTY: true });
		const [keyboard, other] = [typed(), typed()];
		const token = readToken(keyboard);
		keyboard.write(`${TOKEN}\r`);
		expect(await token).toBe(TOKEN);
		expect(shown).toEqual(['API token (it is not shown): ', '\n']);
		const ended = new Promise((resolve) => {
			jest.spyOn(process, 'kill').mockImplementation((...args) => {
				resolve(args);
				return true;
			});
		});
		void readToken(other);
		other.write('abc\u0003');
		expect(await ended).toEqual([process.pid, 'SIGINT']);
	});
});

it('the options: a Base URL, and whether writes that are refused are sent', () => {
	const read = (...args: string[]) => readVerifyOptions(['--base-url', ...args]);
	const baseUrl = 'https://voice.example/api';
	expect(read(`${baseUrl}/`)).toEqual({ baseUrl, withRefused: false });
	expect(read(' voice.example/api ', '--refused')).toEqual({ baseUrl, withRefused: true });
	expect(readVerifyOptions(['--help'])).toBeUndefined();
});

it.each([
	[['--base-url', 'ftp://voice.example'], '--base-url takes the address of the API'],
	[['--base-url', 'https://jane:secret@voice.example'], '--base-url takes the address'],
	[['--base-url', 'https://voice.example/api?x=1'], '--base-url takes the address of the API'],
	[[], '--base-url is missing, as in: npm run verify'],
	[['--token', TOKEN], 'The token is no option. Put it into VOICE_ASSISTANT_CALLING_TOKEN'],
	[['--reports', 'x'], "Unknown option '--reports'"],
])('the options %j are refused', (args, message) => {
	const read = () => readVerifyOptions(args);
	expect(read).toThrow(InvalidInput);
	expect(read).toThrow(message);
	expect(read).not.toThrow(TOKEN);
	expect(read).not.toThrow('secret');
});
