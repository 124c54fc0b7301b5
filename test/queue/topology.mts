import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openEditor } from '../../host/api/editor.mts';
import { installPackage } from '../../host/n8n/installPackage.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { startN8n, type N8n } from '../../host/n8n/startN8n.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { setupStep } from '../../host/process/setupStep.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import type { Checks } from '../support/checks.mts';
import { findPrograms, startPostgres, startRedis } from './servers.mts';
import { getCommand, PASSWORD, readSettings } from './settings.mts';

/** n8n's default. */
const SHUTDOWN_LIMIT_S = 30;

/** The kinds of processes, as docs/scaling.md calls them. */
type Kind = 'Main' | 'Webhook process' | 'Worker';

/** A process of n8n. */
export interface QueueProcess extends N8n {
	/** the executions that it has started */
	started: () => Promise<string[]>;
}

/** Starts PostgreSQL, Redis, one main, one webhook process and two workers. */
export async function startTopology({ cleanup, onFailure }: Checks) {
	const programs = await findPrograms();
	const temporary = await temporaryFolder('queue', cleanup);
	// PostgreSQL may run as another user.
	await chmod(temporary, 0o711);
	const postgres = await startPostgres(programs, join(temporary, 'postgres'), cleanup);
	const redis = await startRedis(programs, join(temporary, 'redis'), cleanup);
	const ports = { main: await freePort(), webhook: await freePort() };
	// Without the gateway: what the service sends goes to the webhook process anyway.
	const webhookUrl = `http://${LOOPBACK}:${ports.webhook}`;

	const sharedSettings = readSettings('Every process', {
		'<a long random text>': randomBytes(24).toString('hex'),
		'<where PostgreSQL is>': LOOPBACK,
		'<5432>': String(postgres),
		'<where Redis is>': LOOPBACK,
		'<6379>': String(redis),
		'<its password>': PASSWORD,
		'<https://n8n.example.com/>': `${webhookUrl}/`,
	});
	const launch = async (kind: Kind, folder: string): Promise<QueueProcess> => {
		const [program, command, ...args] = getCommand(kind);
		assert.ok(program === 'n8n');
		assert.ok(command === 'start' || command === 'webhook' || command === 'worker');
		const n8n = await startN8n({
			host: 'current',
			userFolder: join(temporary, folder),
			port: { start: ports.main, webhook: ports.webhook, worker: undefined }[command],
			command,
			args,
			env: { ...sharedSettings, ...readSettings(kind) },
			shutdownLimitS: SHUTDOWN_LIMIT_S,
			cleanup,
		});
		onFailure(`The end of the log of ${folder}`, n8n.logTail);
		/** The ids of executions in its log (n8n 2.41). */
		const started = async (): Promise<string[]> => {
			const log = await readFile(n8n.logFile, 'utf8');
			return [...log.matchAll(/Worker started execution (\d+) \(job/g)].map(([, id = '']) => id);
		};
		return { ...n8n, started };
	};
	let count = 0;
	const start = async (kind: Kind): Promise<QueueProcess> => {
		count += 1;
		const folder = `${count}-${kind.toLowerCase().replaceAll(' ', '-')}`;
		await installPackage(join(temporary, folder));
		return await launch(kind, folder);
	};

	// Main first, because it creates the tables.
	const main = await start('Main');
	let runningMain = main;
	const editor = openEditor(main.url);
	const isSignedIn = await setupStep('sign in to n8n', async () => await editor.signIn(OWNER));
	assert.ok(isSignedIn, 'n8n has another owner.');
	const [, ...workers] = await Promise.all([
		start('Webhook process'),
		start('Worker'),
		start('Worker'),
	]);
	return {
		editor,
		main,
		workers,
		/** where the service sends its webhooks: the webhook process */
		webhookUrl,
		/** Kills all workers, as a power cut does. */
		killWorkers: async (): Promise<void> => {
			await Promise.all(workers.splice(0).map(async (worker) => await worker.kill()));
		},
		/** Starts another worker with a user folder of its own, as on another machine. */
		addWorker: async (): Promise<void> => {
			workers.push(await start('Worker'));
		},
		/** n8n polls when it starts. */
		restartMain: async (): Promise<void> => {
			await runningMain.stop();
			runningMain = await launch('Main', '1-main');
		},
	};
}
