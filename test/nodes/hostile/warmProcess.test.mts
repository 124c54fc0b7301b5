import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { delimiter, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { execa } from 'execa';
import { BEHAVIOURS } from '../../support/hostileService/behaviours.mts';
import { startHostileServer, tickInRealTime } from '../../support/hostileService/hostileServer.mts';
import { listenOnLoopback } from '../../support/loopback.mts';
import { root } from '../../support/package.mts';
import { onlyInFull } from '../../support/sample.mts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { startOwnService } from '../../../sandbox/test/support/testService.mts';

/** A busy machine needs a minute for the 5,000 requests. */
const LIMIT_MS = 180_000;

/** The first Node 20 on PATH, outside of node_modules: npm puts the Node of this checkout before it. */
async function findNode20(): Promise<string | undefined> {
	const folders = (process.env.PATH ?? '').split(delimiter);
	for (const folder of folders.filter((each) => !each.includes('node_modules'))) {
		const command = join(folder, 'node');
		const { failed, stdout } = await execa(command, ['--version'], { reject: false });
		if (!failed && stdout.startsWith('v20.')) return command;
	}
	return undefined;
}

/** What warmClient.mts prints. */
interface Result {
	version: string;
	warnings: string[];
	meetings: Array<{ url: string; method: string; hasEnded: boolean }>;
}

/** Lets a process that has sent 5,000 requests send one of each method to each URL. */
async function meetWarm(command: string, urls: string[]): Promise<Result> {
	await using quick = await listenOnLoopback((_request, response) => {
		response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{"id":1}}');
	});
	const program = join(root, 'test/support/hostileService/warmClient.mts');
	const code = stripTypeScriptTypes(readFileSync(program, 'utf8'));
	const args = [join(root, 'dist'), ALICE, quick.origin, ...urls];
	const { stdout } = await execa(command, ['--input-type=module', '-e', code, '--', ...args], {
		cwd: root,
	});
	return JSON.parse(stdout) as Result;
}

onlyInFull(it)(
	'a process that has sent 5,000 requests ends those to hostile services in time, also on Node 20',
	async () => {
		const node20 = await findNode20();
		if (node20 === undefined)
			console.warn('PATH has no Node 20: this ran on the Node of the suite.');
		const behaviours = BEHAVIOURS.filter(({ isHeavy }) => !isHeavy);
		const urlOf = (index: number) => `${server.url}/user/calls?behaviour=${index}`;
		const indexOf = (url: string) => Number(url.split('=').at(-1));
		// jest calls no hooks in a file whose tests are all left out.
		await using service = await startOwnService();
		const server = await startHostileServer(service.url);
		const ticking = tickInRealTime(server);
		server.turn((exchange) => behaviours[indexOf(exchange.request.url)]?.handler(exchange));
		try {
			const urls = behaviours.map((_behaviour, index) => urlOf(index));
			const { version, warnings, meetings } = await meetWarm(node20 ?? process.execPath, urls);
			const late = meetings.filter(({ hasEnded }) => !hasEnded);
			expect(late.map(({ url, method }) => `${method}: ${behaviours[indexOf(url)]?.name}`)).toEqual(
				[],
			);
			expect(server.requests).toHaveLength(2 * behaviours.length);
			expect(warnings).toEqual([]);
			expect(version.startsWith('v20.')).toBe(node20 !== undefined);
		} finally {
			ticking[Symbol.dispose]();
			await server.close();
		}
	},
	LIMIT_MS,
);
