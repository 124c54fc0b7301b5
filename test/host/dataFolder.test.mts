import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { notWritable, openDataFolder } from '../../host/process/dataFolder.mts';
import { folderPerTest } from '../support/sandbox/process.mts';

const folder = folderPerTest();

describe('the folder for data', () => {
	it('is made, and may be there already', async () => {
		const data = join(folder(), 'a', 'data');
		const first = await openDataFolder(data, ['n8n', 'sandbox.db']);
		await mkdir(join(data, 'n8n'));
		first.close();
		const second = await openDataFolder(data, ['n8n', 'sandbox.db']);
		second.close();
		expect(await readdir(data)).toEqual(['.lock', 'n8n']);
	});

	it('is for one command at a time', async () => {
		const first = await openDataFolder(folder(), []);
		await expect(openDataFolder(folder(), [])).rejects.toThrow(
			`Another npm start is running with the data in ${folder()}. Stop that one, or use another folder: npm start -- --data FOLDER`,
		);
		first.close();
		const second = await openDataFolder(folder(), []);
		second.close();
	});

	it('must be where one may write', async () => {
		// Nobody may make a folder there, not even the system administrator.
		const failure = openDataFolder('/sys/data', []);
		await expect(failure).rejects.toThrow(
			/^\/sys\/data (may not be written to\. .*\n.*sudo chown|cannot be written to, because)/,
		);
	});

	// A file in the place of a folder stops the system administrator too; missing permission does not.
	it('must not be a file', async () => {
		const data = join(folder(), 'data');
		await writeFile(data, '');
		await expect(openDataFolder(data, [])).rejects.toThrow(
			`${data} is a file. Name a folder: npm start -- --data FOLDER`,
		);
	});

	it('must have nothing that cannot be written to', async () => {
		await writeFile(join(folder(), 'n8n'), '');
		const path = join('n8n', 'database.sqlite');
		await expect(openDataFolder(folder(), ['sandbox.db', path])).rejects.toThrow(
			`ENOTDIR: not a directory, access '${join(folder(), path)}'`,
		);
	});
});

describe('what cannot be written to is explained', () => {
	it.each([
		['EACCES', /^\/data\/sandbox\.db may not be written to\. .*\n.*sudo chown .* \/data$/],
		['EPERM', /^\/data\/sandbox\.db may not be written to\. .*\n.*sudo chown .* \/data$/],
		[
			'EROFS',
			/^\/data\/sandbox\.db cannot be written to, because its disk is read-only\. .*--data/,
		],
		['EIO', /^the message of Node$/],
	])('%s', (code, words) => {
		const cause = Object.assign(new Error('the message of Node'), { code });
		expect(notWritable('/data', '/data/sandbox.db', cause).message).toMatch(words);
	});
});
