import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { getOperation } from '../../../../nodes/VoiceAssistantCalling/resources/index.ts';
import {
	OPERATIONS,
	operationNamed,
	type OperationCase,
} from '../../../support/n8n/operations.mts';
import type { startStubServer } from '../../../support/n8n/stubServer.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { n8nAt, pageIn, pageOf } from '../../../support/n8n/stubService.mts';
import { seedWithCall } from '../../../support/parity/requests.mts';
import { ALICE } from '../../../../sandbox/test/support/seed.mts';
import { startService } from '../../../../sandbox/test/support/service.mts';

/** Operations that only other public documents show (openapi.yaml: `x-documented`), at services that are stubs. */
const startServer = stubServersPerTest();

/** Runs an operation against a service. */
async function run(
	{ parameters }: Pick<OperationCase, 'parameters'>,
	respond: StubResponse | Parameters<typeof startStubServer>[0],
	fields: IDataObject = {},
	items: IDataObject[] = [{}],
) {
	const server = await startServer(typeof respond === 'function' ? respond : () => respond);
	const { output } = await n8nAt(server).runNode({
		parameters: { ...parameters, ...fields } as typeof parameters,
		items,
		settings: { onError: 'continueErrorOutput' },
	});
	const [succeeded, failed] = output.map((each) => each.map(({ json }) => json));
	return { items: succeeded ?? [], error: failed?.[0]?.error as IDataObject, server };
}

const documented = OPERATIONS.flatMap((operation) => {
	const { resource, operation: value } = operation.parameters;
	const { notInContract } = getOperation(resource, value);
	return notInContract ? [{ ...operation, ...notInContract }] : [];
});

/** *Call → Get* reads the list instead. */
const lackable = documented.filter(({ wayRound }) => wayRound !== undefined);

const LACKED = 'your provider does not have this operation.';

describe.each(['contract', 'current'])('at a service of the generation %s', (service) => {
	it('all work, and give the same', async () => {
		const sandbox = await startService({
			seed: seedWithCall(),
			...(service === 'current' && { service }),
		});
		try {
			const n8n = n8nWith({ baseUrl: sandbox.url, apiToken: ALICE });
			const items: Record<string, unknown> = {};
			for (const { name, parameters } of documented) {
				const { output, error } = await n8n.runNode({ parameters });
				expect([name, error?.message]).toEqual([name, undefined]);
				items[name] = output[0].map(({ json }) => json);
			}
			expect(items).toMatchObject({
				'call: make': [{ message: 'Call initiated successfully', status: 'initiated' }],
				'call: get': [{ id: 1, outcome: 'answered', variables: {} }],
				'lead: getAll': [{ id: 1, campaign_id: 1, variables: { customer_name: 'Jane' } }],
				'campaign: getAll': [{ id: 1, name: 'Spring' }],
				'call: delete': [{ deleted: true, id: 1, message: 'Call deleted successfully' }],
				'lead: delete': [{ deleted: true, id: 1, message: 'Lead deleted successfully' }],
				'midCallTool: delete': [{ deleted: true, id: 1, message: 'Tool deleted successfully' }],
			});
		} finally {
			await sandbox.close();
		}
	});
});

it('the operations are all that the nodes have of them', () => {
	const marked = OPERATIONS.filter(({ service }) => 'x-documented' in service.definition);
	expect(documented.map(({ name }) => name)).toEqual(marked.map(({ name }) => name));
	expect(lackable.length).toBeGreaterThan(5);
});

describe.each(lackable)('$name', ({ wayRound = '', notFound, ...operation }) => {
	const NO_ROUTE = { message: 'The route could not be found.' };

	it.each<[what: string, response: StubResponse]>([
		['a framework without the path', { status: 404, body: NO_ROUTE }],
		['a framework without the method', { status: 405, body: { message: 'Not supported.' } }],
		['a web server', { status: 404, body: '<html>Not Found</html>' }],
	])('refused by %s names the provider and the way round', async (_what, response) => {
		const { error, server } = await run(operation, response);
		const description = error.description as string;
		expect(description.toLowerCase()).toContain(LACKED);
		expect(description.endsWith(wayRound)).toBe(true);
		expect(description.includes('Check the ID.')).toBe(
			response.status === 404 && notFound !== undefined,
		);
		expect(description.includes('Base URL')).toBe(typeof response.body === 'string');
		expect(error).toMatchObject({ result: 'refused', httpCode: String(response.status) });
		expect(server.requests).toHaveLength(1);
	});

	const forms = notFound ? [notFound, `${notFound} or does not belong to the user`] : [];
	if (forms.length > 0) {
		it.each(forms)('whose record is not there says so: %s', async (message) => {
			const { error } = await run(operation, { status: 404, body: { message } });
			expect(error).toMatchObject({
				message,
				description:
					'Check the ID. It does not exist in the account that the API token belongs to.',
			});
		});
	}
});

describe.each(OPERATIONS.filter(({ request }) => request.method === 'DELETE'))(
	'$name',
	(operation) => {
		it.each<[what: string, response: StubResponse, message: IDataObject]>([
			['a message', { body: { message: 'Deleted' } }, { message: 'Deleted' }],
			['an empty body', { status: 200 }, { success: true }],
			['204', { status: 204 }, { success: true }],
		])('answered with %s is done', async (_what, response, message) => {
			const { items, server } = await run(operation, response);
			expect(items).toEqual([{ deleted: true, id: 1, ...message }]);
			expect(server.requests).toMatchObject([{ method: 'DELETE', body: undefined }]);
		});

		it('deletes at most as many as Maximum Items says', async () => {
			const limits = { options: { maximumItems: 1 } };
			const { error, server } = await run(operation, {}, limits, [{}, {}]);
			expect(error.message).toContain("'Maximum Items' is 1");
			expect(server.requests).toEqual([]);
		});
	},
);

