import { readFile } from 'node:fs/promises';

import { waitFor } from '../../host/process/wait.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { startTestN8n } from '../support/startTestN8n.mts';
import { neverMissACall } from './neverMissACall.mts';
import { restart } from './restart.mts';
import { withCredentials, type E2eEnvironment } from './testEnvironment.mts';

/** Until then, n8n 2.41 answers webhooks with 404 (docs/n8n-3.md). It does this at each start. */
const INDEX_DONE = 'Finished building workflow dependency index';
const INDEX_LIMIT_MS = 60_000;

/** Updates an n8n of the oldest version, with published workflows, to the newest one, as docs/n8n-3.md says. */
export async function n8nUpdate(environment: E2eEnvironment): Promise<void> {
	if (environment.host === 'current') return;
	await requireN8n(environment, 'current');
	for (const publish of [
		async (old: E2eEnvironment) => await restart(old, 'an update of n8n'),
		async (old: E2eEnvironment) => await neverMissACall(old, 'n8n is updated'),
	]) {
		const n8n = await startTestN8n(environment, { host: 'oldest' });
		const old = await withCredentials({ ...environment, ...n8n });
		const update = async (env?: NodeJS.ProcessEnv) => {
			await n8n.restart(env, 'current');
			await waitFor('n8n to find its workflows', INDEX_LIMIT_MS, async () => {
				return (await readFile(n8n.n8n().logFile, 'utf8')).includes(INDEX_DONE) || undefined;
			});
		};
		await publish({ ...old, restart: update });
		await n8n.n8n().stop();
	}
}
