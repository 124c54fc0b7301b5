import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { lockFile } from '../../host/process/lockFile.mts';
import { root } from '../support/package.mts';
import { folderPerTest } from '../support/sandbox/process.mts';

const folder = folderPerTest();

it('a file is held by one process, until that one is killed', async () => {
	const file = join(folder(), '.lock');
	const script = `
		const { lockFile } = await import(${JSON.stringify(join(root, 'host/process/lockFile.mts'))});
		const lock = lockFile(${JSON.stringify(file)});
		process.stdout.write(lock === undefined ? 'refused' : 'held');
		setInterval(() => lock, 1000);`;
	const other = spawn(process.execPath, ['--input-type=module', '-e', script]);
	const [word] = (await once(other.stdout, 'data')) as [Buffer];
	expect(String(word)).toBe('held');
	expect(lockFile(file)).toBeUndefined();

	other.kill('SIGKILL');
	await once(other, 'exit');
	const lock = lockFile(file);
	expect(lock).toBeDefined();
	await lock?.close();
});

it('a file that cannot be made is an error', () => {
	expect(() => lockFile(join(folder(), 'missing', '.lock'))).toThrow(
		'unable to open database file',
	);
});
