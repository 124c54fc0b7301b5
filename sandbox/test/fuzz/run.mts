import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';

import { withProgress } from '../../../host/process/progress.mts';
import { runChecks } from '../../../test/support/checks.mts';
import { accepted, fuzz } from './fuzz.mts';
import { operations } from '../support/contract.mts';
import { twoUsers } from '../support/seed.mts';
import { startService } from '../support/service.mts';

const DEFAULT_REQUESTS = 100_000;
/** The last resort: 100,000 requests take some minutes on a busy machine. */
const LIMIT_MS = 35 * 60_000;

const { requests, seed } = readOptions();

// Sends random requests to the sandbox, and compares each response with the contract.
await runChecks(async ({ check, cleanup }) => {
	const [alice, ...others] = twoUsers().users;
	const records = { users: [{ ...alice, calls: [{ id: 1 }, { id: 2 }] }, ...others] };
	const service = await startService({ seed: records });
	await cleanup.defer(() => service.close());
	let sent = 0;
	const title = `${requests.toLocaleString('en')} requests: no 500, and each response fits the contract`;
	const result = await check(
		title,
		() =>
			withProgress(
				`seed ${seed}`,
				() => `${sent.toLocaleString('en')} requests`,
				async () => {
					const outcome = await fuzz(service, { requests, seed }, (soFar) => {
						cleanup.shutdownSignal.throwIfAborted();
						sent = soFar;
					});
					sent = outcome.requests;
					if (outcome.failure !== undefined) {
						throw new Error(`Seed ${seed}. The smallest requests:\n${outcome.failure}`);
					}
					return outcome;
				},
			),
		LIMIT_MS,
	);
	if (result === undefined) return;
	await check('nobody becomes an admin', () => assert(!('admin' in {})));
	for (const { operationId } of operations) {
		const results = [...(result.counts.get(operationId) ?? [])].sort();
		const text = results.map(([name, count]) => `${name}: ${count}`).join(', ');
		await check(`${operationId} accepts valid requests (${text})`, () => {
			// Records that other requests have deleted are not found.
			const share = accepted(result.counts, operationId, 'valid') / result.requests;
			if (share < 0.001) throw new Error('Too few of its valid requests were accepted.');
		});
	}
});

/** --requests 100000, --seed 1: another number of requests, the same requests again. */
function readOptions(): { requests: number; seed: number } {
	const { values } = parseArgs({
		options: { requests: { type: 'string' }, seed: { type: 'string' } },
	});
	const [count, first] = [
		Number(values.requests ?? DEFAULT_REQUESTS),
		Number(values.seed ?? Date.now() % 2 ** 30),
	];
	if (!Number.isInteger(count) || count < 1 || !Number.isInteger(first)) {
		throw new Error('Usage: npm run test:fuzz [-- --requests <number>] [--seed <number>]');
	}
	return { requests: count, seed: first };
}
