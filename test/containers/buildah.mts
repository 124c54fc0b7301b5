import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

import { ROOT } from '../../host/n8n/npmPack.mts';
import { npmCli } from '../../host/process/npm.mts';

const LIMIT_MS = 30 * 60_000;

/** What the Dockerfile begins with. */
const BASE = 'docker.io/library/node:24-bookworm-slim';
/** Who the image of Node has as its user `node`. */
const NODE_USER = '1000';

export type Buildah = ReturnType<typeof openBuildah>;

/**
 * Opens a store of images in a folder. Buildah builds Dockerfiles and runs commands in containers
 * without a container engine. Only root can run it.
 */
export function openBuildah(folder: string) {
	const store = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')];
	const command = (...args: string[]): [string, string[]] => ['buildah', [...store, ...args]];
	// Neither needs anything of the kernel that a machine may lack.
	const env = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
	const run = async (...args: string[]): Promise<string> => {
		const [program, options] = command(...args);
		return (await execa(program, options, { env, cwd: ROOT, timeout: LIMIT_MS })).stdout.trim();
	};

	return {
		run,

		/** Starts a command in a container, which shares the network of this machine. */
		start: (container: string, options: string[], program: string[]) =>
			execa(...command('run', '--network', 'host', ...options, container, '--', ...program), {
				env,
				killDescendants: true,
				reject: false,
			}),

		/** Makes the image of Node.js from a new Debian and the Node.js that runs this. */
		async makeBase(): Promise<void> {
			const tree = join(folder, 'debian');
			const packages = '--include=ca-certificates,libstdc++6';
			const options = ['--variant=minbase', packages, 'bookworm', tree];
			await execa('debootstrap', options, { timeout: LIMIT_MS });
			const local = join(tree, 'usr/local');
			const npm = dirname(dirname(npmCli()));
			await mkdir(join(local, 'lib/node_modules'), { recursive: true });
			await cp(process.execPath, join(local, 'bin/node'));
			await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
			for (const name of ['npm', 'npx']) {
				await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
			}
			await allowRegistry(tree);
			const container = await run('from', 'scratch');
			await run('copy', container, tree, '/');
			await run('run', container, '--', 'useradd', '--create-home', '--uid', NODE_USER, 'node');
			await run('commit', '--rm', container, BASE);
		},

		async build(dockerfile: string, context: string): Promise<void> {
			await run(
				...['build', '--pull-never', '--format', 'docker', '--network', 'host'],
				// npm opens more files at once than 1,024, and Buildah allows no more by itself.
				...['--ulimit', 'nofile=16384:16384'],
				...['--file', dockerfile, '--tag', 'built', context],
			);
		},

		/** Makes a container of the image that was built. @returns its name */
		newContainer: async (): Promise<string> => await run('from', '--pull-never', 'localhost/built'),
	};
}

/** Lets npm in a tree reach the registry as npm of this machine does. */
async function allowRegistry(tree: string): Promise<void> {
	const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
	const { stdout: registry } = await execa('npm', ['config', 'get', 'registry']);
	const settings = [`registry=${registry}`];
	if (certificates !== undefined) {
		await cp(certificates, join(tree, 'etc/certificates.pem'), { dereference: true });
		settings.push('cafile=/etc/certificates.pem');
	}
	await mkdir(join(tree, 'usr/local/etc'), { recursive: true });
	await writeFile(join(tree, 'usr/local/etc/npmrc'), settings.join('\n'));
}
