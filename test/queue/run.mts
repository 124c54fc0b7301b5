import { parseArgs } from 'node:util';

import { saveCredential } from '../../host/n8n/provision.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { startService } from '../support/sandbox/service.mts';
import { Events } from './events.mts';
import { injectFaults } from './faultInjection.mts';
import { leads } from './leads.mts';
import { QueueMetrics } from './metrics.mts';
import { neverMissACall } from './neverMissACall.mts';
import { checkOutcomes } from './outcomes.mts';
import { findPrograms } from './programs.mts';
import { publish, unpublish } from './publish.mts';
import { seed, TOKEN } from './seed.mts';
import { toolCalls } from './toolCalls.mts';
import { startTopology } from './topology.mts';

/** Longer than a response takes on a busy machine: only refused deliveries fail. */
const WEBHOOK_TIMEOUT = 'PT60S';
const START_LIMIT_MS = 10 * 60_000;

const counts = readCounts();
const metrics = new QueueMetrics();

await runChecks(async (checks) => {
	const programs = await checks.require(
		'PostgreSQL, Redis and HAProxy are on this machine',
		findPrograms,
	);
	await requireN8n(checks, 'current');
	const topology = await checks.require(
		'PostgreSQL, Redis, HAProxy, main, webhook process and two workers start',
		async () => await startTopology(checks, programs),
		START_LIMIT_MS,
	);
	const assume = { 'webhook-timeout': WEBHOOK_TIMEOUT };
	const service = await checks.cleanup.use(startService({ seed: seed(), assume }));
	const { url } = service;
	const credential = await saveCredential(topology.editor, 'Queue', { url, token: TOKEN });
	const environment = { topology, service, credential, metrics };

	const workflowId = await publish(checks, environment);
	const events = new Events(topology, service, workflowId);
	const faults = await injectFaults(checks, environment, events, counts.events);
	await leads(checks, environment, faults.survivors, counts.leads);
	await checkOutcomes(checks, environment, events, faults, counts.events);
	await checks.check('unpublished, nothing is registered any more', async () => {
		await unpublish(environment, workflowId);
	});
	const workers = await toolCalls(checks, environment, faults.survivors);
	// Last, because it kills all workers.
	await neverMissACall(checks, environment, workers);
	metrics.print();
});

/** --events and --leads set smaller numbers for work on this suite. */
function readCounts(): { events: number; leads: number } {
	const { values } = parseArgs({
		options: {
			events: { type: 'string', default: '2000' },
			leads: { type: 'string', default: '2000' },
		},
	});
	return { events: Number(values.events), leads: Number(values.leads) };
}
