import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { notWritable, openDataFolder } from '../../host/process/dataFolder.mts';
import { folderPerTest } from '../../sandbox/test/support/process.mts';

const folder = folderPerTest();

describe('the folder for data', () => {
	it('is made, and may be there already', async () => {
		const data = join(folder(), 'a', 'data');
		(await openDataFolder(data, ['n8n', 'sandbox.db'])).close();
		await mkdir(join(data, 'n8n'));
		(await openDataFolder(data, ['n8n', 'sandbox.db'])).close();
		expect(await readdir(data)).toEqual(['.lock', 'n8n']);
	});

	it('must be where one may write', async () => {
		// Nobody may make a folder there, not even the system administrator.
		await expect(openDataFolder('/sys/data', [])).rejects.toThrow(
			/^\/sys\/data (may not be written to\. .*\n.*sudo chown|cannot be written to, because)/,
		);
	});

	// A file in the place of a folder stops the system administrator too; missing permission does not.
	it('must not be a file, nor have anything that cannot be written to', async () => {
		const data = join(folder(), 'data');
		await writeFile(data, '');
		await expect(openDataFolder(data, [])).rejects.toThrow(
			`${data} is a file. Name a folder: npm start -- --data FOLDER`,
		);
		const path = join('data', 'database.sqlite');
		await expect(openDataFolder(folder(), ['sandbox.db', path])).rejects.toThrow(
			`ENOTDIR: not a directory, access '${join(folder(), path)}'`,
		);
	});

	const FOREIGN = /^\/data\/sandbox\.db may not be written to\. .*\n.*sudo chown .* \/data$/;
	it.each([
		['EACCES', FOREIGN],
		['EPERM', FOREIGN],
		[
			'EROFS',
			/^\/data\/sandbox\.db cannot be written to, because its disk is read-only\. .*--data/,
		],
		['EIO', /^the message of Node$/],
	])('that cannot be written to is explained: %s', (code, words) => {
		const cause = Object.assign(new Error('the message of Node'), { code });
		expect(notWritable('/data', '/data/sandbox.db', cause).message).toMatch(words);
	});
});