describe('call: make', () => {
	const make = operationNamed('call: make');

	it.each<[body: IDataObject, item?: IDataObject]>([
		[{ message: 'Call initiated successfully', call_id: 5001, status: 'initiated' }],
		[{ message: 'Call initiated', data: {} }, { message: 'Call initiated' }],
		[{}, { success: true }],
	])('answered with %j is done', async (body, item = body) => {
		for (const status of [200, 201]) {
			const { items } = await run(make, { status, body });
			expect(items).toEqual([item]);
		}
	});

	it.each<[what: string, response: StubResponse]>([
		['a web page', { body: '<html>Welcome</html>' }],
		['a list', { body: [] }],
		['nothing', { status: 204 }],
	])('answered with %s may have called, and is not sent again', async (_what, response) => {
		const { error, server } = await run(make, response);
		expect(error.result).toBe('unknown');
		expect(server.requests).toHaveLength(1);
	});
});

describe('call: get', () => {
	const get = operationNamed('call: get');
	const LIST = /\/calls\?/;
	const call = { id: 1, status: 'completed', total_cost: '0.02', evaluation: [], variables: [] };
	const raw = { simplify: false };

	/** A service with this answer for one call, and this list. */
	const service =
		(alone: StubResponse, rows: IDataObject[] = [call]) =>
		({ url }: { url: string }): StubResponse =>
			LIST.test(url) ? { body: pageOf(rows) } : alone;

	const paths = (requests: Array<{ url: string }>) => requests.map(({ url }) => url.split('?')[0]);

	it('takes the one call in the form of the list', async () => {
		const one = await run(get, service({ body: call }), raw);
		const listed = await run(get, service({ status: 404 }), raw);
		expect(one.items).toEqual(listed.items);
		expect(one.items[0]).toMatchObject({ total_cost: 0.02, variables: {} });
		expect(paths(one.server.requests)).toEqual(['/api/user/calls/1']);
	});

	it.each<StubResponse>([
		{ status: 404, body: { message: 'The route could not be found.' } },
		{ status: 405, body: { message: 'Not supported.' } },
		{ status: 404, body: '<html>Not Found</html>' },
		// A service that takes the path for another one.
		{ body: pageOf([call]) },
	])('reads the list after %j, and asks no more for one call', async (alone) => {
		const server = await startServer(service(alone));
		const n8n = n8nAt(server);
		const options = { dateFrom: '2026-02-10' };
		for (const items of [[{}], [{}, {}, {}]]) {
			const { output } = await n8n.runNode({
				parameters: { ...get.parameters, options },
				items,
			});
			expect(output[0]).toHaveLength(items.length);
		}
		expect(server.requests.map(({ url }) => url)).toEqual([
			'/api/user/calls/1',
			...Array.from({ length: 2 }, () =>
				expect.stringMatching(/^\/api\/user\/calls\?(?=.*page=1)(?=.*date_from=2026-02-10)/),
			),
		]);
	});

	it.each(['Call not found', 'Call not found or does not belong to the authenticated user'])(
		'believes a service that says: %s',
		async (message) => {
			const alone = { status: 404, body: { message } };
			const { error, server } = await run(get, service(alone, [{ ...call, id: 2 }]));
			expect(error).toMatchObject({ message, result: 'refused', httpCode: '404' });
			// The list only shows that the call is not a new one.
			expect(paths(server.requests)).toEqual(['/api/user/calls/1', '/api/user/calls']);
		},
	);

	it('asks for one call again where the list did not have it either', async () => {
		const server = await startServer(service({ status: 404 }, [{ ...call, id: 2 }]));
		const n8n = n8nAt(server);
		for (let round = 1; round <= 2; round++) {
			const { error } = await n8n.runNode({ parameters: get.parameters });
			expect(error?.message).toBe('Call not found');
			expect(paths(server.requests).filter((path) => path?.endsWith('/1'))).toHaveLength(round);
		}
	});

	it('fails with another refusal, and reads no list', async () => {
		const refusal = { status: 403, body: { message: 'Not allowed' } };
		const { error, server } = await run(get, service(refusal));
		expect(error.message).toBe('Not allowed');
		expect(server.requests).toHaveLength(1);
	});
});

describe('campaign: getAll', () => {
	const getAll = operationNamed('campaign: getAll');
	const campaigns = Array.from({ length: 150 }, (_, index) => ({ id: `${index + 1}` }));

	it.each([campaigns, { campaigns }, { data: campaigns }].map((body) => [body]))(
		'reads a list that comes as a whole, in three forms',
		async (body) => {
			const all = await run(getAll, { body }, { returnAll: true });
			expect(all.items).toHaveLength(150);
			expect(all.items[149]).toEqual({ id: 150 });
			expect(all.server.requests.map(({ url }) => url)).toEqual(['/api/user/campaigns']);
			expect((await run(getAll, { body }, { limit: 2 })).items).toHaveLength(2);
		},
	);

	it('reads further pages where there are some', async () => {
		const respond = ({ url }: { url: string }): StubResponse => {
			const page = pageIn(url) || 1;
			return { body: pageOf([{ id: page }], { current_page: page, last_page: 3, total: 3 }) };
		};
		const { items } = await run(getAll, respond, { returnAll: true });
		expect(items).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
	});
});

it('lead: getAll looks for a part of a phone number as it was entered', async () => {
	const { server } = await run(
		operationNamed('lead: getAll'),
		{ body: pageOf([]) },
		{ filters: { phoneNumber: '1511', status: 'blacklisted' } },
	);
	expect(server.requests[0]?.url).toMatch(/(?=.*phone_number=1511\b)(?=.*status=blacklisted)/);
});
