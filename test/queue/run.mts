import { parseArgs } from 'node:util';

import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { startService } from '../support/sandbox/service.mts';
import { accounts } from './outcomes.mts';
import { disturbances } from './faultInjection.mts';
import { Events } from './events.mts';
import { Figures } from './metrics.mts';
import { leads } from './leads.mts';
import { findPrograms } from './programs.mts';
import { published, unpublished } from './published.mts';
import { seed, TOKEN } from './seed.mts';
import { startTopology } from './topology.mts';

/** Far above what an answer takes even on a busy machine: a delivery fails only when it is refused. */
const WEBHOOK_TIMEOUT = 'PT60S';
const START_LIMIT_MS = 10 * 60_000;

const counts = readCounts();
const figures = new Figures();

await runChecks(async (checks) => {
	const programs = await checks.require(
		'PostgreSQL, Redis and HAProxy are on this machine',
		findPrograms,
	);
	await requireN8n(checks, 'current');
	const topology = await checks.require(
		'PostgreSQL, Redis, gateway, main, webhook process and two workers start',
		async () => await startTopology(checks, programs),
		START_LIMIT_MS,
	);
	const service = await startService({
		seed: seed(),
		assume: { 'webhook-timeout': WEBHOOK_TIMEOUT },
	});
	await checks.lifetime.atEnd(async () => await service.close());
	const credential = await topology.editor.saveCredential(CREDENTIAL_TYPE, 'Queue', {
		baseUrl: service.url,
		apiToken: TOKEN,
	});
	const parts = { topology, service, credential, figures };

	const workflowId = await published(checks, parts);
	const events = new Events(topology, service, workflowId);
	const losses = await disturbances(checks, parts, events, counts.events);
	await leads(checks, parts, losses.survivors, counts.leads);
	await accounts(checks, parts, events, losses, counts.events);
	await checks.check('unpublished, nothing is registered any more', async () => {
		await unpublished(parts, workflowId);
	});
	figures.print();
});

/** Fewer with --events and --leads, while one works on this suite. */
function readCounts(): { events: number; leads: number } {
	const { values } = parseArgs({
		options: {
			events: { type: 'string', default: '2000' },
			leads: { type: 'string', default: '2000' },
		},
	});
	return { events: Number(values.events), leads: Number(values.leads) };
}
