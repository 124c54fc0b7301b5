import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { z } from 'zod';
import { manifest as rootManifest, root } from '../../test/support/package.mts';
import { onlyInFull } from '../../test/support/sample.mts';
import { TOKEN } from './verify/support/account.mts';
import { startProvider } from './verify/support/measure.mts';

const NAME = 'voice-assistant-calling-sandbox';
const sandbox = join(root, 'sandbox');
const LIMIT_MS = 60_000;

const manifest = z.object({
	dependencies: z.record(z.string(), z.string()),
	engines: z.object({ node: z.string() }),
	version: z.string(),
});
const { dependencies, engines, version } = manifest.parse(
	JSON.parse(await readFile(join(sandbox, 'package.json'), 'utf8')),
);

// Where nothing runs, nothing is made: jest calls no hooks in a file whose tests are all left out.
const folder = join(tmpdir(), `packed-${process.pid}`);
afterAll(() => rm(folder, { recursive: true }));

/** Where the package would be after `npm install`, in a folder that has nothing else but its dependencies. */
const installed = join(folder, 'node_modules', NAME);

/** Packs the sandbox from a copy, because a build in the checkout could meet another one. */
async function install(): Promise<void> {
	const copy = join(folder, 'copy');
	await cp(sandbox, join(copy, 'sandbox'), { recursive: true });
	for (const name of ['contract', 'gulpfile.js', 'tsconfig.tools.json']) {
		await cp(join(root, name), join(copy, name), { recursive: true });
	}
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
	// The same JavaScript in a third of the time. `npm run typecheck` looks at the types.
	const options = join(copy, 'sandbox/tsconfig.json');
	const checked = await readFile(options, 'utf8');
	await writeFile(options, checked.replace('"noEmit": false', '"noEmit": false, "noCheck": true'));
	const packed = await execa('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: join(copy, 'sandbox'),
		timeout: LIMIT_MS,
	});
	const [{ filename }] = z
		.tuple([z.object({ filename: z.string() })])
		.parse(JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n'))));
	await mkdir(installed, { recursive: true });
	await execa('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
	for (const name of Object.keys(dependencies)) {
		const link = join(folder, 'node_modules', name);
		await mkdir(dirname(link), { recursive: true });
		await symlink(join(root, 'node_modules', name), link);
	}
}

/** Runs what npx runs. */
const run = (options: string[], nodeOptions: string[] = [], env: NodeJS.ProcessEnv = {}) =>
	execa(process.execPath, [...nodeOptions, join(installed, 'bin.js'), ...options], {
		cwd: folder,
		env,
		timeout: LIMIT_MS,
		reject: false,
	});

onlyInFull(describe)('the packed sandbox', () => {
	beforeAll(install, LIMIT_MS);

	it('has the version of the nodes, and neither source nor tests', () => {
		expect(version).toBe(rootManifest.version);
		const sources = ['cli.mts', 'src', 'test', 'tsconfig.json'];
		expect(sources.filter((name) => existsSync(join(installed, name)))).toEqual([]);
	});

	it('serves the service as it is told, and the inspector, and ends with Ctrl-C', async () => {
		const wanted = ['--service', 'current', '--assume', 'unauthenticated=403'];
		const started = run(['--json', '--port', '0', ...wanted]);
		const [line] = (await once(started.stdout, 'data')) as unknown[];
		const { url, token, control } = z
			.object({ url: z.string(), token: z.string(), control: z.string() })
			.parse(JSON.parse(String(line)));
		const headers = { authorization: `Bearer ${token}` };
		const responses = [
			await fetch(`${url}/user/assistants/get`, { headers }),
			await fetch(`${url}/user/calls`),
			await fetch(`${control}/`),
			await fetch(`${control}/assets/vendor/preact.js`),
		];
		expect(responses.map(({ status }) => status)).toEqual([200, 403, 200, 200]);
		started.kill('SIGINT');
		expect((await started).exitCode).toBe(0);
	});

	it('checks an account', async () => {
		await using provider = await startProvider();
		const args = ['verify', '--base-url', provider.url, '--refused'];
		const { exitCode, stdout } = await run(args, [], { VOICE_ASSISTANT_CALLING_TOKEN: TOKEN });
		expect(stdout).toMatch(/ 0 problem, 0 open, 0 failed\. 25 requests were sent\.$/);
		expect(exitCode).toBe(0);
	});

	it.each(['20.19.0', '22.12.0', '23.3.0'])(
		'says in one sentence that Node.js %s is too old',
		async (old) => {
			const older = join(folder, 'older.cjs');
			await writeFile(
				older,
				`Object.defineProperty(process.versions, 'node', { value: '${old}' }); Object.defineProperty(process, 'version', { value: 'v${old}' });`,
			);
			const { exitCode, stdout, stderr } = await run([], ['--require', older]);
			expect({ exitCode, stdout, stderr }).toEqual({
				exitCode: 1,
				stdout: '',
				stderr: `The sandbox needs Node.js 22.13, 23.4 or newer, and this is v${old}.`,
			});
			expect(engines.node).toBe('^22.13 || >=23.4');
		},
	);

	it('installs without scripts, so without native modules', async () => {
		const locked = z.object({
			dependencies: z.record(z.string(), z.string()).default({}),
			hasInstallScript: z.boolean().default(false),
		});
		const lock = z.object({ packages: z.record(z.string(), locked) });
		const { packages } = lock.parse(
			JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')),
		);
		const names = new Set(Object.keys(dependencies));
		// A set also gives what is added to it meanwhile.
		for (const name of names) {
			for (const each of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) {
				names.add(each);
			}
		}
		expect(names.size).toBeGreaterThan(50);
		const withScript = [...names].filter(
			(name) => packages[`node_modules/${name}`]?.hasInstallScript,
		);
		expect(withScript).toEqual([]);
	});
});
