import { parseArgs } from 'node:util';

import type { Host } from '../../host/n8n/installN8n.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { credentialTest } from './credential.mts';
import { httpRequest } from './httpRequest.mts';
import { installation, uninstallation } from './installation.mts';
import { killed } from './killed.mts';
import { listening, listeningTimesOut } from './listening.mts';
import { operations } from './operations.mts';
import { pickers } from './pickers.mts';
import { restart } from './restart.mts';
import { makeCredentials, setTheStage } from './testEnvironment.mts';
import { refusedPublish, triggers } from './triggers.mts';
import { upgrade } from './upgrade.mts';
import { values } from './values.mts';

const host = readHost();

await runChecks(async (checks) => {
	await requireN8n(checks, host);
	const stage = await checks.require('a fresh n8n starts', async () => {
		return await setTheStage(checks, host);
	});
	checks.onFailure("The end of n8n's log", stage.log);
	await installation(checks, stage);
	const credentials = await makeCredentials(stage);
	await credentialTest(checks, stage, credentials);
	await pickers(checks, stage, credentials);
	await httpRequest(checks, stage, credentials);
	await values(checks, stage, credentials);
	// Before the long waits, because in n8n 2.0 the end of one test makes it forget all others.
	await listening(checks, stage, credentials);
	// The long waits go on beside the rest.
	const waits = [
		listeningTimesOut(checks, stage, credentials),
		refusedPublish(checks, stage, credentials),
	];
	await operations(checks, stage);
	await triggers(checks, stage, credentials);
	await Promise.all(waits);
	await restart(checks, stage, credentials);
	await killed(checks, stage);
	await uninstallation(checks, stage);
	await upgrade(checks, stage);
});

function readHost(): Host {
	const { values } = parseArgs({ options: { n8n: { type: 'string', default: 'current' } } });
	if (values.n8n === 'current' || values.n8n === 'oldest') return values.n8n;
	throw new Error(`--n8n is current or oldest, not ${values.n8n}.`);
}
