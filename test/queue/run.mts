import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { deliveries, polls } from './calls.mts';
import { startQueueEnvironment } from './environment.mts';
import { inboundQuestion, toolCalls } from './answers.mts';
import { neverMissACall } from './neverMissACall.mts';
import { once } from './once.mts';

await runChecks(async (checks) => {
	await requireN8n(checks, 'current');
	const environment = await startQueueEnvironment(checks);
	await deliveries(checks, environment);
	await polls(checks, environment);
	await once(checks, environment);
	await inboundQuestion(checks, environment);
	await toolCalls(checks, environment);
	// Last, because it kills the workers.
	await neverMissACall(checks, environment);
});
