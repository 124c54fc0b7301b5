import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { filesMatching, root } from '../../../support/package.mts';
import {
	missingValues,
	readContract,
	serviceOperations,
} from '../../../support/parity/contract.mts';
import { PREVIEWS, previewViolations } from '../../../support/parity/previews.mts';
import { FILLED, seedWithCall } from '../../../support/parity/requests.mts';
import { startTestService } from '../../../support/sandbox/testService.mts';
import { ALICE } from '../../../support/sandbox/seed.mts';

/**
 * Fills in every field of the node and runs it in n8n against the sandbox. Compares the requests that
 * arrive, with their JSON types, and the output, with the output previews.
 */
useDefaultEngine();
const service = await startTestService({ seed: seedWithCall() });
const n8n = n8nWith({ baseUrl: service.url, apiToken: ALICE });
const contract = serviceOperations(
	await readContract(readFileSync(join(root, 'contract/openapi.yaml'), 'utf8')),
);

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

/** The bodies that an update sends. */
async function updateBody(resource: string, fields: INodeParameters) {
	const { requests } = await run({ resource, operation: 'update', ...fields });
	return requests.map(({ body }) => body);
}

it.each(contract.map((operation) => [operation.operationId, operation] as const))(
	'the filled operations set every value of %s',
	(operationId, operation) => {
		const left = FILLED.filter((filled) => filled.operationId === operationId).map(
			({ request: { path, query = {}, body = {} } }) =>
				missingValues(operation, { path: { id: path.split('/').at(-1) }, query, body }),
		);
		const names = operation.requestValues.map((value) => value.name);
		expect(names.filter((name) => left.every((empty) => empty.includes(name)))).toEqual([]);
	},
);

it('a missing value is named, also inside of lists and objects', () => {
	const body = {
		phone_number: '+4915112345699',
		campaign_id: 1,
		allow_dupplicate: true,
		variables: { customer_name: 'Ada Moreno', city: 'Berlin' },
		secondary_contacts: [{ phone_number: '+4915112345698', variables: { email: 'a@b.example' } }],
	};
	const createLead = contract.filter(({ operationId }) => operationId === 'createLead');
	const missing = createLead.flatMap((operation) => missingValues(operation, { body }));
	expect(missing).toEqual([
		'body.variables.email',
		'body.secondary_contacts[].variables.customer_name',
		'body.secondary_contacts[].variables.*',
	]);
});

describe.each(FILLED)('$name', ({ name, parameters, request }) => {
	it('sends every field with its value and its JSON type, and nothing else', async () => {
		const { requests } = await run(parameters);
		expect(requests).toEqual([{ query: {}, body: null, ...request }]);
	});

	it('gives what its output preview shows', async () => {
		const { items } = await run(parameters);
		expect(items).toHaveLength(1);
		expect(previewViolations(name.replace(': ', '/'), items[0])).toEqual([]);
	});
});

describe('clearing on purpose', () => {
	it('sends null and empty lists for an assistant', async () => {
		const removeFields = {
			phoneNumber: true,
			postCallSchema: true,
			tools: true,
			variables: true,
			webhookUrl: true,
		};
		expect(await updateBody('assistant', { assistantId: '1', removeFields })).toEqual([
			{
				phone_number_id: null,
				post_call_schema: [],
				tool_ids: [],
				variables: {},
				webhook_url: null,
			},
		]);
	});

	it('sends empty lists for a tool', async () => {
		const removeFields = { headers: true, parameters: true };
		expect(await updateBody('midCallTool', { toolId: '1', removeFields })).toEqual([
			{ headers: [], schema: [] },
		]);
	});
});

describe('what the user left out', () => {
	it('is not sent: a field that was added and left empty', async () => {
		const updateFields = { phoneNumber: '', email: '', customerName: 'Ada' };
		expect(await updateBody('lead', { leadId: '1', updateFields })).toEqual([
			{ variables: { customer_name: 'Ada' } },
		]);
	});

	it('has the value that the screen shows: the type of an entry', async () => {
		const value = [{ name: 'booked', description: 'Whether it was booked' }];
		const postCallSchema = { value };
		expect(await updateBody('assistant', { assistantId: '1', postCallSchema })).toEqual([
			{ post_call_schema: [{ ...value[0], type: 'string' }] },
		]);
	});

	it.each([
		['assistant', { assistantId: '1', updateFields: { name: '' } }],
		['assistant', { assistantId: '1', callHandling: { endCallToolDescription: '' } }],
		['lead', { leadId: '1' }],
		['lead', { leadId: '1', updateFields: { customerName: '' }, variables: {} }],
		['midCallTool', { toolId: '1', removeFields: { headers: false } }],
	])('makes no request where nothing is left to change: %s %j', async (resource, fields) => {
		await expect(updateBody(resource, fields)).rejects.toThrow(
			'There is nothing to change, because no field has a value',
		);
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('the output previews', () => {
	it('are there for every operation and for nothing else', () => {
		const names = FILLED.map(({ name }) => name.replace(': ', '/'));
		expect(filesMatching(`${PREVIEWS}/**/*.json`)).toEqual(
			names.map((name) => `${PREVIEWS}/${name}.json`).sort(),
		);
	});

	it.each([
		['lacks a field', {}],
		['has another field', { message: 'Lead updated successfully', id: 1 }],
		['has a field of another type', { message: 1 }],
	])('do not fit an item that %s', (_, item) => {
		expect(previewViolations('lead/update', item)).not.toEqual([]);
	});
});
