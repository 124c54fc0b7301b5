import { test as base, type Page } from '@playwright/test';

import type { Editor } from '../../host/api/editor.mts';
import type { CredentialRef } from '../../host/api/workflow.mts';
import { installN8n } from '../../host/n8n/installN8n.mts';
import { OWNER, saveCredential } from '../../host/n8n/provision.mts';
import { startN8nWithPackage } from '../../host/n8n/startN8nWithPackage.mts';
import { Cleanup } from '../../host/process/cleanup.mts';
import { freePort } from '../../host/process/ports.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.mts';
import { createSandbox, type Sandbox } from '../../sandbox/index.mts';
import { collectConsoleErrors } from './consoleErrors.mts';
import { openEditorPage, type EditorPage } from './editor/editorPage.mts';

/** More than the limits of its steps, which name the step. */
const INSTALL_LIMIT_MS = 80 * 60_000;

/** What n8n calls the credential that a user makes in the first test. */
const CREDENTIAL_NAME = 'Voice Assistant Calling API account';

/** The day in the pictures. */
const NOW = '2026-01-12T09:00:00Z';

/** Playwright ends its workers itself, and {@link Cleanup.run} would end them before they report. */
class WorkerCleanup extends Cleanup {
	readonly #stack = new AsyncDisposableStack();

	override defer(task: () => Promise<void>): Promise<void> {
		this.#stack.defer(task);
		return Promise.resolve();
	}

	override async run(): Promise<void> {
		await this.#stack.disposeAsync();
	}
}

interface Shared {
	/** Stops and removes things at the end of all tests, also after a failure and Ctrl-C. */
	cleanup: Cleanup;
	/** The service with the default seed. */
	sandbox: Sandbox;
	/** A new n8n with the package, and its editor in a browser, where the owner is signed in. */
	n8n: {
		url: string;
		api: Editor;
		page: Page;
		logTail: () => Promise<string>;
	};
}

interface Fixtures {
	/** Whether n8n has a credential for the sandbox, as it has unless it is new. */
	hasCredential: boolean;
	/** This credential. */
	credential: CredentialRef;
	/** n8n's editor as it was opened once, and a service in which nothing has happened. */
	ui: EditorPage;
	control: SandboxClient;
	/** n8n's REST API. */
	api: Editor;
	/** What the browser may report. */
	expectedErrors: RegExp[];
}

/** A test in n8n's editor. It also fails when the browser reports errors. */
export const test = base.extend<Fixtures, Shared>({
	cleanup: [
		async ({}, use) => {
			const cleanup = new WorkerCleanup(new AbortController().signal);
			await use(cleanup);
			await cleanup.run();
		},
		{ scope: 'worker' },
	],
	sandbox: [
		async ({ cleanup }, use) => {
			const clock = { mode: 'manual', now: NOW } as const;
			await use(await cleanup.use(createSandbox({ port: 0, clock })));
		},
		{ scope: 'worker' },
	],
	n8n: [
		async ({ browser, cleanup }, use) => {
			await installN8n('current', cleanup.shutdownSignal);
			const userFolder = await temporaryFolder('n8n', cleanup);
			const options = { host: 'current', userFolder, port: await freePort(), cleanup } as const;
			const { n8n, editor } = await startN8nWithPackage(options);
			const page = await browser.newPage();
			await openEditorPage(page, n8n.url).signIn(OWNER);
			const { url, logTail } = n8n;
			await use({ url, api: editor, page, logTail });
			await page.close();
		},
		{ scope: 'worker', timeout: INSTALL_LIMIT_MS },
	],
	hasCredential: [true, { option: true }],
	credential: async ({ n8n, sandbox }, use) =>
		await use(await saveCredential(n8n.api, CREDENTIAL_NAME, sandbox)),
	api: async ({ n8n }, use) => await use(n8n.api),
	control: async ({ sandbox }, use) => await use(createSandboxClient(sandbox.control)),
	expectedErrors: async ({}, use) => await use([]),
	async ui({ n8n, sandbox, control, hasCredential, expectedErrors }, use, info) {
		await control.reset();
		if (hasCredential) await saveCredential(n8n.api, CREDENTIAL_NAME, sandbox);
		const consoleErrors = collectConsoleErrors(n8n.page, n8n.url);
		const ui = openEditorPage(n8n.page, n8n.url);
		await use(ui);
		if (info.errors.length > 0) {
			// Another test gets another worker, with another n8n and another page.
			await info.attach("the end of n8n's log", { body: await n8n.logTail() });
			return;
		}
		await ui.leave();
		consoleErrors.assertNone(...expectedErrors);
	},
});
