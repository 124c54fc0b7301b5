import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { getItems, type Item } from '../../host/api/execution.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { FaultRule } from '../../sandbox/client.mts';
import { ALICE, runningCampaign } from '../../sandbox/test/support/seed.mts';
import { startService, type SandboxOptions } from '../../sandbox/test/support/service.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { CALL, pollTrigger, workflow } from '../support/workflows.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** Polls that survive a restart, as a user switches them on. n8n gives up a poll after 45 seconds. */
const SETTINGS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_SCHEDULER_POLL_TIMEOUT: '45',
	// Its log says why a poll failed only in this form.
	N8N_LOG_FORMAT: 'json',
};

/** Some ticks of a minute. */
const TICKS_MS = 300_000;
const CHECK_MS = 600_000;

const A_CALL = 'PT3M';
/** More than calls of the sandbox and *Wait After the End* take. */
const RESULT_TIME = 'PT20M';

const wireTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Calls of the last hour, for 25 pages of 10. */
const formerCalls = () =>
	Array.from({ length: 2_480 }, (_, index) => ({
		id: index + 1,
		assistant_id: 1,
		type: 'outbound',
		status: 'completed',
		client_phone_number: '+4915112345690',
		created_at: wireTime(Date.now() - 3_600_000 + index * 1_000),
	}));

/** What differs at a service, or at the trigger. */
interface Subject extends Pick<SandboxOptions, 'assume'> {
	/** that have ended before */
	calls?: object[];
	/** of the trigger */
	options?: object;
}

/** A workflow that polls a service of its own. */
async function startPolling(
	{ cleanup }: E2eEnvironment,
	{ editor }: TestN8n,
	name: string,
	{ assume = {}, calls = [], options = {} }: Subject = {},
) {
	const clock = { mode: 'manual', now: new Date().toISOString() } as const;
	const [user] = runningCampaign([]).users;
	const seed = { users: [{ ...user, campaigns: [], calls }] };
	const { url, control } = await cleanup.use(startService({ seed, clock, assume }));
	const credential = await saveCredential(editor, name, { url, token: ALICE });
	const only = pollTrigger(1, credential);
	const node = { ...only, parameters: { ...only.parameters, options } };
	const { id } = await editor.createWorkflow(workflow(name, [node]));
	const finished: number[] = [];
	const items = async (): Promise<Item[]> =>
		(await editor.executions(id)).flatMap((execution) => {
			assert.equal(execution.status, 'success', `${name}: ${execution.error}`);
			return getItems(execution, CALL);
		});
	const pageCount = async () =>
		(await control.requests()).filter(({ operation }) => operation === 'listCalls').length;
	return {
		id,
		control,
		publish: async () => await editor.publish(id),
		fault: async (rule: FaultRule) =>
			await control.fault({ operation: 'listCalls', times: 100_000, ...rule }),
		/** A call begins and ends. */
		finishCall: async () => {
			const call = await control.outbound({ assistant_id: 1, to: '+4915112345690' });
			await control.advance(A_CALL);
			finished.push(call.id);
		},
		/** Waits until n8n has asked for a page. */
		untilAsked: async () => {
			const before = await pageCount();
			await waitFor(`a tick of ${name}`, TICKS_MS, async () =>
				(await pageCount()) > before ? true : undefined,
			);
		},
		/** Waits until all calls that have finished were handed out. @returns them */
		untilHandedOut: async () =>
			await waitFor(`the calls of ${name}`, TICKS_MS, async () => {
				const all = await items();
				return all.length >= finished.length ? all : undefined;
			}),
		/** @throws AssertionError when a call was handed out twice, or one that had finished before */
		checkEachOnce: async () => {
			const ids = (await items()).map((item) => Number(item.id));
			assert.deepEqual(
				ids.sort((a, b) => a - b),
				finished,
				name,
			);
		},
	};
}

/**
 * Poll triggers with the settings of n8n 2.41 that keep polls in its database: each tick has a context of its
 * own, and a limit of time. n8n 2.0 has no such settings.
 */
