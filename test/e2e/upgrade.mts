import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { getItems } from '../../host/api/execution.mts';
import { action, pollTrigger, start, START, trigger, workflow } from '../support/workflows.mts';
import { completeCall, readWebhookUrls, untilNextPoll, waitForExecution } from './calls.mts';
import { newestRelease, packAs } from './releases.mts';
import { ASSISTANTS, CAROL } from './seed.mts';
import { readStoredWorkflow, tokenIn } from './staticData.mts';
import { startOwnService, withCredentials, type E2eServers } from './testEnvironment.mts';

const NAME = 'a workflow made with the newest release runs after an upgrade';
const NODE = 'Calls';
const ELSEWHERE = 'https://crm.example.com/hooks/upgrade';

/** Upgrades the package in n8n from the newest release to this version. */
export async function upgrade(servers: E2eServers): Promise<void> {
	const { check, catalogue, editor, offerTarballs, tarball } = servers;

	await check(NAME, async () => {
		const release = await newestRelease(tarball.name);
		// Until a release is out, package.json has its version.
		const isNew = tarball.version !== release.version;
		const next = isNew
			? tarball.version
			: release.version.replace(/\d+$/, (patch) => `${+patch + 1}`);
		const folder = join(dirname(tarball.file), 'upgrade');
		await mkdir(folder);
		await copyFile(release.file, join(folder, basename(release.file)));
		if (isNew) await copyFile(tarball.file, join(folder, basename(tarball.file)));
		else await packAs(tarball, next, folder);

		await offerTarballs(folder);
		try {
			await catalogue.install(tarball.name, release.version);
			const environment = await withCredentials(servers);
			const { alice, carol } = environment;
			const calls = await editor.createWorkflow(
				workflow(
					'Calls of the release',
					[start(), action(NODE, { resource: 'call', operation: 'getAll' }, alice)],
					[[START, NODE]],
				),
			);
			const { status } = await environment.service
				.as(CAROL)
				.put(`/user/assistant/${ASSISTANTS.upgrade}`, {
					is_webhook_active: true,
					webhook_url: ELSEWHERE,
				});
			assert.equal(status, 200);
			const options = { replaceExisting: true };
			const only = trigger('callCompleted', ASSISTANTS.upgrade, carol, { options });
			const { id: live } = await editor.createWorkflow(workflow('Published', [only]));
			await editor.publish(live);
			const polled = await startOwnService(servers, 'upgrade');
			const { id: polling } = await editor.createWorkflow(
				workflow('Polling', [pollTrigger(ASSISTANTS.poll, polled.carolRef)]),
			);
			const nextStart = async () => {
				await untilNextPoll(polled, async () => await servers.restart());
			};
			// A poll trigger does not start for calls before its first poll.
			await completeCall({ service: polled }, ASSISTANTS.poll);
			await untilNextPoll(polled, async () => await editor.publish(polling));
			const ofRelease = await completeCall({ service: polled }, ASSISTANTS.poll);
			await nextStart();
			await waitForExecution(environment, polling, ofRelease);

			await catalogue.update(tarball.name, next);
			const installed = await catalogue.installed();
			assert.deepEqual(
				installed.map(({ installedVersion }) => installedVersion),
				[next],
			);
			const execution = await editor.run(calls.id, START);
			assert.equal(execution.status, 'success', execution.error);
			const items = getItems(execution, NODE);
			assert.deepEqual(
				items.map(({ transcript }) => typeof transcript),
				['string'],
			);
			const callId = await completeCall(environment, ASSISTANTS.upgrade);
			const delivered = await waitForExecution(environment, live, callId);
			assert.equal(delivered.execution.status, 'success');
			assert.equal(typeof delivered.item.transcript, 'string');
			const polledCall = await completeCall({ service: polled }, ASSISTANTS.poll);
			await nextStart();
			const { execution: ofPoll, item } = await waitForExecution(environment, polling, polledCall);
			assert.deepEqual([ofPoll.status, ofPoll.mode], ['success', 'trigger']);
			assert.equal(typeof item.transcript, 'string');
			assert.equal((await editor.executionStates(polling)).size, 2);
			await editor.unpublish(polling);

			await editor.republish(live);
			const urls = await readWebhookUrls(environment, ASSISTANTS.upgrade);
			const seen = await readStoredWorkflow(environment, live);
			assert.match(seen, /sealed\\*"/);
			assert.doesNotMatch(seen, /crm\.example/);
			assert.ok(!seen.includes(tokenIn(urls.callCompleted ?? '')));
			await editor.unpublish(live);
			const after = await readWebhookUrls(environment, ASSISTANTS.upgrade);
			assert.equal(after.callCompleted, ELSEWHERE);
			await catalogue.uninstall(tarball.name);
		} finally {
			await offerTarballs(dirname(tarball.file));
		}
	});
}
