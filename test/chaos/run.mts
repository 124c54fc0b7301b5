import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';

import { withProgress } from '../../host/process/progress.mts';
import { waitFor } from '../../host/process/wait.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { storedStates } from '../support/storedExecutions.mts';
import { startEnvironment, type ChaosEnvironment } from './environment.mts';
import { createInvariants } from './invariants.mts';
import { createWorkload } from './workload.mts';

const MINUTE_MS = 60_000;
/** Until nothing is left to do, once the network is good again. */
const REST_LIMIT_MS = 2 * MINUTE_MS;

const { values } = parseArgs({
	options: {
		// The same faults again.
		seed: { type: 'string', default: String(Date.now() % 2 ** 30) },
		minutes: { type: 'string', default: '5' },
	},
});
const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
assert.ok(
	Number.isInteger(seed) && minutes > 0,
	'--seed is a whole number, --minutes more than 0.',
);

/** Whether n8n has nothing more to do. */
const isIdle = ({ workflows, userFolder }: ChaosEnvironment): boolean =>
	Object.values(workflows)
		.flatMap((id) => [...storedStates(userFolder, id).values()])
		.every((state) => state !== 'new' && state !== 'running');

// n8n and the service work through proxies that lose, cut, repeat and delay what goes through them, and n8n
// is killed. Then the network is good again, and what the service has is counted.
await runChecks(async (checks) => {
	const { check, require } = checks;
	console.log(`Seed ${seed}`);
	await requireN8n(checks, 'current');
	const environment = await require('n8n and the service start', async () =>
		await startEnvironment(checks, seed));
	const workload = createWorkload(environment);
	const invariants = Object.entries(createInvariants(environment, workload));
	await require('in a good network, all workflows are published', async () => {
		const { leads, texts, calls, tool } = environment.workflows;
		const { editor } = environment;
		// n8n 2.41 itself failed once just after its start, without a message (its expression engine).
		for (const id of [leads, texts, calls, tool])
			await editor.publish(id).catch(async () => await editor.publish(id));
	});
	await require(`n8n and the service work for ${minutes} minutes in a bad network (seed ${seed})`, async () => {
		const state = () => `${environment.pauses.length} restarts`;
		await withProgress(`seed ${seed}`, state, async () => await workload.run(minutes * MINUTE_MS));
	}, (minutes + 10) * MINUTE_MS);
	await require('in a good network again, work goes on', workload.settle);
	await waitFor('all that is due', REST_LIMIT_MS, async () => {
		const counts = await Promise.all(invariants.map(([, { count }]) => count()));
		const isGood = counts.every(({ violations }) => violations.length === 0);
		return (isGood && isIdle(environment)) || undefined;
	}).catch(() => console.log('There are violations, or executions that n8n never ends.'));

	for (const direction of ['requests', 'deliveries'] as const)
		console.log(`Faults of ${direction}:`, environment[direction].counts);
	const { publishes } = workload;
	const refusals = publishes.flatMap(({ refusal }) => refusal ?? []);
	console.log(`${environment.pauses.length} restarts; ${publishes.length} publishes`, { refusals });
	for (const [name, { count }] of invariants) {
		const { checked, violations } = await count();
		await check(`${name} (${checked} checked)`, () => {
			assert.ok(checked > 0, 'Nothing was there to be checked.');
			assert.deepEqual(violations, [], `Seed ${seed}`);
		});
	}
	for (const [name, { count, violate }] of invariants) {
		await check(`a violation is found: ${name}`, async () => {
			const before = (await count()).violations.length;
			await violate();
			assert.ok((await count()).violations.length > before, 'The count does not show it.');
		});
	}
});
