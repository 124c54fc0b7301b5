import assert from 'node:assert/strict';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';

import { hostFolder, type Host } from '../../host/n8n/installN8n.mts';
import { startN8n } from '../../host/n8n/startN8n.mts';
import { freePort } from '../../host/process/ports.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { waitFor } from '../../host/process/wait.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { openBuildah } from './buildah.mts';
import { readComposeFile } from './composeFile.mts';
import { deliverOneCall } from './oneCall.mts';

const START_LIMIT_MS = 60_000;
const HOSTS: Host[] = ['oldest', 'current'];
/** Whom the images of n8n and of the package run as. */
const NODE_USER = 1000;
/** Where the containers find each other. In the place of a network of Docker, this machine has both addresses. */
const ADDRESSES = { n8n: '127.0.0.1', sandbox: '127.0.0.2' };

const imageConfig = z.object({
	Docker: z.object({
		config: z.object({
			Entrypoint: z.array(z.string()).nullish(),
			Healthcheck: z.object({ Test: z.array(z.string()) }).nullish(),
			Volumes: z.record(z.unknown()).nullish(),
		}),
	}),
});

// Builds the Dockerfile and runs what compose.yaml starts, without a container engine.
await runChecks(async (checks) => {
	const { check, require, cleanup } = checks;
	await require('Buildah, debootstrap and docker-compose are on this machine', async () => {
		for (const program of ['buildah', 'debootstrap', 'docker-compose']) {
			await execa(program, ['--version']);
		}
	});
	const compose = await require('compose.yaml fits the compose specification', readComposeFile);
	for (const host of HOSTS) await requireN8n(checks, host);

	await check('both tested versions of n8n know each of its variables', async () => {
		for (const host of HOSTS) {
			const modules = join(hostFolder(host), 'node_modules');
			const files = globSync('{@n8n/config,n8n}/dist/**/*.js', { cwd: modules });
			const sources = await Promise.all(files.map((file) => readFile(join(modules, file), 'utf8')));
			const isKnown = (name: string) =>
				sources.some((source) => new RegExp(`['".]${name}\\b`).test(source));
			const names = Object.keys(compose.n8n.environment);
			assert.ok(names.length > 3);
			assert.deepEqual(
				names.filter((name) => !isKnown(name)),
				[],
				host,
			);
		}
	});

	if (!(await canMount())) {
		checks.omit('the Dockerfile builds, and a call is delivered', 'this machine allows no mounts');
		return;
	}
	const folder = await temporaryFolder('containers', cleanup);
	const buildah = openBuildah(folder);
	const userFolder = join(folder, 'user');
	const data = join(userFolder, '.n8n');
	const readConfig = async (container: string) =>
		imageConfig.parse(JSON.parse(await buildah.run('inspect', container))).Docker.config;

	const container = await require('the Dockerfile builds from a new Debian', async () => {
		await buildah.makeBase();
		const { build } = compose.sandbox;
		assert.ok(build);
		assert.deepEqual(compose.package.build, build);
		return await buildah.build(join(build.context, build.dockerfile), build.context);
	});

	await require('the package comes into the data of n8n, whose user can read it', async () => {
		await mkdir(data, { recursive: true });
		await chown(data, NODE_USER, NODE_USER);
		const volume = compose.package.volumes.map((each) => each.split(':')[1]);
		const options = ['--volume', `${data}:${volume[0]}`];
		const { exitCode, stderr } = await buildah.start(container, options, [
			...compose.package.entrypoint,
			...compose.package.command,
		]);
		assert.equal(exitCode, 0, stderr);
	});

	const sandbox = await require('the sandbox starts, keeps its data, and is healthy', async () => {
		const hosts = join(folder, 'hosts');
		const lines = Object.entries(ADDRESSES).map(([name, address]) => `${address} ${name}\n`);
		await writeFile(hosts, lines.join(''));
		const store = join(folder, 'sandbox');
		await mkdir(store);
		await chown(store, NODE_USER, NODE_USER);
		const { Entrypoint, Healthcheck, Volumes } = await readConfig(container);
		const volumes = compose.sandbox.volumes.map((each) => each.split(':')[1]);
		assert.deepEqual(Object.keys(Volumes ?? {}), volumes);
		// Buildah 1.28 mounts a volume of the image over the folder that it is given in its place.
		await buildah.run('config', '--volume', `${volumes[0]}-`, container);
		const options = [
			// As Docker sets it.
			...['--env', `HOSTNAME=${compose.sandbox.hostname}`],
			...['--no-hosts', '--volume', `${hosts}:/etc/hosts:ro`],
			...['--volume', `${store}:${volumes[0]}`],
		];
		const program = [...(Entrypoint ?? []), ...compose.sandbox.command];
		const child = buildah.start(container, options, program);
		await cleanup.defer(async () => {
			child.kill();
			await child;
		});
		let output = '';
		const read = (chunk: Buffer) => (output += chunk.toString());
		child.stdout.on('data', read);
		child.stderr.on('data', read);
		checks.onFailure('What the sandbox has printed', () => Promise.resolve(output));
		const controlToken = await waitFor('the sandbox to start', START_LIMIT_MS, () =>
			Promise.resolve(/\?token=(\w+)/.exec(output)?.[1]),
		);
		const [, ...healthCommand] = Healthcheck?.Test ?? [];
		const health = await buildah.start(container, options, healthCommand);
		assert.equal(health.exitCode, 0, health.stderr);
		assert.deepEqual(globSync('*.db', { cwd: store }), ['sandbox.db']);
		return { controlToken };
	});

	await check(
		'a call starts a workflow of n8n, at the address that compose.yaml gives it',
		async () => {
			const port = await freePort();
			const { WEBHOOK_URL: webhookUrl = '', ...env } = compose.n8n.environment;
			assert.equal(webhookUrl, 'http://n8n:5678/');
			const n8n = await startN8n({
				host: 'current',
				userFolder,
				port,
				env: { ...env, WEBHOOK_URL: webhookUrl.replace('5678', String(port)) },
				cleanup,
			});
			checks.onFailure("The end of n8n's log", async () => await n8n.logTail());
			const origin = `http://${ADDRESSES.sandbox}:4010`;
			await deliverOneCall({
				n8nUrl: n8n.url,
				baseUrl: `${origin}/api`,
				token: 'sandbox-token',
				controlUrl: `${origin}/__sandbox`,
				...sandbox,
			});
		},
	);
});

/** Whether this process may mount folders, which every builder of images has to. */
async function canMount(): Promise<boolean> {
	const { failed } = await execa('unshare', ['--mount', 'mount', '--bind', '/usr', '/mnt'], {
		reject: false,
	});
	return !failed;
}
