import assert from 'node:assert/strict';

import * as z from 'zod';

import { ACTION } from '../../host/n8n/names.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** The entry that n8n adds to the lists of other nodes. */
const OF_N8N = '__CUSTOM_API_CALL__';

const nodeType = z.object({
	name: z.string(),
	properties: z.array(
		z.object({
			name: z.string(),
			options: z
				.array(z.object({ name: z.string().optional(), value: z.unknown() }).passthrough())
				.optional(),
		}),
	),
});

/** What n8n lists beside *Custom API Call*. `test/nodes/` has the requests, also those of an agent. */
export async function customApiCall(environment: E2eEnvironment): Promise<void> {
	const { check, catalogue } = environment;

	await check('the lists have one Custom API Call, which is ours', async () => {
		const types = z.array(nodeType).parse(await catalogue.nodeTypes());
		const entries = (nodes: typeof types) =>
			nodes
				.flatMap(({ properties }) => properties)
				.filter(({ name }) => ['resource', 'operation'].includes(name))
				.flatMap(({ options = [] }) => options);
		for (const wanted of [ACTION, `${ACTION}Tool`]) {
			const ours = entries(types.filter(({ name }) => name === wanted));
			assert.deepEqual(
				ours.filter(({ name }) => name === 'Custom API Call').map(({ value }) => value),
				['customApiCall'],
			);
			assert.ok(ours.every(({ value }) => value !== OF_N8N));
		}
		// This n8n adds its own to other nodes.
		assert.ok(entries(types).some(({ value }) => value === OF_N8N));
	});
}
