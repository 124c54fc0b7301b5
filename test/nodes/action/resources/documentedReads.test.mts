import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { readAssumeFile } from '../../../../sandbox/src/contract/assumptions.mts';
import { ALICE } from '../../../../sandbox/test/support/seed.mts';
import { startService, type Service } from '../../../../sandbox/test/support/service.mts';
import { n8nWith, type N8n } from '../../../support/n8n/n8n.mts';
import { byId } from '../../../support/n8n/operations.mts';
import { root } from '../../../support/package.mts';

/** What the operations that only read send, by resource and operation. */
const READS: Array<[INodeParameters, path: string, wayRound: string]> = [
	[
		{ resource: 'midCallTool', operation: 'get', toolId: byId(2) },
		'/user/tools/2',
		'Look at the tool in your account at the provider.',
	],
	[
		{ resource: 'midCallTool', operation: 'getAll', returnAll: true },
		'/user/tools',
		'Look at the tools in your account at the provider.',
	],
	[
		{ resource: 'phoneNumber', operation: 'getAll', returnAll: true },
		'/user/phone-numbers/all',
		"Use 'Custom API Call' with the path /user/assistants/phone-numbers, or look at the numbers in your account at the provider.",
	],
	[
		{ resource: 'account', operation: 'get' },
		'/user/me',
		'Look at the balance in your account at the provider.',
	],
];

describe.each(['contract', 'current'])('at the service as in %s', (preset) => {
	let service: Service;
	let n8n: N8n;
	beforeAll(async () => {
		const current = join(root, 'sandbox/presets/current.yaml');
		service = await startService({
			assume: preset === 'current' ? await readAssumeFile(current) : {},
		});
		n8n = n8nWith({ baseUrl: service.url, apiToken: ALICE });
	});
	afterAll(() => service.close());
	beforeEach(() => service.reset());

	it.each(READS)('%j gives the records that the service sends', async (parameters, path) => {
		const { output, error } = await n8n.runNode({ parameters });
		expect(error).toBeUndefined();
		const requests = await service.control.requests();
		expect(requests).toMatchObject([{ method: 'GET', path: `/api${path}`, query: {} }]);
		const [request] = requests;
		const body = request && (await service.control.responseTo(request));
		const { data = body } = body as { data?: unknown };
		expect(output[0].map(({ json }) => json)).toEqual([data].flat());
		expect(output[0].length).toBeGreaterThan(0);
	});

	it.each(READS)(
		'%j says where the provider lacks it what to do',
		async (parameters, _path, way) => {
			for (const status of [404, 405]) {
				await service.control.fault({ status, body: { message: 'No such route' } });
				const { error } = await n8n.runNode({ parameters });
				expect(error?.description).toContain(`provider does not have this operation. ${way}`);
			}
		},
	);

	it('a list ends at the limit', async () => {
		const parameters = { resource: 'midCallTool', operation: 'getAll', limit: 1 };
		const { output } = await n8n.runNode({ parameters });
		expect(output[0]).toHaveLength(1);
	});

	it('a tool that is not there is told in the words of the service', async () => {
		const parameters = { resource: 'midCallTool', operation: 'get', toolId: byId(999) };
		const { error } = await n8n.runNode({ parameters });
		expect(error?.message).toBe('Tool not found');
		expect(error?.description).not.toContain('does not have this operation');
	});
});
