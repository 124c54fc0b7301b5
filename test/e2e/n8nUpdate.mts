import { requireN8n } from '../support/requireN8n.mts';
import { startTestN8n } from '../support/startTestN8n.mts';
import { neverMissACall } from './neverMissACall.mts';
import { restart } from './restart.mts';
import { withCredentials, type E2eEnvironment } from './testEnvironment.mts';

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
			await n8n.editor.waitUntilPublished();
		};
		await publish({ ...old, restart: update });
		await n8n.n8n().stop();
	}
}
