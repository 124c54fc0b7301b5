import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { holdFile } from '../../host/process/holdFile.mts';
import { root } from '../support/package.mts';
import { folderPerTest } from '../support/sandbox/process.mts';

const folder = folderPerTest();

it('a file is held by one process, until that one is killed', async () => {
	const file = join(folder(), '.lock');
	const other = spawn(process.execPath, [join(root, 'test/support/holdFile.mts'), file]);
	const ended = once(other, 'exit');
	try {
		const [word] = (await once(other.stdout, 'data')) as [Buffer];
		expect(String(word)).toBe('held');
		expect(holdFile(file)).toBeUndefined();
	} finally {
		other.kill('SIGKILL');
		await ended;
	}
	const lock = holdFile(file);
	expect(lock).toBeDefined();
	lock?.close();
});

it('a held file stays empty, and has no other beside it', async () => {
	const lock = holdFile(join(folder(), '.lock'));
	expect(await readdir(folder())).toEqual(['.lock']);
	expect(await readFile(join(folder(), '.lock'), 'utf8')).toBe('');
	lock?.close();
});

it('a file that cannot be made is an error that names it', () => {
	const file = join(folder(), 'missing', '.lock');
	expect(() => holdFile(file)).toThrow(`ENOENT: no such file or directory, open '${file}'`);
});
