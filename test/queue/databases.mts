import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

import type { Cleanup } from '../../host/process/cleanup.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import type { Programs } from './programs.mts';
import { settingsOf } from './settings.mts';

const run = promisify(execFile);

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
const QUERY_LIMIT_MS = 60_000;

/** Both servers listen on the loopback address only. */
const PASSWORD = 'only-for-this-test';
const DATABASE = 'n8n';

const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LANG: 'C.UTF-8' };

/** A running PostgreSQL. */
export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

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
	const settings = {
		port: String(port),
		listen_addresses: LOOPBACK,
		unix_socket_directories: folder,
	};
	const connection = ['--host', LOOPBACK, '--port', String(port), '--username', DATABASE];
	const server = await startServer({
		name: 'PostgreSQL',
		command: join(postgres, 'postgres'),
		args: [
			'-D',
			data,
			...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
		],
		folder,
		env,
		logFile: `${folder}.log`,
		user,
		isReady: async () => {
			await run(join(postgres, 'pg_isready'), connection, { env, timeout: STOP_LIMIT_MS });
			return true;
		},
		startLimitMs: START_LIMIT_MS,
		// The "fast" shutdown, which closes the connections.
		stopSignal: 'SIGINT',
		stopLimitMs: STOP_LIMIT_MS,
		cleanup,
	});
	const query = async (database: string, sql: string): Promise<string[]> => {
		const args = [
			...connection,
			'--no-psqlrc',
			'--tuples-only',
			'--no-align',
			'--dbname',
			database,
		];
		const { stdout } = await run(join(postgres, 'psql'), [...args, '--command', sql], {
			env: { ...env, PGPASSWORD: PASSWORD },
			timeout: QUERY_LIMIT_MS,
			maxBuffer: Infinity,
		});
		return stdout.split('\n').filter((line) => line !== '');
	};
	await query('postgres', `CREATE DATABASE ${DATABASE}`);
	return {
		...server,
		/** the settings of n8n for it */
		settings: {
			DB_POSTGRESDB_HOST: LOOPBACK,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_PASSWORD: PASSWORD,
		},
		/** Runs a query for one column, whose values must not contain line breaks. */
		query: async (sql: string) => await query(DATABASE, sql),
	};
}

/** The data of an execution in n8n's queue (n8n 2.41). */
const job = z.object({ executionId: z.string() });
/** One script, because the list changes all the time. */
const ACTIVE_JOBS = `
	local jobs = {}
	for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
		table.insert(jobs, redis.call('HGET', 'bull:jobs:' .. id, 'data'))
	end
	return jobs`;

/** A running Redis with n8n's queue. */
export type Redis = Awaited<ReturnType<typeof startRedis>>;

/** Starts an empty Redis. @param folder for its data; must not exist */
export async function startRedis({ redis }: Programs, folder: string, cleanup: Cleanup) {
	await mkdir(folder);
	const port = await freePort();
	const settings = {
		...settingsOf('Redis', { requirepass: PASSWORD }),
		port: String(port),
		bind: LOOPBACK,
		dir: folder,
	};
	const logFile = `${folder}.log`;
	const server = await startServer({
		name: 'Redis',
		command: redis,
		args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
		folder,
		env,
		logFile,
		isReady: async () => (await readFile(logFile, 'utf8')).includes('Ready to accept connections'),
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		cleanup,
	});
	/** Runs a command. @returns the lines of the reply */
	const redisCli = async (...command: string[]): Promise<string[]> => {
		const args = ['-h', LOOPBACK, '-p', String(port), ...command];
		const { stdout } = await run(join(dirname(redis), 'redis-cli'), args, {
			env: { ...env, REDISCLI_AUTH: PASSWORD },
			timeout: QUERY_LIMIT_MS,
		});
		return stdout.split('\n').filter((line) => line !== '');
	};
	return {
		...server,
		/** the settings of n8n for it */
		settings: {
			QUEUE_BULL_REDIS_HOST: LOOPBACK,
			QUEUE_BULL_REDIS_PORT: String(port),
			QUEUE_BULL_REDIS_PASSWORD: PASSWORD,
		},
		/** How many executions wait for a worker. */
		waiting: async () => Number((await redisCli('LLEN', 'bull:jobs:wait'))[0]),
		/** The executions that workers have taken from the queue and not finished. */
		active: async () => {
			const jobs = await redisCli('EVAL', ACTIVE_JOBS, '1', 'bull:jobs:active');
			return jobs.map((data) => job.parse(JSON.parse(data)).executionId);
		},
	};
}
