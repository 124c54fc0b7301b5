import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readAssumeFile } from '../index.mts';
import { loadAssumptions } from '../src/contract/assumptions.mts';
import { InvalidFile } from '../src/base/yamlFile.mts';
import { folderPerTest, processesPerTest, runToEnd } from './support/process.mts';
import { startOwnService } from './support/testService.mts';
import { onlyInFull } from '../../test/support/sample.mts';

const folder = folderPerTest();
const { startProcess } = processesPerTest();

const write = async (text: string): Promise<string> => {
	const file = join(folder(), 'provider.yaml');
	await writeFile(file, text);
	return file;
};

const WRONG_TOKEN = { headers: { authorization: 'Bearer wrong' } };
const statusOf = async (url: string, init?: RequestInit) =>
	(await fetch(`${url}/user/calls`, init)).status;

describe('a file of assumptions', () => {
	onlyInFull(it)('says how the service behaves, also on the command line', async () => {
		const file = await write('unauthenticated: 403\n');
		await using own = await startOwnService({ assumeFile: file });
		expect(await statusOf(own.url, WRONG_TOKEN)).toBe(403);
		const { url } = await startProcess('--assume-file', file);
		expect(await statusOf(url, WRONG_TOKEN)).toBe(403);
	});

	onlyInFull(it)('is less than what is assumed beside it', async () => {
		const file = await write('unauthenticated: 403\nlist-assistants-path: /assistants\n');
		await using own = await startOwnService({ assumeFile: file, assume: { unauthenticated: 401 } });
		expect(await statusOf(own.url, WRONG_TOKEN)).toBe(401);
		const list = await own.alice.request('GET', '/assistants', { ignoreContract: true });
		expect(list.status).toBe(200);
		const { url } = await startProcess('--assume-file', file, '--assume', 'unauthenticated=401');
		expect(await statusOf(url, WRONG_TOKEN)).toBe(401);
	});

	it.each(['', '# nothing differs\n', '{}\n'])('changes nothing when it is %j', async (text) => {
		expect(await loadAssumptions(await readAssumeFile(await write(text)))).toEqual(
			await loadAssumptions({}),
		);
	});

	it.each<[text: string, ...lines: Array<string | RegExp>]>([
		[
			'call-order: oldest-first\ncall-ordr: meta\nweather: fine\n',
			/2:1 call-ordr: There is no assumption "call-ordr" to change\. Did you mean call-order\? There are: .*, call-order, /,
			/3:1 weather: There is no assumption "weather" to change\. There are: unauthenticated, /,
		],
		[
			'number-form: numeric\nunauthenticated: 302\nrate-limit: { requests: 0, per: PT1M }\n',
			/1:1 number-form: Invalid enum value\. Expected 'numbers' \| 'texts', received 'numeric'/,
			/2:1 unauthenticated: It must be 401 or 403\./,
			/3:15 rate-limit\.requests: Number must be greater than or equal to 1/,
		],
		['- call-order\n', /1:1: Expected object, received array/],
		['time-zone: UTC\ntime-zone: UTC\n', /2:1: Map keys must be unique/],
	])('%j is refused with its places', async (text, ...lines) => {
		const file = await write(text);
		const error: unknown = await startOwnService({ assumeFile: file }).catch((e: unknown) => e);
		expect(error).toBeInstanceOf(InvalidFile);
		const { message } = error as InvalidFile;
		expect(message).toMatch(/^The file of assumptions .*provider\.yaml has (a fault|\d faults)\. /);
		expect(message.split('\n')).toHaveLength(lines.length + 1);
		for (const line of lines) expect(message).toMatch(line);
	});

	it('that is not there is named, with exit code 1', async () => {
		const { code, stdout, stderr } = await runToEnd('--assume-file', 'no.yaml');
		expect([code, stdout]).toEqual([1, '']);
		expect(stderr).toBe('The file of assumptions no.yaml cannot be read. There is no such file.\n');
	});
});
