import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { itemsOf } from '../../host/api/execution.mts';
import type { Checks } from '../support/checks.mts';
import { root } from '../support/package.mts';
import { action, start, START, workflow } from '../support/workflows.mts';
import { createTriggerWorkflow, completeCall, waitForExecution } from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import { withCredentials, type E2eServers } from './testEnvironment.mts';

const NAME = 'a workflow made with the previous release runs after an upgrade';
const NODE = 'Calls';

/** Upgrades the package in n8n from the previous release to this one. */
export async function upgrade({ check, skip }: Checks, servers: E2eServers): Promise<void> {
	const { catalogue, editor, tarball } = servers;
	const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
	const previous = releaseBefore(tarball.version, changelog);
	if (previous === undefined) {
		skip(NAME, 'CHANGELOG.md names no release before this one', 'allowed');
		return;
	}

	await check(NAME, async () => {
		await catalogue.install(tarball.name, previous);
		const environment = await withCredentials(servers);
		const { alice, carol } = environment;
		const calls = await editor.createWorkflow(
			workflow(
				'Calls of the previous release',
				[start(), action(NODE, { resource: 'call', operation: 'getAll' }, alice)],
				[[START, NODE]],
			),
		);
		const live = await createTriggerWorkflow(environment, 'Published', ASSISTANTS.upgrade, carol);
		await editor.publish(live);

		await catalogue.update(tarball.name, tarball.version);
		const installed = await catalogue.installed();
		assert.deepEqual(
			installed.map(({ installedVersion }) => installedVersion),
			[tarball.version],
		);
		const execution = await editor.run(calls.id, START);
		assert.equal(execution.status, 'success', execution.error);
		assert.equal(itemsOf(execution, NODE).length, 1);
		const callId = await completeCall(environment, ASSISTANTS.upgrade);
		assert.equal((await waitForExecution(environment, live, callId)).execution.status, 'success');
		await editor.unpublish(live);
		await catalogue.uninstall(tarball.name);
	});
}

/** The newest version in the changelog's headings that is older than this one. */
function releaseBefore(version: string, changelog: string): string | undefined {
	const byNumber = new Intl.Collator('en', { numeric: true });
	return [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)/gm)]
		.map(([, release = '']) => release)
		.filter((release) => byNumber.compare(release, version) < 0)
		.sort((a, b) => byNumber.compare(b, a))[0];
}
