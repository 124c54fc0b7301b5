import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { testCredential } from '../../../support/n8n/testCredential.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';

const startServer = stubServersPerTest();

// n8n sets this from N8N_SSRF_PROTECTION_ENABLED. Its protection then refuses the addresses of this machine.
const protection = Container.get(SsrfProtectionConfig);
beforeAll(() => {
	protection.enabled = true;
});
afterAll(() => {
	protection.enabled = false;
});

it.each(['lead: create', 'call: getAll'])(
	'%s says that n8n refuses the host, and sends nothing',
	async (name) => {
		const server = await startServer(() => ({ body: {} }));
		const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' });
		const { error } = await n8n.runNode({ parameters: operationNamed(name).parameters });
		expect(error).toMatchObject({
			message: 'This n8n does not allow requests to the host of the Base URL',
			description:
				'Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
		});
		expect(server.requests).toEqual([]);
	},
);

it.each([
	...['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f000001', '0.0.0.0'],
	...['[::1]', '[::ffff:127.0.0.1]'],
])('the test of a credential for %s says so too, and sends nothing', async (host) => {
	const server = await startServer(() => ({ status: 400, body: { message: 'Inner secret' } }));
	const baseUrl = `${server.origin.replace('127.0.0.1', host)}/api`;
	expect(await testCredential({ baseUrl, apiToken: 'a-token' })).toEqual({
		status: 'Error',
		message:
			'This n8n does not allow requests to the host of the Base URL. Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
	});
	expect(server.requests).toEqual([]);
});
