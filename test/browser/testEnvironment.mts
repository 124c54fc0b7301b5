import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openEditor, type Editor } from '../../host/api/editor.mts';
import { hostFolder } from '../../host/n8n/installN8n.mts';
import { startN8n } from '../../host/n8n/startN8n.mts';
import { freePort } from '../../host/process/ports.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { placePackage } from '../../host/n8n/installPackage.mts';
import { createSandbox, type Sandbox } from '../../sandbox/index.mts';
import type { Checks } from '../support/checks.mts';
import { root } from '../support/package.mts';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.mts';
import { startChromium } from './chromium.mts';
import { listenForComplaints } from './consoleErrors.mts';
import { EditorPage } from './editorPage.mts';
import { takePictures } from './pictures.mts';

/** The day of the pictures. */
const NOW = '2026-01-12T09:00:00Z';

/** Where a picture of each failure goes, and those for the README until somebody wants them there. */
const OUTPUT = join(root, '.data', 'browser');
/** Where the README shows them from. */
const IMAGES = join(root, 'docs', 'images');

/** A browser at a fresh n8n with the package, and the service with the default seed. */
export interface Stage {
	browser: EditorPage;
	/** the same n8n over its REST API */
	editor: Editor;
	sandbox: Sandbox;
	control: SandboxClient;
	/** Takes a picture for the README in both themes, see {@link takePictures}. */
	takePictures: (name: string, show?: () => Promise<void>) => Promise<void>;
	log: () => Promise<string>;
	/**
	 * A check in the browser: it also fails when the browser complained meanwhile, and then leaves a
	 * picture of what was to be seen.
	 *
	 * @param expected complaints that belong to what is checked
	 */
	see: <T>(name: string, work: () => Promise<T>, ...expected: RegExp[]) => Promise<T | undefined>;
	/** Like `see`, for what the rest depends on. */
	mustSee: <T>(name: string, work: () => Promise<T>, ...expected: RegExp[]) => Promise<T>;
}

/**
 * Starts the service, n8n and Chromium.
 *
 * @param chromium the program
 * @param renewImages whether the pictures of the README are replaced
 */
export async function setTheStage(
	checks: Checks,
	chromium: string,
	renewImages: boolean,
): Promise<Stage> {
	const { lifetime } = checks;
	const temporary = await mkdtemp(join(tmpdir(), 'browser-'));
	await lifetime.atEnd(async () => await rm(temporary, { recursive: true, force: true }));
	await rm(OUTPUT, { recursive: true, force: true });
	await mkdir(OUTPUT, { recursive: true });

	const sandbox = await createSandbox({ port: 0, clock: { mode: 'manual', now: NOW } });
	await lifetime.atEnd(async () => await sandbox.close());

	const userFolder = join(temporary, 'n8n');
	await placePackage(userFolder);
	const folder = hostFolder('current');
	const n8n = await startN8n({ folder, userFolder, port: await freePort(), lifetime });
	const editor = openEditor(n8n.url);
	await editor.signIn(OWNER);

	const context = await startChromium(chromium, join(temporary, 'chromium'));
	await lifetime.atEnd(async () => await context.close());
	const page = context.pages()[0] ?? (await context.newPage());
	const complaints = listenForComplaints(page, n8n.url);
	const browser = new EditorPage(page, n8n.url);
	const pictures = renewImages ? IMAGES : join(OUTPUT, 'pictures');

	const watched =
		<T,>(name: string, work: () => Promise<T>, expected: RegExp[]) =>
		async (): Promise<T> => {
			try {
				const result = await work();
				complaints.none(...expected);
				return result;
			} catch (error) {
				// GitHub keeps no files whose names have quotation marks or angle brackets.
				const file = `${name.replaceAll(/[^\w ]+/g, '')}.png`;
				await page.screenshot({ path: join(OUTPUT, file) }).catch(() => {});
				complaints.forget();
				throw error;
			}
		};
	return {
		browser,
		editor,
		sandbox,
		control: createSandboxClient(sandbox.control),
		takePictures: async (name, show) => await takePictures(browser, pictures, name, show),
		log: n8n.logTail,
		see: async (name, work, ...expected) => await checks.check(name, watched(name, work, expected)),
		mustSee: async (name, work, ...expected) =>
			await checks.require(name, watched(name, work, expected)),
	};
}