export async function durableScheduler(environment: E2eEnvironment): Promise<void> {
	const { check, require, host } = environment;
	if (host === 'oldest') return;
	const n8n = await require('an n8n starts that keeps its polls', async () => {
		return await startTestN8n(environment, { env: SETTINGS });
	});
	const start = async (name: string, subject?: Subject) =>
		await startPolling(environment, n8n, name, subject);
	const usual = await start('Usual');
	const slow = await start('Pages of 3 s', {
		assume: { 'read-time': { from: 'PT3S', to: 'PT3S' } },
	});
	const slower = await start('Pages of 10 s');
	const late = await start('Late results', {
		assume: { 'call-result-time': { from: RESULT_TIME, to: RESULT_TIME } },
		options: { waitAfterEnd: 60 },
	});
	const long = await start('25 pages of 2 s', {
		assume: { 'call-order': 'oldest-first' },
		calls: formerCalls(),
	});
	const all = [usual, slow, slower, late, long];
	const maintenance = await start('Maintenance');
	const wrongToken = await start('Wrong token');
	const signInPage = await start('Sign-in page');
	const refused = [maintenance, wrongToken, signInPage];
	const readLog = async () => await readFile(join(n8n.userFolder, 'n8n.log'), 'utf8');
	/** n8n begins a new one with each start. */
	const logs: string[] = [];
	const keepLog = async () => logs.push(await readLog());

	await require('triggers are published whose service needs 3 seconds for a page', async () => {
		await Promise.all([...all, ...refused].map(async (each) => await each.publish()));
	}, CHECK_MS);
	await slower.fault({ delay_ms: 10_000 });
	await long.fault({ delay_ms: 2_000 });
	await maintenance.fault({ status: 503, headers: { 'retry-after': '120' } });
	await wrongToken.fault({ status: 401, body: { message: 'Unauthenticated.' } });
	await signInPage.fault({ status: 401, body: '<h1>Sign in</h1>', content_type: 'text/html' });

	await check(
		'a call that ends between the publish and the first tick is handed out',
		async () => {
			await long.finishCall();
			await Promise.all(
				[usual, slow, slower].map(async (each) => {
					await each.finishCall();
					await each.untilHandedOut();
				}),
			);
			// n8n stores nothing of a trigger before its first tick has ended (docs/scaling.md).
			await waitFor('a part of the long list', TICKS_MS, async () =>
				(await readLog()).includes('the next poll reads the rest') ? true : undefined,
			);
		},
		CHECK_MS,
	);

	await check('n8n hears why a poll failed, and rests as long as the service asks', async () => {
		const firstFailure = async ({ id }: { id: string }) =>
			await waitFor('a failure', TICKS_MS, async () => {
				const failure = failuresIn(await readLog()).find(({ workflowId }) => workflowId === id);
				return failure && { cause: failure.cause, delayMs: failure.delayMs };
			});
		assert.deepEqual(await firstFailure(maintenance), {
			cause: 'temporarily-unavailable',
			delayMs: 120_000,
		});
		assert.deepEqual(await firstFailure(wrongToken), {
			cause: 'credential-invalid',
			delayMs: 1_800_000,
		});
		// A page may be from something in front of the service, so n8n tries again soon.
		assert.deepEqual(await firstFailure(signInPage), { cause: undefined, delayMs: 5_000 });
	});

	for (const [how, stop] of [
		['a restart', async () => await n8n.n8n().stop()],
		['a kill', async () => await n8n.n8n().kill()],
	] as const) {
		await check(
			`the calls before, while and after ${how} of n8n are handed out, with what comes later`,
			async () => {
				await late.finishCall();
				await late.untilAsked();
				await usual.finishCall();
				await keepLog();
				await stop();
				await late.control.advance(RESULT_TIME);
				await usual.finishCall();
				await n8n.restart();
				await usual.finishCall();
				await usual.untilHandedOut();
				for (const { transcript } of await late.untilHandedOut()) assert.ok(transcript);
			},
			CHECK_MS,
		);
	}

	await check(
		'a list that takes longer than a tick is read to its end, also after restarts',
		async () => {
			await long.finishCall();
			await long.untilHandedOut();
		},
		CHECK_MS,
	);

	await check('each call was handed out once, and n8n gave up no poll', async () => {
		await keepLog();
		for (const each of all) await each.checkEachOnce();
		assert.doesNotMatch(logs.join(''), /was abandoned|until the workflow is published again/);
	});
}

interface Failure {
	workflowId?: string;
	cause?: string;
	delayMs?: number;
}

/** What n8n's log says of polls that failed. */
const failuresIn = (log: string): Failure[] =>
	log
		.split('\n')
		.filter((line) => line.includes('Poll failed; backing off'))
		.map((line) => JSON.parse(line) as { metadata: Failure })
		.map(({ metadata }) => metadata);
