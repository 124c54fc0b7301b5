import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as z from 'zod';

import { openEditor, type Editor } from '../../host/api/editor.mts';
import { NEVER_MISS, THANK_BY_SMS } from '../../host/n8n/examples.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { freePort } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import type { Checks } from '../support/checks.mts';
import { root } from '../support/package.mts';
import { startChromium } from './chromium.mts';
import { EditorPage } from './editor/editorPage.mts';

/** Imports and sets up all examples; much more than a machine needs that does nothing else. */
const READY_LIMIT_MS = 400_000;
const STOP_LIMIT_MS = 60_000;
const STEP_LIMIT_MS = 120_000;

/** What `npm start` has printed, and when. */
interface Started {
	text: string;
	address: string;
	inspector: string;
	ready: number;
}

/** Somebody who has never seen this runs `npm start` and follows what it prints, twice. */
export async function npmStart(
	{ cleanup, check }: Pick<Checks, 'cleanup' | 'check'>,
	chromium: string,
): Promise<void> {
	const folder = await temporaryFolder('npm-start', cleanup);
	/** The data folder stays, and the ports change each time, as they do when a port is taken. */
	const options = async () => [
		...['--port', String(await freePort())],
		...['--sandbox-port', String(await freePort())],
		...['--data', join(folder, 'data')],
	];
	const context = await cleanup.use(startChromium(chromium, join(folder, 'profile')));
	context.setDefaultTimeout(STEP_LIMIT_MS);
	const page = context.pages()[0] ?? (await context.newPage());

	/** Does what `npm start` does after its build, until `work` ends. */
	const whileRunning = async (logFile: string, work: (started: Started) => Promise<void>) => {
		const printed = async () => await readFile(logFile, 'utf8');
		const server = await startServer({
			name: 'npm start',
			command: process.execPath,
			args: [join(root, 'scripts/start.mts'), ...(await options())],
			folder: root,
			env: process.env,
			logFile,
			isReady: async () => (await printed()).includes('Ctrl-C stops everything'),
			startLimitMs: READY_LIMIT_MS,
			stopLimitMs: STOP_LIMIT_MS,
			cleanup,
		});
		const text = await printed();
		const [address = '', inspector = ''] = text.match(/http:\S+/g) ?? [];
		try {
			await work({ text, address, inspector, ready: performance.now() });
		} finally {
			await server.stop();
		}
	};

	/** Clicks *Execute workflow*, and waits until the other workflow has run so many times. */
	const callSomebody = async (ready: number, inspector: string, times: number): Promise<void> => {
		const { workflow } = new EditorPage(page, new URL(page.url()).origin);
		const click = performance.now();
		await workflow.execute();
		const executions = await workflow.openLink('all executions');
		const succeeded = executions.locator('tr', { hasText: THANK_BY_SMS }).getByText('Success');
		await succeeded.nth(times - 1).waitFor();
		const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);
		console.log(
			`       a call started a workflow: ${seconds(ready)} s after ready, ${seconds(click)} s after the click`,
		);
		assert.equal(await succeeded.count(), times, 'One click calls one person.');
		await executions.goto(`${inspector}#/sms`);
		const sms = executions.locator('td', { hasText: /^Thank you for the call, Anna Schmidt!/ });
		await sms.nth(times - 1).waitFor();
		assert.equal(await sms.count(), times);
		await executions.close();
	};

	let archived: Awaited<ReturnType<typeof storedExample>> | undefined;

	await check(
		'npm start: a call starts a workflow after the first click, and the SMS is in the inspector',
		async () => {
			await whileRunning(join(folder, 'first.log'), async ({ text, address, inspector, ready }) => {
				assert.match(text, /Open this page, sign in, and click Execute workflow/);
				assert.doesNotMatch(text, /^ +! /m, 'Something did not work.');
				await new EditorPage(page, new URL(address).origin).signInOnTheWayTo(address, OWNER);
				await callSomebody(ready, inspector, 1);

				const editor = await openEditorOf(address);
				const { id } = await storedExample(editor, NEVER_MISS);
				await editor.rest.call(z.unknown(), 'POST', `/workflows/${id}/archive`, {});
				archived = await storedExample(editor, NEVER_MISS);
				assert.ok(archived.isArchived);
			});
		},
	);

	await check(
		'npm start again, on other ports: all is there, a call still starts the workflow, the notes lead to the inspector, and what was archived is left alone',
		async () => {
			await whileRunning(
				join(folder, 'second.log'),
				async ({ text, address, inspector, ready }) => {
					assert.match(text, /Ready again, with the workflows and calls of last time/);
					assert.doesNotMatch(text, /^ +! /m, 'Something did not work.');
					// For a browser, another port is another site.
					const editor = new EditorPage(page, new URL(address).origin);
					await editor.signInOnTheWayTo(address, OWNER);
					const link = `a[href="${inspector}"]`;
					await page.locator(link).first().waitFor();
					const example = await editor.workflow.openLink(THANK_BY_SMS);
					await example.locator(link).first().waitFor();
					await example.close();
					await callSomebody(ready, inspector, 2);
					assert.deepEqual(await storedExample(await openEditorOf(address), NEVER_MISS), archived);
				},
			);
		},
	);
}

/** Signs in to the n8n of an address, beside the browser. */
async function openEditorOf(address: string): Promise<Editor> {
	const editor = openEditor(new URL(address).origin);
	assert.ok(await editor.signIn(OWNER));
	return editor;
}

/** What n8n has of an example. */
async function storedExample(editor: Editor, name: string) {
	const named = (await editor.workflows()).filter((workflow) => workflow.name === name);
	const [stored] = named;
	assert.ok(stored && named.length === 1, `n8n has ${named.length} workflows "${name}".`);
	return { ...stored, ...(await editor.workflow(stored.id)) };
}
