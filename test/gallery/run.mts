import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { startGalleryEnvironment } from './environment.mts';

/** Each example of examples/, from its start to what arrives at the service. */
await runChecks(async (checks) => {
	await requireN8n(checks, 'current');
	const environment = await checks.require('a new n8n starts', async () => {
		return await startGalleryEnvironment(checks);
	});
	void environment;
});
