import { join } from 'node:path';

import { ROOT } from '../../host/n8n/npmPack.mts';
import { npmCli } from '../../host/process/npm.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import type { Checks } from '../support/checks.mts';
import { waitForScripts, type SitePage } from './sitePage.mts';

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 5_000;

/** What a writer looks at: `npm run docs`. */
export async function developmentServer(
	{ check, cleanup }: Checks,
	{ page, assertFits, assertQuiet }: SitePage,
): Promise<void> {
	await check('npm run docs opens the site on this machine', async () => {
		const port = await freePort();
		const url = `http://${LOOPBACK}:${port}`;
		await startServer({
			name: 'npm run docs',
			command: process.execPath,
			args: [npmCli(), 'run', 'docs', '--', '--host', LOOPBACK, '--port', String(port)],
			folder: ROOT,
			env: process.env,
			logFile: join(await temporaryFolder('docs', cleanup), 'docs.log'),
			isReady: async () => (await fetch(url)).ok,
			startLimitMs: START_LIMIT_MS,
			stopLimitMs: STOP_LIMIT_MS,
			cleanup,
		});
		await page.goto(`${url}/gallery.html`, { timeout: START_LIMIT_MS });
		await waitForScripts(page);
		await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
		await assertFits();
		assertQuiet();
	});
}
