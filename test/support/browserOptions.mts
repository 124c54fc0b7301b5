import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { PlaywrightTestConfig, TestInfo } from '@playwright/test';

import { LOOPBACK } from '../../host/process/ports.mts';
import { root } from './package.mts';

const LAUNCH_LIMIT_MS = 60_000;
/** Other programs may keep the machine busy. */
const STEP_LIMIT_MS = 60_000;
/** The last resort for a test that hangs; its steps have shorter limits. */
const TEST_LIMIT_MS = 30 * 60_000;

/** Whether the pictures of the documentation are renewed: Playwright's option `-u`. */
export const isRenewed = ({ config }: TestInfo): boolean =>
	['changed', 'all'].includes(config.updateSnapshots);

/** Where a picture of the documentation goes. */
export const pictureFile = (info: TestInfo, name: string): string =>
	isRenewed(info) ? join(root, 'docs/images', name) : info.outputPath(name);

/**
 * What the suites in a browser have in common: the same Chromium and the same pictures on each machine.
 *
 * @param name of the folder in `.data/browser/` with a picture and a trace of each failure
 * @throws Error that names the Debian package when there is no Chromium
 */
export const browserSuite = (name: string): PlaywrightTestConfig => ({
	outputDir: join(root, '.data/browser', name),
	// Lines to read, and a report in a file for programs when its name is set.
	reporter: process.env.PLAYWRIGHT_JUNIT_OUTPUT_FILE === undefined ? 'list' : [['list'], ['junit']],
	forbidOnly: true,
	timeout: TEST_LIMIT_MS,
	expect: { timeout: STEP_LIMIT_MS },
	// A trace costs a quarter of a test's time. A test that fails runs again with one, and has failed.
	retries: 1,
	failOnFlakyTests: true,
	use: {
		launchOptions: {
			executablePath: findChromium(),
			timeout: LAUNCH_LIMIT_MS,
			// Chromium's own sandbox does not run as root.
			chromiumSandbox: false,
			args: [
				'--disable-gpu',
				'--disable-quic',
				// Texts as wide as in a window; other programs than the headless shell take no notice.
				'--font-render-hinting=none',
				// The editor requests news of packages from the internet.
				`--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${LOOPBACK}`,
			],
		},
		actionTimeout: STEP_LIMIT_MS,
		navigationTimeout: STEP_LIMIT_MS,
		deviceScaleFactor: 1.5,
		colorScheme: 'light',
		contextOptions: { reducedMotion: 'reduce' },
		locale: 'en-GB',
		timezoneId: 'Europe/Berlin',
		screenshot: 'only-on-failure',
		trace: 'on-first-retry',
	},
});

/**
 * Chromium's headless shell has no window, and needs half of Chromium's processor time. Playwright's own
 * browser is one, too.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser'];

function findChromium(): string {
	const folders = (process.env.PATH ?? '').split(delimiter);
	const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
		isExecutable,
	);
	if (found !== undefined) return found;
	throw new Error(
		'There is no Chromium on PATH. On Debian, install chromium-headless-shell; on Ubuntu, chromium.',
	);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
