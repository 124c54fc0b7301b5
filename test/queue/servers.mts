import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import type { Cleanup } from '../../host/process/cleanup.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import { PASSWORD, readSettings } from './settings.mts';

const run = promisify(execFile);

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

const DATABASE = 'n8n';

const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LANG: 'C.UTF-8' };

type Server = Parameters<typeof startServer>[0];

/** What n8n needs in queue mode, on this machine. */
export interface Programs {
	/** the folders of PostgreSQL's and Redis' programs */
	postgres: string;
	redis: string;
	/** whom PostgreSQL runs as, because it refuses to run as root */
	user: { uid: number; gid: number } | undefined;
}

/** Finds the programs. @throws Error that names the missing ones */
export async function findPrograms(): Promise<Programs> {
	// Debian does not put PostgreSQL's servers on PATH; each version has a folder.
	const versions = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
	const folders = [...versions, ...(process.env.PATH ?? '').split(delimiter)];
	const find = (program: string): string => {
		const folder = folders.find((one) => existsSync(join(one, program)));
		if (folder !== undefined) return folder;
		throw new Error(
			`There is no ${program} on this machine. Install PostgreSQL and Redis (Debian, Ubuntu: apt-get install postgresql redis-server) and run this again. They need not be running: this suite starts its own.`,
		);
	};
	const programs = { postgres: find('initdb'), redis: find('redis-server') };
	if (process.getuid?.() !== 0) return { ...programs, user: undefined };
	const users = await readFile('/etc/passwd', 'utf8');
	const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
	if (uid === undefined) {
		throw new Error(
			'PostgreSQL refuses to be run by root, and this machine has no user "postgres" to run it as. Run this as another user.',
		);
	}
	return { ...programs, user: { uid: Number(uid), gid: Number(gid) } };
}

/** Starts a server that listens on the loopback address only. @param folder for its data */
const start = async (
	folder: string,
	server: Pick<Server, 'name' | 'command' | 'args' | 'isReady' | 'cleanup'> & Partial<Server>,
) =>
	await startServer({
		folder,
		env,
		logFile: `${folder}.log`,
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		...server,
	});

/** Starts an empty PostgreSQL. @param folder for its data; must not exist @returns its port */
export async function startPostgres(
	{ postgres, user }: Programs,
	folder: string,
	cleanup: Cleanup,
) {
	await mkdir(folder);
	if (user !== undefined) await chown(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, PASSWORD);
	const identity = ['--username', DATABASE, '--auth', 'scram-sha-256', '--pwfile', passwordFile];
	const options = { env, cwd: folder, timeout: START_LIMIT_MS, ...user };
	await run(join(postgres, 'initdb'), ['--pgdata', data, '--no-sync', ...identity], options);

	const port = await freePort();
	const settings = [
		`port=${port}`,
		`listen_addresses=${LOOPBACK}`,
		`unix_socket_directories=${folder}`,
	];
	const connection = ['--host', LOOPBACK, '--port', String(port), '--username', DATABASE];
	await start(folder, {
		name: 'PostgreSQL',
		command: join(postgres, 'postgres'),
		args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
		user,
		isReady: async () => {
			await run(join(postgres, 'pg_isready'), connection, { env, timeout: STOP_LIMIT_MS });
			return true;
		},
		// The "fast" shutdown, which closes the connections.
		stopSignal: 'SIGINT',
		cleanup,
	});
	const create = [
		...connection,
		'--dbname',
		'postgres',
		'--command',
		`CREATE DATABASE ${DATABASE}`,
	];
	const secret = { env: { ...env, PGPASSWORD: PASSWORD }, timeout: START_LIMIT_MS };
	await run(join(postgres, 'psql'), create, secret);
	return port;
}

/** Starts an empty Redis. @param folder for its data; must not exist @returns its port */
export async function startRedis({ redis }: Programs, folder: string, cleanup: Cleanup) {
	await mkdir(folder);
	const port = await freePort();
	const settings = {
		...readSettings('Redis', { '<its password>': PASSWORD }),
		port: String(port),
		bind: LOOPBACK,
		dir: folder,
	};
	await start(folder, {
		name: 'Redis',
		command: join(redis, 'redis-server'),
		args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
		isReady: async () =>
			(await readFile(`${folder}.log`, 'utf8')).includes('Ready to accept connections'),
		cleanup,
	});
	return port;
}
