import assert from 'node:assert/strict';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';

import { hostFolder } from '../../host/n8n/installN8n.mts';
import { startN8n } from '../../host/n8n/startN8n.mts';
import { freePort } from '../../host/process/ports.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { waitFor } from '../../host/process/wait.mts';
import { createSandboxClient } from '../../sandbox/client.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { openBuildah } from './buildah.mts';
import { readComposeFile } from './composeFile.mts';
import { deliverOneCall } from './oneCall.mts';

const START_LIMIT_MS = 60_000;
/** Whom the images of n8n and of the package run as. */
const NODE_USER = 1000;
/** Where the containers find each other. In the place of a network of Docker, this machine has both addresses. */
const ADDRESSES = { n8n: '127.0.0.1', sandbox: '127.0.0.2' };

const SANDBOX = `http://${ADDRESSES.sandbox}:4010`;

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
	await requireN8n(checks, 'current');

	await check('its n8n is the newest tested one, which knows each of its variables', async () => {
		const modules = join(hostFolder('current'), 'node_modules');
		const { version } = z
			.object({ version: z.string() })
			.parse(JSON.parse(await readFile(join(modules, 'n8n/package.json'), 'utf8')));
		assert.equal(compose.n8n.image, `n8nio/n8n:${version}`);
		const files = globSync('{@n8n/config,n8n}/dist/**/*.js', { cwd: modules });
		const sources = await Promise.all(files.map((file) => readFile(join(modules, file), 'utf8')));
		const isKnown = (name: string) =>
			sources.some((source) => new RegExp(`['".]${name}\\b`).test(source));
		const names = Object.keys(compose.n8n.environment);
		assert.ok(names.length > 3);
		assert.deepEqual(
			names.filter((name) => !isKnown(name)),
			[],
		);
	});

	// Continuous integration has to build it.
	if (process.env.CI === undefined && !(await canMount())) {
		checks.omit('the Dockerfile builds, and a call is delivered', 'this machine allows no mounts');
		return;
	}
	const folder = await temporaryFolder('containers', cleanup);
	const buildah = openBuildah(folder);
	const userFolder = join(folder, 'user');
	const data = join(userFolder, '.n8n');
	const readConfig = async (container: string) =>
		imageConfig.parse(JSON.parse(await buildah.run('inspect', container))).Docker.config;

	await require('the Dockerfile builds from a new Debian', async () => {
		await buildah.makeBase();
		const { build } = compose.sandbox;
		assert.ok(build);
		assert.deepEqual(compose.package.build, build);
		await buildah.build(join(build.context, build.dockerfile), build.context);
	});

	await require('the package comes into the data of n8n, whose user can read it', async () => {
		await mkdir(data, { recursive: true });
		await chown(data, NODE_USER, NODE_USER);
		const volume = compose.package.volumes.map((each) => each.split(':')[1]);
		const options = ['--volume', `${data}:${volume[0]}`];
		const { exitCode, stderr } = await buildah.start(await buildah.newContainer(), options, [
			...compose.package.entrypoint,
			...compose.package.command,
		]);
		assert.equal(exitCode, 0, stderr);
	});

	const store = join(folder, 'sandbox');
	/** Starts a new container of the sandbox, with the data of the former one. */
	const startSandbox = async () => {
		const hosts = join(folder, 'hosts');
		const lines = Object.entries(ADDRESSES).map(([name, address]) => `${address} ${name}\n`);
		await writeFile(hosts, lines.join(''));
		const container = await buildah.newContainer();
		const { Entrypoint, Healthcheck, Volumes } = await readConfig(container);
		assert.deepEqual(Object.keys(Volumes ?? {}), [volume]);
		// Buildah 1.28 mounts a volume of the image over the folder that it is given in its place.
		await buildah.run('config', '--volume', `${volume}-`, container);
		const options = [
			// As Docker sets it.
			...['--env', `HOSTNAME=${compose.sandbox.hostname}`],
			...['--no-hosts', '--volume', `${hosts}:/etc/hosts:ro`],
			...['--volume', `${store}:${volume}`],
		];
		const program = [...(Entrypoint ?? []), ...compose.sandbox.command];
		const child = buildah.start(container, options, program);
		const stop = async (): Promise<void> => {
			child.kill();
			await child;
		};
		await cleanup.defer(stop);
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
		return { controlToken, stop };
	};
	const [volume] = compose.sandbox.volumes.map((each) => each.split(':')[1]);
	const first = await require('the sandbox starts, and is healthy', async () => {
		await mkdir(store);
		await chown(store, NODE_USER, NODE_USER);
		return await startSandbox();
	});

	await check(
		'a call starts a workflow of n8n, at the address that compose.yaml gives it',
		async () => {
			const port = await freePort();
			const { N8N_WEBHOOK_URL: webhookUrl = '', ...env } = compose.n8n.environment;
			assert.equal(webhookUrl, 'http://n8n:5678/');
			const n8n = await startN8n({
				host: 'current',
				userFolder,
				port,
				env: { ...env, N8N_WEBHOOK_URL: webhookUrl.replace('5678', String(port)) },
				cleanup,
			});
			checks.onFailure("The end of n8n's log", async () => await n8n.logTail());
			await deliverOneCall({
				n8nUrl: n8n.url,
				baseUrl: `${SANDBOX}/api`,
				token: 'sandbox-token',
				controlUrl: `${SANDBOX}/__sandbox`,
				controlToken: first.controlToken,
			});
		},
	);

	await check('a new container of the sandbox has its calls', async () => {
		const callIds = async (token: string) => {
			const calls = await createSandboxClient(`${SANDBOX}/__sandbox`, token).calls();
			return calls.map(({ id }) => id);
		};
		// Without the data, only those of the seed.
		const before = await callIds(first.controlToken);
		await first.stop();
		const { controlToken } = await startSandbox();
		assert.deepEqual(await callIds(controlToken), before);
	});
});

/** Whether this process may mount folders, which every builder of images has to. */
async function canMount(): Promise<boolean> {
	const { failed } = await execa('unshare', ['--mount', 'mount', '--bind', '/usr', '/mnt'], {
		reject: false,
	});
	return !failed;
}
