import { describe, expect, it } from '@jest/globals';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { OPERATIONS } from '../../../support/n8n/operations.mts';
import { bothGenerations } from '../../../support/parity/bothGenerations.mts';
import { differences } from '../../../support/parity/compare.mts';
import { contractOperations } from '../../../support/parity/contract.mts';
import { nodeOperations, readNodeOperation } from '../../../support/parity/node.mts';

/**
 * Compares the fields of the node with contract/openapi.yaml: which value of which request each field
 * sets, and whether the field allows what the contract allows. requests.test.mts shows what arrives at
 * the service.
 */
const node = await Promise.all(nodeOperations.map(readNodeOperation));

describe('the fields of the node', () => {
	it('are those of the contract, with its limits and those of the newer generation', () => {
		expect(differences(bothGenerations, node)).toEqual([]);
	});

	it('are run, each operation once, by the suites that go through them all', () => {
		const run = OPERATIONS.map(({ name }) => name.replace(': ', '/'));
		expect(run.toSorted()).toEqual(node.map(({ name }) => name).toSorted());
	});

	it('offer only time zones that the contract takes', async () => {
		const create = contractOperations.find(({ operationId }) => operationId === 'createAssistant');
		const timezone = create?.requestValues.find(({ name }) => name === 'body.timezone');
		const { results: zones } = await n8nWith({ baseUrl: '', apiToken: '' }).listSearch(
			'searchTimezones',
		);
		expect(zones.length).toBeGreaterThan(300);
		expect(zones).toContainEqual({ name: 'Europe/Berlin', value: 'Europe/Berlin' });
		for (const { name, value } of zones) {
			expect(name).toBe(value);
			expect(value).toMatch(new RegExp(timezone?.schema.pattern ?? '^$'));
			// No offsets, such as Etc/GMT+1.
			expect(value).toMatch(/^[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z_'-]+)+$/);
		}
	});
});
