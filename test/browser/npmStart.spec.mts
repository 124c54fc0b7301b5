import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import * as z from 'zod';

import { openCatalogue } from '../../host/api/catalogue.mts';
import { openEditor, type Editor } from '../../host/api/editor.mts';
import { ADD_LEAD, NEVER_MISS, THANK_BY_SMS } from '../../host/n8n/examples.mts';
import { ACTION, CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { freePort } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { root } from '../support/package.mts';
import { openEditorPage, type EditorPage } from './editor/editorPage.mts';
import { test } from './editorTest.mts';

/** Imports and sets up all examples; much more than a machine needs that does nothing else. */
const READY_LIMIT_MS = 400_000;
const STOP_LIMIT_MS = 60_000;
const STEP_LIMIT_MS = 120_000;

/** Somebody who has never seen this runs `npm start` and follows what it prints, twice. */
test('npm start: a call starts a workflow after the first click, and again after a restart on other ports', async ({
	page,
	cleanup,
}) => {
	page.setDefaultTimeout(STEP_LIMIT_MS);
	const folder = await temporaryFolder('npm-start', cleanup);

	/** Does what `npm start` does after its build, and signs in at the address that it printed. */
	const start = async (logFile: string) => {
		const printed = async () => await readFile(logFile, 'utf8');
		const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
		const { stop } = await startServer({
			name: 'npm start',
			command: process.execPath,
			// The data folder stays, and the ports change each time, as they do when a port is taken.
			args: [join(root, 'scripts/start.mts'), ...ports, '--data', join(folder, 'data')],
			folder: root,
			env: process.env,
			logFile,
			isReady: async () => (await printed()).includes('Ctrl-C stops everything'),
			startLimitMs: READY_LIMIT_MS,
			stopLimitMs: STOP_LIMIT_MS,
			cleanup,
		});
		const ready = performance.now();
		const text = await printed();
		expect(text, 'something did not work').not.toMatch(/^ +! /m);
		const [address = '', inspector = ''] = text.match(/http:\S+/g) ?? [];
		const { origin } = new URL(address);
		const ui = openEditorPage(page, origin);
		// For a browser, another port is another site.
		await ui.signIn(OWNER, address);
		await page.waitForURL(address);
		await page.getByTestId('canvas-node').first().waitFor();
		const api = openEditor(origin);
		expect(await api.signIn(OWNER)).toBe(true);
		return { text, inspector, ready, ui, api, stop };
	};

	const first = await start(join(folder, 'first.log'));
	expect(first.text).toMatch(/Open this page, sign in, and click Execute workflow/);
	await callSomebody(first, 1);
	await showsNames(first.api);
	await first.ui.addToNewWorkflow('Create lead');
	await expect(first.ui.credential.chosen).toHaveValue('Sandbox');
	const { id } = await storedExample(first.api, NEVER_MISS);
	await first.api.rest.call(z.unknown(), 'POST', `/workflows/${id}/archive`, {});
	const archived = await storedExample(first.api, NEVER_MISS);
	expect(archived.isArchived).toBe(true);
	await first.stop();

	const second = await start(join(folder, 'second.log'));
	expect(second.text).toMatch(/Ready again, with the workflows and calls of last time/);
	const link = `a[href="${second.inspector}"]`;
	await page.locator(link).first().waitFor();
	const example = await second.ui.workflow.openLink(THANK_BY_SMS);
	await example.locator(link).first().waitFor();
	await example.close();
	await callSomebody(second, 2);
	expect(await storedExample(second.api, NEVER_MISS)).toEqual(archived);
	await second.stop();
});

interface Started {
	ui: EditorPage;
	inspector: string;
	/** when `npm start` said so */
	ready: number;
}

/** Clicks *Execute workflow*, and waits until the other workflow has run so many times. */
async function callSomebody({ ui, inspector, ready }: Started, times: number): Promise<void> {
	const click = performance.now();
	await ui.workflow.execute();
	const executions = await ui.workflow.openLink('all executions');
	const succeeded = executions.locator('tr', { hasText: THANK_BY_SMS }).getByText('Success');
	// The first of them is the set-up of the workflow.
	await succeeded.nth(times).waitFor();
	const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);
	console.log(
		`       a call started a workflow: ${seconds(ready)} s after ready, ${seconds(click)} s after the click`,
	);
	expect(await succeeded.count(), 'one click calls one person').toBe(times + 1);
	await executions.goto(`${inspector}#/sms`);
	const sms = executions.locator('td', { hasText: /^Thank you for the call, Anna Schmidt!/ });
	await sms.nth(times - 1).waitFor();
	expect(await sms.count()).toBe(times);
	await executions.close();
}

/** A record of an example has its name, and the list of campaigns has all names. */
async function showsNames(api: Editor): Promise<void> {
	const { nodes } = await storedExample(api, ADD_LEAD);
	expect(JSON.stringify(nodes)).toContain('"cachedResultName":"Spring appointments (ID 1)"');
	const [used] = nodes.flatMap(({ credentials }) => credentials?.[CREDENTIAL_TYPE] ?? []);
	const { id, name } = z.object({ id: z.string(), name: z.string() }).parse(used);
	const listed = await openCatalogue(api.rest).search({
		...{ node: ACTION, parameter: 'campaignId', method: 'searchCampaigns' },
		credential: { id, name, type: CREDENTIAL_TYPE },
	});
	expect(listed).toContainEqual({ name: 'Call me now (ID 2)', value: '2' });
}

/** What n8n has of an example. */
async function storedExample(api: Editor, wanted: string) {
	const [stored, ...others] = (await api.workflows()).filter(({ name }) => name === wanted);
	if (!stored || others.length > 0) throw new Error(`n8n has not one workflow "${wanted}".`);
	return { ...stored, ...(await api.workflow(stored.id)) };
}
