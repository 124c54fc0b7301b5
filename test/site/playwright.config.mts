import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import getPort from 'get-port';

import { LOOPBACK } from '../../host/process/ports.mts';
import { browserSuite } from '../support/browserOptions.mts';

const LIMIT_MS = 240_000;
const PHONE = { width: 390, height: 844 };

// The workers read this file too.
process.env.DOCS_LOG ??= join(tmpdir(), `docs-${process.pid}.log`);
process.env.DOCS_PORT ??= String(await getPort({ host: LOOPBACK }));
const port = process.env.DOCS_PORT;
const baseURL = `http://${LOOPBACK}:${port}`;

/** The documentation's site as a reader sees it on a phone. */
export default defineConfig(browserSuite('site'), {
	timeout: LIMIT_MS,
	expect: { timeout: LIMIT_MS },
	fullyParallel: true,
	use: {
		viewport: PHONE,
		permissions: ['clipboard-read', 'clipboard-write'],
		baseURL,
	},
	projects: [
		{ name: 'build', testMatch: 'build.spec.mts' },
		{ name: 'site', testIgnore: 'build.spec.mts', dependencies: ['build'] },
	],
	// What a writer looks at, at the first start: later ones do not look for imports again.
	webServer: {
		name: 'npm run docs',
		command: `rm -rf node_modules/.cache/vitepress/deps; npm run docs -- --host ${LOOPBACK} --port ${port} > "$DOCS_LOG" 2>&1`,
		cwd: '../..',
		url: baseURL,
		timeout: LIMIT_MS,
	},
});
