import { parseArgs } from 'node:util';

import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { publish, startQueueEnvironment, unpublish } from './environment.mts';
import { Events } from './events.mts';
import { injectFaults } from './faultInjection.mts';
import { neverMissACall } from './neverMissACall.mts';
import { checkOutcomes } from './outcomes.mts';
import { once } from './once.mts';
import { findPrograms } from './programs.mts';
import { toolCalls } from './toolCalls.mts';

/** --events sets a smaller number for work on this suite. */
const { values } = parseArgs({
	options: { events: { type: 'string', default: '2000' } },
});
const total = Number(values.events);

await runChecks(async (checks) => {
	const programs = await checks.require(
		'PostgreSQL, Redis and HAProxy are on this machine',
		findPrograms,
	);
	await requireN8n(checks, 'current');
	const environment = await startQueueEnvironment(checks, programs);
	const workflowId = await publish(checks, environment);
	const events = new Events(environment.topology, environment.service, workflowId);
	const faults = await injectFaults(checks, environment, events, total);
	const workers = await toolCalls(checks, environment, faults.survivors);
	// Minutes after the kills: n8n could run a lost execution again until then.
	await checkOutcomes(checks, environment, events, faults, total);
	await once(checks, environment);
	await unpublish(checks, environment, workflowId);
	// Last, because it kills all workers.
	await neverMissACall(checks, environment, workers);
	console.table([...environment.metrics].map(([what, measured]) => ({ what, measured })));
});
