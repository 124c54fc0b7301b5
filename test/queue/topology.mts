import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openEditor } from '../../host/api/editor.mts';
import { installPackage } from '../../host/n8n/installPackage.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { startN8n, type N8n } from '../../host/n8n/startN8n.mts';
import { freePort } from '../../host/process/ports.mts';
import { setupStep } from '../../host/process/setupStep.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import type { Checks } from '../support/checks.mts';
import { startPostgres, startRedis } from './databases.mts';
import { startHaProxy } from './haProxy.mts';
import type { Programs } from './programs.mts';
import { commandOf, settingsOf } from './settings.mts';

/** n8n's default. */
const SHUTDOWN_LIMIT_S = 30;

/** The kinds of processes, as docs/scaling.md calls them. */
type Kind = 'Main' | 'Webhook process' | 'Worker';

/** A process of n8n, and the executions in its log. */
export interface QueueProcess extends N8n {
	started: () => Promise<string[]>;
	/** with or without success */
	finished: () => Promise<string[]>;
	/** started, but not finished */
	running: () => Promise<string[]>;
}

/** n8n in queue mode. */
export type Topology = Awaited<ReturnType<typeof startTopology>>;

/** Starts PostgreSQL, Redis, HAProxy, one main, one webhook process and two workers. */
export async function startTopology(checks: Checks, programs: Programs) {
	const { cleanup } = checks;
	const temporary = await temporaryFolder('queue', cleanup);
	// PostgreSQL may run as another user.
	await chmod(temporary, 0o711);

	const [postgres, redis] = await Promise.all([
		startPostgres(programs, join(temporary, 'postgres'), cleanup),
		startRedis(programs, join(temporary, 'redis'), cleanup),
	]);
	const ports = { main: await freePort(), webhook: await freePort() };
	const webhookUrl = await startHaProxy(programs, temporary, ports, cleanup);

	const sharedSettings = settingsOf('Every process', {
		...postgres.settings,
		...redis.settings,
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		WEBHOOK_URL: `${webhookUrl}/`,
	});
	const launch = async (kind: Kind, folder: string): Promise<QueueProcess> => {
		const [program, command, ...args] = commandOf(kind);
		assert.ok(program === 'n8n');
		assert.ok(command === 'start' || command === 'webhook' || command === 'worker');
		const port = { start: ports.main, webhook: ports.webhook, worker: undefined }[command];
		const n8n = await startN8n({
			host: 'current',
			userFolder: join(temporary, folder),
			port,
			command,
			args,
			env: { ...sharedSettings, ...settingsOf(kind) },
			shutdownLimitS: SHUTDOWN_LIMIT_S,
			cleanup,
		});
		checks.onFailure(`The end of the log of ${folder}`, n8n.logTail);
		const logged = async (event: string) => await executionsIn(n8n.logFile, event);
		const started = async () => await logged('Worker started execution');
		const finished = async () =>
			await logged('Worker (?:finished|errored while running) execution');
		return {
			...n8n,
			started,
			finished,
			running: async () => {
				const done = new Set(await finished());
				return (await started()).filter((id) => !done.has(id));
			},
		};
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
	const editor = openEditor(webhookUrl);
	const isSignedIn = await setupStep('sign in to n8n', async () => await editor.signIn(OWNER));
	assert.ok(isSignedIn, 'n8n has another owner.');
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
		/** the URL of HAProxy, where the service sends its webhooks */
		webhookUrl,
		/** Starts another process with a user folder of its own, as on another machine. */
		add: start,
		restartMain: async (): Promise<void> => {
			await runningMain.stop();
			runningMain = await launch('Main', '1-main');
		},
	};
}

/** The executions of several workers together. */
export async function executionsOn(
	workers: QueueProcess[],
	state: 'started' | 'running',
): Promise<string[]> {
	return (await Promise.all(workers.map(async (worker) => await worker[state]()))).flat();
}

/** The ids of the executions in n8n's log with this event (n8n 2.41). */
async function executionsIn(logFile: string, event: string): Promise<string[]> {
	const lines = (await readFile(logFile, 'utf8')).matchAll(
		new RegExp(`${event} (\\d+) \\(job`, 'g'),
	);
	return [...lines].map(([, id = '']) => id);
}
