import { expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { filesMatching } from '../../../support/package.mts';
import { contractOperations, missingValues } from '../../../support/parity/contract.mts';
import { PREVIEWS, previewViolations } from '../../../support/parity/previews.mts';
import { FILLED, seedWithCall } from '../../../support/parity/requests.mts';
import { startTestService } from '../../../../sandbox/test/support/testService.mts';
import { ALICE } from '../../../../sandbox/test/support/seed.mts';

/**
 * Fills in every field of the node and runs it in n8n against the sandbox. Compares the requests that
 * arrive, with their JSON types, and the output, with the output previews.
 */
useDefaultEngine();
const service = await startTestService({ seed: seedWithCall() });
const n8n = n8nWith({ baseUrl: service.url, apiToken: ALICE });

/** Runs the node on one item. @returns its output and the requests that arrived at the service */
async function run(parameters: INodeParameters) {
	const { output, error } = await n8n.runNode({ parameters });
	// n8n stores errors as plain objects.
	if (error) throw new Error(error.message);
	const requests = (await service.control.requests()).map(({ method, path, query, body }) => ({
		method,
		path,
		query,
		body,
	}));
	return { items: output[0].map(({ json }) => json), requests };
}

it.each(contractOperations)(
	'the filled operations set every value of $operationId',
	(operation) => {
		const left = FILLED.filter((filled) => filled.operationId === operation.operationId).map(
			({ request: { path, query = {}, body = {} } }) =>
				missingValues(operation, { path: { id: path.split('/').at(-1) }, query, body }),
		);
		const names = operation.requestValues.map((value) => value.name);
		expect(names.filter((name) => left.every((empty) => empty.includes(name)))).toEqual([]);
	},
);

it.each(FILLED)(
	'$name sends every field with its value and its JSON type, and gives what its output preview shows',
	async ({ name, parameters, request }) => {
		const { items, requests } = await run(parameters);
		// An update of an assistant learns first which names the service takes, and looks at the record after it.
		const own = requests.filter(
			({ method, path }) => method === request.method && path === request.path,
		);
		expect(own).toEqual([{ query: {}, body: null, ...request }]);
		expect(requests.length - own.length).toBe(name === 'assistant: update' ? 2 : 0);
		expect(items).toHaveLength(1);
		expect(previewViolations(name.replace(': ', '/'), items[0])).toEqual([]);
	},
);

it.each<[what: string, resource: string, fields: INodeParameters, body: object]>([
	[
		'null and empty lists where the user clears an assistant',
		'assistant',
		{
			assistantId: '1',
			removeFields: {
				phoneNumber: true,
				postCallSchema: true,
				tools: true,
				variables: true,
				webhookUrl: true,
			},
		},
		{ phone_number_id: null, post_call_schema: [], tool_ids: [], variables: {}, webhook_url: null },
	],
	[
		'empty lists where the user clears a tool',
		'midCallTool',
		{ toolId: '1', removeFields: { headers: true, parameters: true } },
		{ headers: [], schema: [] },
	],
	[
		'the type that the screen shows for an entry',
		'assistant',
		{ assistantId: '1', postCallSchema: { value: [{ name: 'booked', description: 'Booked' }] } },
		{ post_call_schema: [{ name: 'booked', description: 'Booked', type: 'string' }] },
	],
])('an update sends %s', async (_what, resource, fields, body) => {
	const { requests } = await run({ resource, operation: 'update', ...fields });
	expect(requests.map((request) => request.body)).toEqual([body]);
});

it.each([
	['assistant', { assistantId: '1', updateFields: {} }],
	['assistant', { assistantId: '1', updateFields: { name: '' } }],
	['assistant', { assistantId: '1', callHandling: { endCallToolDescription: '' } }],
	['lead', { leadId: '1' }],
	['lead', { leadId: '1', updateFields: { email: '' } }],
	['lead', { leadId: '1', updateFields: { customerName: '' }, variables: {} }],
	['midCallTool', { toolId: '1', removeFields: { headers: false } }],
])(
	'an update makes no request where nothing is left to change: %s %j',
	async (resource, fields) => {
		const { error } = await n8n.runNode({
			parameters: { resource, operation: 'update', ...fields },
		});
		expect(error).toMatchObject({
			message: 'There is nothing to change, because no field has a value',
			description: 'Add at least one field and fill it in. Nothing was sent for this item.',
		});
		expect(await service.control.requests()).toEqual([]);
	},
);

it('the output previews are there for every operation and for nothing else', () => {
	const names = FILLED.map(({ name }) => name.replace(': ', '/'));
	expect(filesMatching(`${PREVIEWS}/**/*.json`)).toEqual(
		names.map((name) => `${PREVIEWS}/${name}.json`).sort(),
	);
});
