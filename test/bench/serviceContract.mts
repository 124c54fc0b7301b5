import assert from 'node:assert/strict';

import { sendRequest } from '../support/sandbox/client.mts';
import { contractViolations } from '../support/sandbox/contract.mts';
import type { BenchService } from './serviceClient.mts';

const JSON_BODY = { 'content-type': 'application/json' };

/** Compares each kind of response of the bench service with the contract. */
export async function assertMatchesContract({ url, reset }: BenchService): Promise<void> {
	const limit = { requests: 4, perMs: 60_000, windows: 'on demand' } as const;
	await reset({ calls: 250, assistants: 250, limit });
	const lead = {
		campaign_id: 1,
		phone_number: '+4915110000000',
		variables: { customer_name: 'Jane', email: 'jane@example.com', city: 'Bonn' },
	};
	const create = { method: 'POST', headers: JSON_BODY, body: JSON.stringify(lead) };
	const requests = [
		{ method: 'POST', path: '/user/lead', query: '', init: create, status: 200 },
		{ method: 'GET', path: '/user/calls', query: '?per_page=100&page=3', init: {}, status: 200 },
		{ method: 'GET', path: '/user/calls', query: '?page=99', init: {}, status: 200 },
		{ method: 'GET', path: '/user/assistants/get', query: '?page=2', init: {}, status: 200 },
		{ method: 'POST', path: '/user/lead', query: '', init: create, status: 429 },
	];
	for (const { method, path, query, init, status } of requests) {
		const response = await sendRequest(`${url}${path}${query}`, init);
		assert.equal(response.status, status);
		assert.deepEqual(contractViolations(method, path, status, response.body), [], path);
	}
}
