import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';

import { withProgress } from '../../host/process/progress.mts';
import { waitFor } from '../../host/process/wait.mts';
import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { storedStates } from '../support/storedExecutions.mts';
import { INVARIANTS, prove } from './invariants.mts';
import { phone, post, publish, textLists, toolCall, unpublish, work, type Asked } from './workload.mts';
import { startEnvironment, type ChaosEnvironment } from './environment.mts';

const MINUTE_MS = 60_000;
/** Until nothing is left to do, once the network is good again. */
const REST_LIMIT_MS = 3 * MINUTE_MS;
/** What follows a kill may leave an execution that runs for ever (n8n 2.0, 2.41: killed before its first node). */
const IDLE_LIMIT_MS = MINUTE_MS;

/** Lets all that has begun end, and takes over and puts back what another system has. */
async function settle(environment: ChaosEnvironment, asked: Asked): Promise<void> {
	for (const name of ['free', 'toolHolder', 'taken'] as const)
		await publish(environment, asked, name);
	await unpublish(environment, asked, 'taken');
	await post(environment, 'leads', [{ phone: phone(25, 1) }]);
	environment.requests.refuseNext();
	await textLists(environment, asked, 'Last text')(1);
	await toolCall(environment);
	const states = () =>
		Object.values(environment.workflows).flatMap((id) => [
			...storedStates(environment.userFolder, id).values(),
		]);
	await waitFor('all executions to end', IDLE_LIMIT_MS, () =>
		Promise.resolve(!states().some((state) => state === 'new' || state === 'running') || undefined),
	).catch(() => console.log('Some executions run for ever.'));
	await waitFor('what is due', REST_LIMIT_MS, async () => {
		const counts = await Promise.all(INVARIANTS.map(({ count }) => count(environment, asked)));
		return counts.every(({ violations }) => violations.length === 0) || undefined;
	}).catch(() => console.log('There are violations.'));
}

const faultCount = ({ requests, deliveries }: ChaosEnvironment): number =>
	[...requests.counts.values(), ...deliveries.counts.values()].reduce(
		(sum, count) => sum + count,
		0,
	);

/** Prints what went wrong, and what came of the publishes. */
function report(
	{ requests, deliveries, pauses }: ChaosEnvironment,
	{ publishes, notBegun }: Asked,
): void {
	const kinds = new Set([...requests.counts.keys(), ...deliveries.counts.keys()]);
	console.table(
		[...kinds].sort().map((fault) => ({
			fault,
			'n8n → service': requests.counts.get(fault) ?? 0,
			'service → n8n': deliveries.counts.get(fault) ?? 0,
		})),
	);
	const refused = publishes.filter(({ refusal }) => refusal !== undefined).length;
	console.log(`${pauses.length} restarts; ${publishes.length} publishes, ${refused} refused`);
	if (notBegun.size > 0) console.table([...notBegun].map(([why, times]) => ({ why, times })));
}

/** --seed 1: the same faults again; --minutes 60; --rate 0.5: half the work; --n8n oldest. */
function readOptions() {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: String(Date.now() % 2 ** 30) },
			minutes: { type: 'string', default: '5' },
			rate: { type: 'string', default: '1' },
			n8n: { type: 'string', default: 'current' },
		},
	});
	const [seedNumber, length, speed] = [
		Number(values.seed),
		Number(values.minutes),
		Number(values.rate),
	];
	const { n8n } = values;
	if (Number.isInteger(seedNumber) && length > 0 && speed > 0) {
		if (n8n === 'current' || n8n === 'oldest') {
			return { seed: seedNumber, minutes: length, rate: speed, host: n8n } as const;
		}
	}
	throw new Error(
		'Usage: npm run test:chaos [-- --seed <number>] [--minutes <number>] [--rate <number>] [--n8n oldest]',
	);
}

const { seed, minutes, rate, host } = readOptions();

// n8n and the service work through proxies that lose, cut, repeat and delay what goes through them, and n8n
// is killed. Then the network is good again, and what the service has is counted.
await runChecks(async (checks) => {
	const { check, require } = checks;
	console.log(`Seed ${seed}`);
	await requireN8n(checks, host);
	const environment = await require('n8n and the service start', async () =>
		await startEnvironment(checks, host, seed));
	const asked: Asked = {
		blockedTexts: 0,
		publishes: [],
		published: new Set(),
		notBegun: new Map(),
	};
	await require('in a good network, all workflows are published', async () => {
		const { leads, texts, calls, tool } = environment.workflows;
		for (const id of [leads, texts, calls, tool]) await environment.editor.publish(id);
	});
	await require(`n8n and the service work for ${minutes} minutes in a bad network (seed ${seed})`, async () => {
		const left = () => `${faultCount(environment)} faults, ${environment.pauses.length} restarts`;
		await withProgress(`seed ${seed}`, left, async () => {
			await work(environment, asked, minutes * MINUTE_MS, rate);
		});
	}, (minutes + 10) * MINUTE_MS);
	await require('in a good network again, everything comes to an end', async () =>
		await settle(environment, asked));
	report(environment, asked);
	for (const { name, count } of INVARIANTS) {
		const { checked, violations } = await count(environment, asked);
		await check(`${name} (${checked} checked)`, () => {
			assert.ok(checked > 0, 'Nothing was there to be checked.');
			assert.deepEqual(violations, [], `Seed ${seed}`);
		});
	}
	for (const invariant of INVARIANTS) {
		await check(`a violation is found: ${invariant.name}`, async () => {
			await prove(invariant, environment, asked);
		});
	}
});
