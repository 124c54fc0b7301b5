import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from '@jest/globals';
import { openDataFolder } from '../../host/process/dataFolder.mts';
import { listenOnLoopback } from '../support/loopback.mts';
import { root } from '../support/package.mts';
import { folderPerTest } from '../../sandbox/test/support/process.mts';
import { onlyInFull, sampled } from '../support/sample.mts';

const folder = folderPerTest();

/** Runs a script of scripts/. */
const run = async (name: string, options: string[]) => {
	const script = join(root, 'scripts', name);
	const limits = { timeout: 30_000, reject: false };
	const { exitCode, stdout, stderr } = await execa(process.execPath, [script, ...options], limits);
	return { code: exitCode, output: stdout, errors: stderr };
};
const start = async (...options: string[]) => await run('start.mts', options);

describe('npm start', () => {
	onlyInFull(it)('--help lists the options with their defaults, and starts nothing', async () => {
		expect(await start('--help')).toEqual({
			code: 0,
			output: `Usage: npm start -- [options]

  --port 5678           port of n8n
  --sandbox-port 4010   port of the sandbox
  --data FOLDER         keeps the data of n8n and of the sandbox; .data/ of this repository if left out
  --seed FILE           accounts, assistants and campaigns of a new sandbox (YAML or JSON), such as
                        sandbox/seeds/threeClients.yaml; it needs a new --data FOLDER
  --service NAME        contract, or current: a sandbox with the fields of newer public documents
  --assume-file FILE    how a provider behaves, for the sandbox (YAML)
  --weather NAME        fair, or ordinary: a sandbox that is slow and limited, as services are
  --watch               compiles the nodes at each save, and has n8n load them again: npm run dev
`,
			errors: '',
		});
	});

	const refused: Array<[options: string[], words: RegExp]> = [
		[['--prot', '5678'], /Unknown option '--prot'/],
		[['--port', 'n8n'], /"n8n" is not a port\. A port is a whole number from 1 to 65535\./],
		[['--service', 'newest'], /--service takes contract or current, not "newest"\./],
		[['--weather', 'stormy'], /--weather takes fair or ordinary, not "stormy"\./],
		[
			['--assume-file', join(root, 'package.json')],
			/package\.json:2:2 name: There is no assumption "name" to change\./,
		],
		[['--seed', join(root, 'package.json')], /package\.json:2:2 name: There is no such field\./],
	];
	it.each(sampled(refused))('%j is refused before anything starts', async (options, words) => {
		const { code, output, errors } = await start(...options);
		expect([code, output]).toEqual([1, '']);
		expect(errors).toMatch(words);
	});

	onlyInFull(it).each([
		[[], 'npm start --'],
		[['--watch'], 'npm run dev --'],
	])('with %j offers its own command when a port is taken', async (options, command) => {
		await using taken = await listenOnLoopback((_request, response) => response.end());
		const { port } = new URL(taken.origin);
		const { code, errors } = await start('--port', port, '--data', folder(), ...options);
		expect(code).toBe(1);
		expect(errors).toContain(`${command} --data ${folder()} --port `);
	});

	onlyInFull(it)('does not touch the data of another that is running', async () => {
		const other = await openDataFolder(folder(), []);
		const seed = join(root, 'sandbox/seeds/threeClients.yaml');
		const { code, output, errors } = await start('--data', folder(), '--seed', seed);
		other.close();
		expect([code, output]).toEqual([1, '']);
		expect(errors.trim()).toBe(
			`Another npm start is running with the data in ${folder()}. Stop that one, or use another folder: npm start -- --data FOLDER`,
		);
		expect(await readdir(folder())).toEqual(['.lock']);
	});
});

onlyInFull(describe)('npm run demo', () => {
	it('--help says what it does, and starts nothing', async () => {
		const { code, output, errors } = await run('demo.mts', ['--help']);
		expect([code, errors]).toEqual([0, '']);
		expect(output).toMatch(/^Usage: npm run demo\n/);
	});
});
