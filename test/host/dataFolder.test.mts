import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDataFolder } from '../../host/process/dataFolder.mts';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { folderPerTest } from '../support/sandbox/process.mts';

const folder = folderPerTest();
const mayWriteEverywhere = process.getuid?.() === 0;

describe('the folder for data', () => {
	it('is made, and may be there already', async () => {
		const data = join(folder(), 'a', 'data');
		await openDataFolder(data, ['n8n', 'sandbox.db']);
		await mkdir(join(data, 'n8n'));
		await openDataFolder(data, ['n8n', 'sandbox.db']);
		expect(await readdir(data)).toEqual(['n8n']);
	});

	it('must be where one may write', async () => {
		// Nobody may make a folder there, not even the system administrator.
		const failure = openDataFolder('/sys/data', []);
		await expect(failure).rejects.toThrow(
			/^\/sys\/data (may not be written to\. .*\n.*sudo chown|cannot be written to, because)/,
		);
	});

	it('must have nothing that somebody else has made', async () => {
		const file = join(folder(), 'sandbox.db');
		await writeFile(file, '');
		await chmod(file, 0o444);
		const opened = openDataFolder(folder(), ['sandbox.db']).then(() => 'opened', errorMessage);
		expect(await opened).toMatch(mayWriteEverywhere ? 'opened' : /sandbox\.db may not be written/);
	});
});
