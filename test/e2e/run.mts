import { parseArgs } from 'node:util';

import type { Host } from '../../host/n8n/installN8n.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { accountPerItem } from './accountPerItem.mts';
import { aiAgent } from './aiAgent.mts';
import { approval } from './approval.mts';
import { credentialTest, refusedHost } from './credential.mts';
import { deliveries } from './deliveries.mts';
import { hostileService } from './hostileService.mts';
import { httpRequestNode } from './httpRequest.mts';
import { installation, uninstallation } from './installation.mts';
import { killed } from './killed.mts';
import { listening, listeningTimesOut } from './listening.mts';
import { longPause } from './longPause.mts';
import { midCallTool } from './midCallTool.mts';
import { neverMissACall } from './neverMissACall.mts';
import { operations } from './operations.mts';
import { pickers } from './pickers.mts';
import { pollTriggerChecks } from './pollTrigger.mts';
import { restart } from './restart.mts';
import { settingByExpression } from './settingByExpression.mts';
import { startE2eServers, withCredentials } from './testEnvironment.mts';
import { refusedPublish, triggers } from './triggers.mts';
import { upgrade } from './upgrade.mts';
import { values } from './values.mts';

const host = readHost();

await runChecks(async (checks) => {
	await requireN8n(checks, host);
	const servers = await checks.require('a new n8n starts', async () => {
		return await startE2eServers(checks, host);
	});
	await installation(checks, servers);
	const environment = await withCredentials(servers);
	await credentialTest(checks, environment);
	await pickers(checks, environment);
	await httpRequestNode(checks, environment);
	await values(checks, environment);
	await accountPerItem(checks, environment);
	// Before the long waits, because n8n 2.0 forgets all test webhooks when one of them ends.
	await listening(checks, environment);
	await midCallTool(checks, environment);
	// The long waits run beside the rest.
	const waits = [listeningTimesOut(checks, environment), refusedPublish(checks, environment)];
	await operations(checks, environment);
	await aiAgent(checks, environment);
	await approval(checks, environment);
	await triggers(checks, environment);
	await settingByExpression(checks, environment);
	await longPause(checks, environment);
	await hostileService(checks, environment);
	await deliveries(checks, environment);
	await Promise.all(waits);
	await refusedHost(checks, environment);
	await restart(checks, environment);
	await pollTriggerChecks(checks, environment);
	await neverMissACall(checks, environment);
	await killed(checks, environment);
	await uninstallation(checks, environment);
	await upgrade(checks, environment);
});

function readHost(): Host {
	const { values } = parseArgs({ options: { n8n: { type: 'string', default: 'current' } } });
	if (values.n8n === 'current' || values.n8n === 'oldest') return values.n8n;
	throw new Error(`--n8n is current or oldest, not ${values.n8n}.`);
}
