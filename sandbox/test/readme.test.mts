import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../test/support/package.mts';
import { onlyInFull } from '../../test/support/sample.mts';
import { folderPerTest, processesPerTest } from './support/process.mts';

const run = promisify(execFile);
const { startProcess } = processesPerTest();
const folder = folderPerTest();

let readme: string;
beforeAll(async () => {
	readme = await readFile(join(root, 'sandbox/README.md'), 'utf8');
});

/** The code below a heading of the README. */
function codeBelow(heading: string, language: string): string {
	const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
	const [, code] = new RegExp(`\`\`\`${language}\\n(.*?)\n\`\`\``, 's').exec(section) ?? [];
	if (code === undefined) throw new Error(`The README has no ${language} below "${heading}".`);
	return code;
}

onlyInFull(describe)('what the README says', () => {
	it('with curl makes a call whose webhook fails', async () => {
		const sandbox = await startProcess();
		const commands = codeBelow('Use it without n8n', 'sh').replaceAll(
			'http://127.0.0.1:4010',
			new URL(sandbox.url).origin,
		);
		const { stdout } = await run('bash', ['-euc', commands]);
		const responses = stdout
			.trim()
			.split('\n')
			.map((line): unknown => JSON.parse(line));
		expect(responses).toMatchObject([
			{ message: 'Assistant updated successfully' },
			{ data: { id: 5, phone_number: '+14155550123' } },
			{},
			{ mode: 'real' },
			{
				data: expect.arrayContaining([
					expect.objectContaining({
						client_phone_number: '+14155550123',
						status: 'completed',
						transcript: expect.stringContaining('Assistant:'),
					}),
				]),
			},
			{ data: expect.arrayContaining([expect.objectContaining({ kind: 'webhook-failed' })]) },
		]);
	});

	it('is a test that passes', async () => {
		const file = join(folder(), 'retry.test.mts');
		const code = codeBelow('Use it in a test of your own', 'ts').replaceAll(
			"'./sandbox/",
			`'${pathToFileURL(root).href}/sandbox/`,
		);
		await writeFile(file, code);
		// Jest's own options are not for this process.
		const env = { ...process.env, NODE_OPTIONS: '' };
		const { stdout } = await run(process.execPath, ['--test', '--test-reporter', 'tap', file], {
			env,
		});
		expect(stdout).toMatch(/^# pass 1$/m);
		expect(stdout).toMatch(/^# fail 0$/m);
	});
});
