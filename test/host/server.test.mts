import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from '@jest/globals';
import { Cleanup } from '../../host/process/cleanup.mts';
import { startServer } from '../../host/process/server.mts';
import { root } from '../support/package.mts';
import { onlyInFull } from '../support/sample.mts';
import { folderPerTest } from '../../sandbox/test/support/process.mts';

const LIMIT_MS = 30_000;

const folder = folderPerTest();

/** Runs a process that starts a server of several processes. @param then how that process ends */
function startOwner(then: string) {
	const script = join(root, 'test/support/startServer.mts');
	return execa(process.execPath, [script, folder(), then], { reject: false });
}
const isReached = async (url: string): Promise<boolean> =>
	(await Promise.allSettled([fetch(url)]))[0].status === 'fulfilled';

describe('all processes of a server end with the one that started it', () => {
	onlyInFull(it).each(['exit', 'fail'])('that is told to %s', async (then) => {
		const { stdout } = await startOwner(then);
		const [url = ''] = stdout.split('\n');
		expect(url).toMatch(/^http/);
		expect(await isReached(url)).toBe(false);
	});

	onlyInFull(it)('that gets Ctrl-C', async () => {
		const owner = startOwner('wait');
		let url = '';
		for await (const line of owner) {
			if (url !== '') continue;
			url = line;
			expect(await isReached(url)).toBe(true);
			owner.kill('SIGINT');
		}
		expect((await owner).stdout).toMatch(/\nStopping …\nStopped\.$/);
		expect(await isReached(url)).toBe(false);
	});
});

describe('a server that ends by itself', () => {
	const start = async (command: string) =>
		await startServer({
			name: 'the server',
			command,
			args: ['-c', 'echo the reason; exit 3'],
			folder: folder(),
			env: process.env,
			logFile: join(folder(), 'server.log'),
			isReady: async () => await Promise.resolve(false),
			startLimitMs: LIMIT_MS,
			stopLimitMs: LIMIT_MS,
			cleanup: new Cleanup(new AbortController().signal),
		});

	it.each([
		['sh', /^the server did not start\. .* ended unexpectedly \(exit code 3\)\. .*:\nthe reason$/],
		['/missing', 'the server could not be started.'],
	])('is told, with the end of its log if it began: %s', async (command, words) => {
		await expect(start(command)).rejects.toThrow(words);
	});
});
