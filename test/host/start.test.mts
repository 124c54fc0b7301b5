import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDataFolder } from '../../host/process/dataFolder.mts';
import { root } from '../support/package.mts';
import { folderPerTest } from '../support/sandbox/process.mts';

const LIMIT_MS = 30_000;

const folder = folderPerTest();

/** Runs what `npm start --` runs after its build. */
const start = async (...options: string[]) =>
	await new Promise<{ code: unknown; output: string; errors: string }>((resolve) => {
		const script = join(root, 'scripts/start.mts');
		const limits = { timeout: LIMIT_MS };
		execFile(process.execPath, [script, ...options], limits, (error, output, errors) =>
			resolve({ code: error === null ? 0 : error.code, output, errors }),
		);
	});

describe('npm start', () => {
	it('--help lists the options with their defaults, and starts nothing', async () => {
		expect(await start('--help')).toEqual({
			code: 0,
			output: `Usage: npm start -- [options]

  --port 5678           port of n8n
  --sandbox-port 4010   port of the sandbox
  --data FOLDER         keeps the data of n8n and of the sandbox; .data/ of this repository if left out

`,
			errors: '',
		});
	});

	it.each([
		[['--prot', '5678'], /Unknown option '--prot'/],
		[['--port', 'n8n'], /"n8n" is not a port\. A port is a whole number from 1 to 65535\./],
		[['--sandbox-port', '65536'], /"65536" is not a port\./],
	])('%j is refused before anything starts', async (options, words) => {
		const { code, output, errors } = await start(...options);
		expect([code, output]).toEqual([1, '']);
		expect(errors).toMatch(words);
	});

	it('does not touch the data of another that is running', async () => {
		const other = await openDataFolder(folder(), []);
		const { code, output, errors } = await start('--data', folder());
		other.close();
		expect([code, output]).toEqual([1, '']);
		expect(errors).toContain(`Another npm start is running with the data in ${folder()}.`);
		expect(await readdir(folder())).toEqual(['.lock']);
	});
});
