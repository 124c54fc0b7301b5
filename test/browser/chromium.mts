import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

import { chromium, type BrowserContext } from 'playwright-core';

import { LOOPBACK } from '../../host/process/ports.mts';

const LAUNCH_LIMIT_MS = 60_000;
/** Other programs may keep the machine busy. */
const STEP_LIMIT_MS = 60_000;

/** Wide enough for the three panes of a node's dialog. */
const VIEWPORT = { width: 1360, height: 850 };

/**
 * Finds Chromium on PATH.
 *
 * @throws Error that names the Debian package when there is none
 */
export function findChromium(): string {
	const found = (process.env.PATH ?? '')
		.split(delimiter)
		.flatMap((folder) => ['chromium', 'chromium-browser'].map((name) => join(folder, name)))
		.find(isExecutable);
	if (found !== undefined) return found;
	throw new Error(
		'There is no Chromium on PATH. On Debian and Ubuntu, install it with: apt-get install chromium',
	);
}

/**
 * Starts Chromium without a window.
 *
 * @param executable see {@link findChromium}
 * @param profile an empty folder
 */
export async function startChromium(executable: string, profile: string): Promise<BrowserContext> {
	const context = await chromium.launchPersistentContext(profile, {
		executablePath: executable,
		headless: true,
		timeout: LAUNCH_LIMIT_MS,
		viewport: VIEWPORT,
		deviceScaleFactor: 1.5,
		colorScheme: 'light',
		reducedMotion: 'reduce',
		locale: 'en-GB',
		timezoneId: 'Europe/Berlin',
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
		// Chromium's own sandbox does not run as root.
		chromiumSandbox: false,
		args: [
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			// The editor requests news of packages from the internet.
			`--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${LOOPBACK}`,
		],
	});
	context.setDefaultTimeout(STEP_LIMIT_MS);
	return context;
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
