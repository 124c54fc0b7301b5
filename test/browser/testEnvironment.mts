import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.mts';
import { createSandbox, type Sandbox } from '../../sandbox/index.mts';
import type { Checks } from '../support/checks.mts';
import { root } from '../support/package.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { startChromium } from './chromium.mts';
import { collectConsoleErrors } from './consoleErrors.mts';
import { EditorPage } from './editor/editorPage.mts';
import { takePictures } from './pictures.mts';

/** The day in the pictures. */
const NOW = '2026-01-12T09:00:00Z';

/** Takes a picture of each failure, and the pictures for the README unless they are wanted there. */
const OUTPUT = join(root, '.data', 'browser');
/** The pictures of the README. */
const IMAGES = join(root, 'docs', 'images');

type BrowserCheck<Failed> = <T>(
	name: string,
	work: () => Promise<T>,
	...expectedErrors: RegExp[]
) => Promise<T | Failed>;

/** A browser, a new n8n with the package, and the service with the default seed. */
export interface BrowserEnvironment extends TestN8n {
	browser: EditorPage;
	sandbox: Sandbox;
	control: SandboxClient;
	/** Takes a picture for the README in both themes, see {@link takePictures}. */
	takePictures: (name: string, show?: () => Promise<void>) => Promise<void>;
	/**
	 * A check in the browser. It also fails when the browser has reported errors, except the expected
	 * ones. A failure leaves a picture of the page.
	 */
	check: BrowserCheck<undefined>;
	/** Like `check`, but a failure ends the suite, because the rest depends on it. */
	require: BrowserCheck<never>;
}

/**
 * Starts the service, n8n and Chromium.
 *
 * @param chromium path of the program
 * @param renewImages whether to replace the pictures of the README
 */
export async function startBrowserEnvironment(
	checks: Checks,
	chromium: string,
	renewImages: boolean,
): Promise<BrowserEnvironment> {
	const { cleanup } = checks;
	await rm(OUTPUT, { recursive: true, force: true });
	await mkdir(OUTPUT, { recursive: true });
	const clock = { mode: 'manual', now: NOW } as const;
	const sandbox = await cleanup.use(createSandbox({ port: 0, clock }));
	const n8n = await startTestN8n(checks);
	const profile = await temporaryFolder('chromium', cleanup);
	const context = await cleanup.use(startChromium(chromium, profile));
	const page = context.pages()[0] ?? (await context.newPage());
	const consoleErrors = collectConsoleErrors(page, n8n.url);
	const browser = new EditorPage(page, n8n.url);
	const pictures = renewImages ? IMAGES : join(OUTPUT, 'pictures');

	const inBrowser =
		<T,>(name: string, work: () => Promise<T>, expectedErrors: RegExp[]) =>
		async (): Promise<T> => {
			try {
				const result = await work();
				consoleErrors.assertNone(...expectedErrors);
				return result;
			} catch (error) {
				// GitHub keeps no files whose names have quotation marks or angle brackets.
				const file = `${name.replaceAll(/[^\w ]+/g, '')}.png`;
				await page.screenshot({ path: join(OUTPUT, file) }).catch(() => {});
				consoleErrors.clear();
				throw error;
			}
		};
	return {
		...n8n,
		browser,
		sandbox,
		control: createSandboxClient(sandbox.control),
		takePictures: async (name, show) => await takePictures(browser, pictures, name, show),
		check: async (name, work, ...expected) =>
			await checks.check(name, inBrowser(name, work, expected)),
		require: async (name, work, ...expected) =>
			await checks.require(name, inBrowser(name, work, expected)),
	};
}
