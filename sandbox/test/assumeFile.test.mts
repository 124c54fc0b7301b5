import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readAssumeFile } from '../index.mts';
import { assumptionFormat } from '../src/contract/assumptionFormat.mts';
import { loadAssumptions } from '../src/contract/assumptions.mts';
import { InvalidFile } from '../src/base/yamlFile.mts';
import { folderPerTest, processesPerTest, runToEnd } from './support/process.mts';
import { ask } from './support/providers.mts';
import { startOwnService } from './support/testService.mts';

const folder = folderPerTest();
const { startProcess } = processesPerTest();

const write = async (text: string): Promise<string> => {
	const file = join(folder(), 'provider.yaml');
	await writeFile(file, text);
	return file;
};

const PRESETS = fileURLToPath(new URL('../presets/', import.meta.url));
const presets = await readdir(PRESETS);

const WRONG_TOKEN = { headers: { authorization: 'Bearer wrong' } };
const statusOf = async (url: string, init?: RequestInit) =>
	(await fetch(`${url}/user/calls`, init)).status;

describe('a file of assumptions', () => {
	it('says how the service behaves, also on the command line', async () => {
		const file = await write('unauthenticated: 403\n');
		await using own = await startOwnService({ assumeFile: file });
		expect(await statusOf(own.url, WRONG_TOKEN)).toBe(403);
		const { url } = await startProcess('--assume-file', file);
		expect(await statusOf(url, WRONG_TOKEN)).toBe(403);
	});

	it('is less than what is assumed beside it', async () => {
		const file = await write('unauthenticated: 403\nlist-assistants-path: /assistants\n');
		await using own = await startOwnService({ assumeFile: file, assume: { unauthenticated: 401 } });
		expect(await statusOf(own.url, WRONG_TOKEN)).toBe(401);
		expect((await ask(own, 'GET', '/assistants')).status).toBe(200);
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
			'id-form: texts\npage-envelop: meta\nweather: fine\n',
			/2:1 page-envelop: There is no assumption "page-envelop" to change\. Did you mean page-envelope\? There are: .*, page-envelope, /,
			/3:1 weather: There is no assumption "weather" to change\. There are: unauthenticated, /,
		],
		[
			'id-form: numeric\nunauthenticated: 302\nlargest-page: { size: 500, above: capped }\n',
			/1:1 id-form: Invalid enum value\. Expected 'numbers' \| 'texts', received 'numeric'/,
			/2:1 unauthenticated: It must be 401 or 403\./,
			/3:17 largest-page\.size: Number must be less than or equal to 100/,
		],
		[
			'call-status-names: { complete: done, busy: failed }\n',
			/1:22 call-status-names\.complete: Invalid enum value\. .*Did you mean completed\?/,
		],
		[
			'call-status-names: { busy: failed }\n',
			/1:1 call-status-names: Two statuses have the same name\./,
		],
		[
			'missing-fields: { call: [id], phone: [] }\n',
			/1:26 missing-fields\.call\.0: This field is never missing\./,
			/1:31 missing-fields\.phone: Invalid enum value\. Expected 'lead' \| /,
		],
		['- id-form\n', /1:1: Expected object, received array/],
		['id-form: texts\nid-form: numbers\n', /2:1: Map keys must be unique/],
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

describe('the presets', () => {
	it('are twelve, and each says in a line what it resembles', async () => {
		expect(presets).toHaveLength(12);
		for (const name of presets) {
			const [first, ...others] = (await readFile(join(PRESETS, name), 'utf8')).split('\n');
			expect(first).toMatch(/^# Resembles .+\.$/);
			expect(others.filter((line) => line.includes('#'))).toEqual([]);
		}
	});

	it.each(presets)('%s: the service works', async (name) => {
		await using own = await startOwnService({ assumeFile: join(PRESETS, name) });
		await own.control.advance('PT1M');
		const started = { campaign_id: 1, action: 'start' };
		const { status, text } = await ask(own, 'POST', '/user/campaigns/update-status', started);
		expect({ status, text }).toEqual({ status: expect.any(Number), text: expect.any(String) });
		expect(Math.floor(status / 100)).toBe(2);
		await own.control.advance('PT30M');
		expect(await own.control.calls()).toMatchObject([{ status: 'completed', campaign_id: 1 }]);
	});

	it('have every value that an assumption can have', async () => {
		const assumed = await loadAssumptions({});
		const given = await Promise.all(
			presets.map(async (name) => loadAssumptions(await readAssumeFile(join(PRESETS, name)))),
		);
		const missing = Object.entries(assumptionFormat.shape).flatMap(([key, format]) => {
			const values = [assumed, ...given].map((each) => Reflect.get(each, key) as unknown);
			const options = 'options' in format ? (format.options as unknown[]) : [];
			return options
				.filter((option) => !values.includes(option))
				.map((option) => `${key}=${String(option)}`);
		});
		// The nodes have tests of their own for these.
		expect(missing).toEqual([
			'unknown-request-fields=ignored',
			'record-form=named',
			'record-form=twice',
			'assistant-status=inactive',
			'call-filters=ignored',
		]);
	});
});
