import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import {
	OPERATIONS,
	operationNamed,
	type OperationCase,
} from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt } from '../../../support/n8n/stubService.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent } = await startTestEnvironment();
const startServer = stubServersPerTest();

const NAME = 'additionalFieldsJson';

/** The collection that has the field, if the operation has it. */
const getCollection = ({ fields }: OperationCase) =>
	fields.find(({ options = [] }) => options.some(({ name }) => name === NAME))?.name;

/** The parameters of an operation with a value in the field. */
function withJson(operation: OperationCase, json: unknown): INodeParameters {
	const { parameters } = operation;
	const collection = String(getCollection(operation));
	const entered = { ...(parameters[collection] as object), [NAME]: json };
	return { ...parameters, [collection]: entered } as INodeParameters;
}

const operations = OPERATIONS.filter((operation) => getCollection(operation) !== undefined);

describe('Additional Fields (JSON)', () => {
	it('are there where the service may take fields that this package does not know', () => {
		expect(operations.map(({ name }) => name)).toEqual([
			'lead: create',
			'midCallTool: create',
			'midCallTool: update',
			'assistant: create',
			'assistant: update',
		]);
	});

	it.each(operations)(
		'of $name are sent as they are, beside the other fields',
		async (operation) => {
			const added = { priority: 2, name_of_shop: null, list: [{ name: '7' }], __proto__x: '' };
			const server = await startServer(() => ({
				body: { message: 'Done', data: { id: 1, ...added } },
			}));
			for (const json of [JSON.stringify(added), '={{ $json.added }}']) {
				const parameters = withJson(operation, json);
				const { output } = await n8nAt(server).runNode({ parameters, items: [{ added }] });
				expect(output[0][0]?.json).toMatchObject(
					operation.name.startsWith('assistant') ? { id: 1 } : added,
				);
			}
			const body = { ...operation.request.body, ...added };
			expect(server.requests.map((request) => request.body)).toEqual([body, body]);
		},
	);

	it.each(operations)('of $name are refused by the service by name', async (operation) => {
		const parameters = withJson(operation, '{"priority": 2}');
		const { error } = await n8n.runNode({ parameters });
		expect(error?.message).toBe("'priority': The priority field does not exist.");
		expect(await sent()).toHaveLength(1);
	});

	it.each([
		['assistant: create', '{"language": "German"}', 'language', 'Language'],
		['assistant: create', '{"variables": {"a": 1}}', 'variables', 'Variables'],
		['assistant: create', '{"end_call_tool": {}}', 'end_call_tool', expect.anything()],
		['assistant: update', '{"webhook_url": null}', 'webhook_url', 'Webhook URL'],
		['assistant: update', '{"remove": {}}', 'remove', expect.anything()],
		['lead: create', '{"phone_number": "+49"}', 'phone_number', 'Phone Number'],
		['lead: create', '{"campaign_id": 2}', 'campaign_id', 'Campaign'],
		['lead: create', '{"allow_dupplicate": true}', 'allow_dupplicate', 'On Duplicate'],
		['lead: create', '{"secondary_contacts": []}', 'secondary_contacts', 'Secondary Contacts'],
		['midCallTool: update', '{"schema": []}', 'schema', 'Parameters'],
	])(
		'of %s refuse %s by the name of the field that sends it',
		async (name, json, property, label) => {
			const { error } = await n8n.runNode({ parameters: withJson(operationNamed(name), json) });
			const [, sender] = /sends$/.test(String(error?.message))
				? (/which the field '(.*)' sends$/.exec(String(error?.message)) ?? [])
				: [];
			expect(error?.message).toBe(
				`'Additional Fields (JSON)' has the name ${property}, which the field '${sender}' sends`,
			);
			expect(sender).toEqual(label);
			expect(await sent()).toEqual([]);
		},
	);

	// Each begins like a name that a field sends, or is one that every object has.
	it.each(['phone', 'tool', 'webhook', 'constructor', 'toString', '__proto__'])(
		'the name %s is sent, because no field sends it',
		async (name) => {
			const server = await startServer(() => ({ body: { message: 'Done', data: { id: 1 } } }));
			const json = `{"${name}": "any"}`;
			for (const operation of operations) {
				const { error } = await n8nAt(server).runNode({ parameters: withJson(operation, json) });
				expect(error).toBeUndefined();
			}
			const sentTexts = server.requests.map(({ body }) => Object.entries(body as object));
			expect(sentTexts).toHaveLength(operations.length);
			for (const entries of sentTexts) expect(entries).toContainEqual([name, 'any']);
		},
	);

	it.each([
		['[1]', 'must be a JSON object, such as {"city": "Berlin"}'],
		['"text"', 'must be a JSON object, such as {"city": "Berlin"}'],
		['{"a": 1', expect.stringMatching(/^is not valid JSON/)],
		['={{ 7 }}', 'must be a JSON object, such as {"city": "Berlin"}'],
	])('%s is refused, and nothing is sent', async (json, problem) => {
		const { error } = await n8n.runNode({
			parameters: withJson(operationNamed('lead: create'), json),
		});
		const [, told] = /^'Additional Fields \(JSON\)' (.*)$/s.exec(String(error?.message)) ?? [];
		expect(told).toEqual(problem);
		expect(await sent()).toEqual([]);
	});

	it.each(['', '{}', '={{ null }}', '={{ {} }}'])(
		'%j adds nothing, and an update with it alone changes nothing',
		async (json) => {
			const create = operationNamed('lead: create');
			await n8n.runNode({ parameters: withJson(create, json) });
			expect((await sent()).map(({ body }) => body)).toEqual([create.request.body]);
			const update = {
				resource: 'midCallTool',
				operation: 'update',
				toolId: '1',
				updateFields: { [NAME]: json },
			};
			const { error } = await n8n.runNode({ parameters: update });
			expect(error?.message).toBe('There is nothing to change, because no field has a value');
		},
	);
});
