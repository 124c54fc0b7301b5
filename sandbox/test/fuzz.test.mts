import { expect, it } from '@jest/globals';
import { accepted, fuzz } from './fuzz/fuzz.mts';
import { operations } from './support/contract.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();
const REQUESTS = 2000;
/** On a busy machine they take a minute. */
const LIMIT_MS = 180_000;

// `npm run test:fuzz` sends 100,000 requests.
it(
	'no random request gets a 500, and each response fits the contract',
	async () => {
		const seed = Date.now() % 2 ** 30;
		const { requests, counts, failure } = await fuzz(service, { requests: REQUESTS, seed });
		expect({ seed, failure }).toEqual({ seed, failure: undefined });
		expect(requests).toBeGreaterThanOrEqual(REQUESTS);
		const rarelyAccepted = operations
			.map(({ operationId }) => ({ operationId, times: accepted(counts, operationId, 'valid') }))
			.filter(({ times }) => times < 10);
		expect(rarelyAccepted).toEqual([]);
	},
	LIMIT_MS,
);
