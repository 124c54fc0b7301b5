import { expect, it } from '@jest/globals';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { startServer } from '../../../support/n8n/server.mts';

// n8n reads it when it is loaded. Its protection then refuses the addresses of this machine.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
const { n8nWith } = await import('../../../support/n8n/n8n.mts');

it.each(['lead: create', 'call: getAll'])(
	'a host that n8n refuses is told, and nothing of %s is sent',
	async (name) => {
		const server = await startServer(() => ({ body: {} }));
		const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' });
		const { error } = await n8n.runNode({ parameters: operationNamed(name).parameters });
		expect(error).toMatchObject({
			message: 'This n8n does not allow requests to the host of the Base URL',
			description: 'Ask who runs this n8n to allow the host (n8n calls this SSRF protection).',
		});
		expect(server.requests).toEqual([]);
		await server.close();
	},
);
