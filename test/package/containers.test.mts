import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { OPTIONS } from '../../sandbox/src/cli/options.mts';
import { filesMatching, manifest, root } from '../support/package.mts';

// What compose.yaml and sandbox/Dockerfile show without a container engine. A workflow on GitHub runs them.

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const compose = read('compose.yaml');
const words = z.array(z.string()).default([]);
const condition = z.enum(['service_completed_successfully', 'service_healthy']);
const service = z.strictObject({
	image: z.string(),
	build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
	hostname: z.string().optional(),
	entrypoint: words,
	command: words,
	ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).default([]),
	environment: z.record(z.string()).default({}),
	volumes: z.array(z.string().regex(/^\w+:\/\S+$/)),
	depends_on: z.record(z.strictObject({ condition })).default({}),
});
const { services, volumes } = z
	.strictObject({
		services: z.strictObject({ n8n: service, package: service, sandbox: service }),
		volumes: z.record(z.null()),
	})
	.parse(parse(compose));

const dockerfile = read('sandbox/Dockerfile').replaceAll('\\\n', '');
/** What an instruction of the Dockerfile has, each time that it occurs. */
const getAll = (instruction: string) =>
	[...dockerfile.matchAll(new RegExp(`^${instruction} (.*)`, 'gm'))].map(([, rest = '']) => rest);
const find = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, found = '']) => found);

it('compose.yaml runs the newest tested n8n, and names variables, volumes and services that exist', () => {
	const n8n = /"n8n": "(.+)"/.exec(read('host/current/package.json'))?.[1];
	expect(services.n8n.image).toBe(`n8nio/n8n:${n8n}`);
	const config = filesMatching('node_modules/@n8n/config/dist/**/*.js');
	const files = [...config, 'docs/install.md'];
	const known = files.flatMap((file) => read(file).match(/\b[A-Z\d_]+\b/g) ?? []);
	const used = [...Object.keys(services.n8n.environment), ...find(compose, /\$\{(\w+)/g)];
	expect(used.filter((name) => !known.includes(name))).toEqual([]);

	const all = Object.values(services);
	const named = all.flatMap((each) => each.volumes.map((volume) => volume.split(':')[0]));
	expect(new Set(named)).toEqual(new Set(Object.keys(volumes)));
	const needed = all.flatMap((each) => Object.keys(each.depends_on));
	expect(Object.keys(services)).toEqual(expect.arrayContaining(needed));
});

it('compose.yaml starts the sandbox as the Dockerfile prepares it', () => {
	const { build, image, command, ports, volumes: data } = services.sandbox;
	expect(services.package).toMatchObject({ build, image });
	expect([build?.context, build?.dockerfile]).toEqual(['.', 'sandbox/Dockerfile']);
	expect(data.map((volume) => volume.split(':')[1])).toEqual(getAll('VOLUME'));
	expect(ports.map((port) => port.split(':')[2])).toEqual(getAll('EXPOSE'));
	expect(getAll('EXPOSE')).toEqual([OPTIONS.port?.value]);
	const options = find([...getAll('ENTRYPOINT'), ...command].join(), /--([\w-]+)/g);
	expect(Object.keys(OPTIONS)).toEqual(expect.arrayContaining(options));
	expect(getAll('HEALTHCHECK')).toHaveLength(1);
});

it('the commands of the Dockerfile find their scripts and packages', () => {
	const commands = getAll('RUN').join('\n');
	expect(spawnSync('sh', ['-n', '-c', commands]).status).toBe(0);
	const scripts = find(commands, /npm run ([\w:]+)/g);
	expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts));
	const [folder = ''] = find(commands, /npm pack (\.\/\S+)/g);
	const { name } = JSON.parse(read(join(folder, 'package.json'))) as { name: string };
	expect(find(commands, /\/packages\/(\S+)-\*\.tgz/g)).toEqual([name]);
	expect(getAll('ENTRYPOINT').join()).toContain(`["${name}",`);
});

it('the package replaces an older one in the data of n8n', () => {
	const [shell = '', option = '', script = '', target = ''] = services.package.entrypoint;
	expect(target).toBe(`/home/node/.n8n/nodes/node_modules/${manifest.name}`);
	expect(services.package.volumes).toEqual(services.n8n.volumes);
	const folder = mkdtempSync(join(tmpdir(), 'containers-'));
	try {
		const installed = join(folder, target);
		mkdirSync(join(installed, 'old'), { recursive: true });
		mkdirSync(join(folder, 'package/new'), { recursive: true });
		const tarball = join(folder, `${manifest.name}-0.1.0.tgz`);
		execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
		// Compose writes a dollar twice.
		const command = script.replaceAll('$$', '$').replace('/packages', folder);
		execFileSync(shell, [option, command, installed]);
		expect(readdirSync(installed)).toEqual(['new']);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
