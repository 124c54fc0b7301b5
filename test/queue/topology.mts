import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openEditor, type Editor } from '../../host/api/editor.mts';
import { hostFolder } from '../../host/n8n/installN8n.mts';
import { startN8n, type N8n } from '../../host/n8n/startN8n.mts';
import { freePort } from '../../host/process/ports.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { placePackage } from '../../host/n8n/installPackage.mts';
import type { Checks } from '../support/checks.mts';
import { startPostgres, startRedis, type Postgres, type Redis } from './databases.mts';
import { startGateway } from './gateway.mts';
import type { Programs } from './programs.mts';
import { commandOf, settingsOf } from './settings.mts';

/** n8n's own default, which the page leaves as it is. */
const SHUTDOWN_LIMIT_S = 30;

/** The kinds of processes, as docs/scaling.md calls them. */
type Kind = 'Main' | 'Webhook process' | 'Worker';

/** An n8n process that knows, by its log, what it has done. */
export interface Process extends N8n {
	/** the executions that it has begun to run */
	began: () => Promise<string[]>;
	/** the executions that it has run to their end, a good one or not */
	ended: () => Promise<string[]>;
	/** the executions that it is running */
	running: () => Promise<string[]>;
}

/** n8n as people run it when one machine is not enough. */
export interface Topology {
	editor: Editor;
	postgres: Postgres;
	redis: Redis;
	main: Process;
	webhook: Process;
	workers: [Process, Process];
	/** the gateway: where the service sends its webhooks */
	webhookUrl: string;
	/** Starts another process, on a machine of its own as it were: with an empty user folder. */
	add: (kind: Exclude<Kind, 'Main'>) => Promise<Process>;
	/** Ends main and starts it again. */
	restartMain: () => Promise<void>;
}

/** Starts PostgreSQL, Redis, one main, one webhook process with its gateway, and two workers. */
export async function startTopology(checks: Checks, programs: Programs): Promise<Topology> {
	const { lifetime } = checks;
	const temporary = await mkdtemp(join(tmpdir(), 'queue-'));
	await lifetime.atEnd(async () => await rm(temporary, { recursive: true, force: true }));
	// PostgreSQL may have to run as another user, who has to get through.
	await chmod(temporary, 0o711);

	const [postgres, redis] = await Promise.all([
		startPostgres(programs, join(temporary, 'postgres'), lifetime),
		startRedis(programs, join(temporary, 'redis'), lifetime),
	]);
	const ports = { main: await freePort(), webhook: await freePort() };
	const gateway = await startGateway(programs, temporary, ports, lifetime);

	const everywhere = settingsOf('Every process', {
		...postgres.settings,
		...redis.settings,
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		WEBHOOK_URL: `${gateway.url}/`,
	});
	const launch = async (kind: Kind, folder: string): Promise<Process> => {
		const [program, command, ...args] = commandOf(kind);
		assert.ok(program === 'n8n');
		assert.ok(command === 'start' || command === 'webhook' || command === 'worker');
		const fixed = { start: ports.main, webhook: ports.webhook, worker: undefined }[command];
		const n8n = await startN8n({
			folder: hostFolder('current'),
			userFolder: join(temporary, folder),
			port: fixed ?? (await freePort()),
			command,
			args,
			env: { ...everywhere, ...settingsOf(kind) },
			shutdownLimitS: SHUTDOWN_LIMIT_S,
			lifetime,
		});
		checks.onFailure(`The end of the log of ${folder}`, n8n.logTail);
		const logged = async (beginning: string) => await executionsIn(n8n.logFile, beginning);
		const began = async () => await logged('Worker started execution');
		const ended = async () => await logged('Worker (?:finished|errored while running) execution');
		return {
			...n8n,
			began,
			ended,
			running: async () => {
				const over = new Set(await ended());
				return (await began()).filter((id) => !over.has(id));
			},
		};
	};
	let machines = 0;
	const start = async (kind: Kind): Promise<Process> => {
		machines += 1;
		const folder = `${machines}-${kind.toLowerCase().replaceAll(' ', '-')}`;
		await placePackage(join(temporary, folder));
		return await launch(kind, folder);
	};

	// The first one makes the tables.
	const main = await start('Main');
	const editor = openEditor(gateway.url);
	await editor.signIn(OWNER);
	const [webhook, ...workers] = await Promise.all([
		start('Webhook process'),
		start('Worker'),
		start('Worker'),
	]);
	return {
		editor,
		postgres,
		redis,
		main,
		webhook,
		workers,
		webhookUrl: gateway.url,
		add: start,
		restartMain: async () => {
			await main.stop();
			await launch('Main', '1-main');
		},
	};
}

/** The ids in the lines of n8n's log that begin like this (n8n 2.41). */
async function executionsIn(logFile: string, beginning: string): Promise<string[]> {
	const lines = (await readFile(logFile, 'utf8')).matchAll(
		new RegExp(`${beginning} (\\d+) \\(job`, 'g'),
	);
	return [...lines].map(([, id = '']) => id);
}
