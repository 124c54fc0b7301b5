import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { Cleanup } from '../../host/process/cleanup.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import type { Programs } from './programs.mts';
import { PASSWORD, getReadFile, readSettings } from './settings.mts';

const run = promisify(execFile);

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
const QUERY_LIMIT_MS = 60_000;

const DATABASE = 'n8n';

const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LANG: 'C.UTF-8' };

type Server = Parameters<typeof startServer>[0];

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

/** Runs a program. @returns the lines that it prints */
async function getLines(program: string, args: string[], secrets: object): Promise<string[]> {
	const limits = { timeout: QUERY_LIMIT_MS, maxBuffer: Infinity };
	const { stdout } = await run(program, args, { env: { ...env, ...secrets }, ...limits });
	return stdout.split('\n').filter((line) => line !== '');
}

/** Starts an empty PostgreSQL. @param folder for its data; must not exist */
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
	const psql = async (database: string, sql: string): Promise<string[]> => {
		const format = ['--no-psqlrc', '--tuples-only', '--no-align'];
		const args = [...connection, ...format, '--dbname', database, '--command', sql];
		return await getLines(join(postgres, 'psql'), args, { PGPASSWORD: PASSWORD });
	};
	await psql('postgres', `CREATE DATABASE ${DATABASE}`);
	return {
		port,
		/** Runs a query for one column, whose values must not contain line breaks. */
		query: async (sql: string) => await psql(DATABASE, sql),
	};
}

/** Starts an empty Redis. @param folder for its data; must not exist */
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
		command: redis,
		args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
		isReady: async () =>
			(await readFile(`${folder}.log`, 'utf8')).includes('Ready to accept connections'),
		cleanup,
	});
	return {
		port,
		/** How many executions wait for a worker. */
		waiting: async (): Promise<number> => {
			const command = ['-h', LOOPBACK, '-p', String(port), 'LLEN', 'bull:jobs:wait'];
			const program = join(dirname(redis), 'redis-cli');
			const [count] = await getLines(program, command, { REDISCLI_AUTH: PASSWORD });
			return Number(count);
		},
	};
}

/**
 * Starts HAProxy with the configuration of docs/scaling.md, but without TLS.
 *
 * @param folder for its files; must not exist
 * @param ports of main and the webhook process, on this machine
 * @returns the base URL of n8n, without a slash at the end
 */
export async function startHaProxy(
	{ haproxy }: Programs,
	folder: string,
	ports: { main: number; webhook: number },
	cleanup: Cleanup,
): Promise<string> {
	await mkdir(folder);
	const address = `${LOOPBACK}:${await freePort()}`;
	const url = `http://${address}`;
	const configuration = join(folder, 'haproxy.cfg');
	const text = getReadFile('The gateway', {
		':443 ssl crt <your certificate>': address,
		'<where the webhook process is>:5678': `${LOOPBACK}:${ports.webhook}`,
		'<where main is>:5678': `${LOOPBACK}:${ports.main}`,
	});
	await writeFile(configuration, text);
	await start(folder, {
		name: 'HAProxy',
		command: haproxy,
		args: ['-db', '-f', configuration],
		isReady: async () => {
			// HAProxy responds itself while n8n is not running.
			await fetch(url, { signal: AbortSignal.timeout(START_LIMIT_MS) });
			return true;
		},
		cleanup,
	});
	return url;
}
