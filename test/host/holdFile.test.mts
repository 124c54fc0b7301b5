import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from '@jest/globals';
import { holdFile } from '../../host/process/holdFile.mts';
import { root } from '../support/package.mts';
import { folderPerTest } from '../../sandbox/test/support/process.mts';

const folder = folderPerTest();

it('a file is held by one process, until that one is killed', async () => {
	const file = join(folder(), '.lock');
	const other = execa(process.execPath, [join(root, 'test/support/holdFile.mts'), file], {
		reject: false,
	});
	for await (const word of other) {
		expect(word).toBe('held');
		expect(holdFile(file)).toBeUndefined();
		other.kill('SIGKILL');
	}
	const lock = holdFile(file);
	expect(lock).toBeDefined();
	lock?.close();
});

it('a file that cannot be made is an error that names it', () => {
	const file = join(folder(), 'missing', '.lock');
	expect(() => holdFile(file)).toThrow(`ENOENT: no such file or directory, open '${file}'`);
});
