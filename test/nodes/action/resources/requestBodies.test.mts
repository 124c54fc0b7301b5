import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { byId, fromList, operationNamed } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent } = await startTestEnvironment();

/** Runs an operation with further parameters. @returns the body that arrived */
async function getBody(name: string, fields: INodeParameters, item: object = {}) {
	const { parameters } = operationNamed(name);
	const nothing = name.endsWith('update') ? { updateFields: {} } : {};
	const run = await n8n.runNode({
		parameters: { ...parameters, ...nothing, ...fields },
		items: [item as IDataObject],
	});
	expect(run.error).toBeUndefined();
	// What an update of an assistant learns and looks up has no body, or an empty one.
	const requests = (await sent()).filter(({ body }) => Object.keys(body ?? {}).length > 0);
	expect(requests).toHaveLength(1);
	return requests[0]?.body;
}

const LEAD = { campaign_id: 1, phone_number: '+4915112345699' };

type Variables = [
	what: string,
	operation: string,
	fields: INodeParameters,
	arriving: IDataObject | undefined,
	item?: object,
];

async function expectVariables(...[, name, fields, variables, item]: Variables) {
	const others = name === 'lead: create' ? LEAD : {};
	expect(await getBody(name, fields, item)).toEqual({ ...others, variables });
}

describe('variables', () => {
	const oneByOne = (values: Record<string, string>) => ({
		variables: { variable: Object.entries(values).map(([name, value]) => ({ name, value })) },
	});
	const inJson = (variablesJson: string) => ({ variablesMode: 'json', variablesJson });

	it.each<Variables>([
		[
			'may come from an expression that gives an object',
			'lead: create',
			inJson('={{ $json.extra }}'),
			{ customer_name: 'Jane', city: 'Bonn', visits: 3 },
			{ extra: { city: 'Bonn', visits: 3 } },
		],
		[
			'with an empty value are left out',
			'lead: update',
			oneByOne({ a: '', b: '={{ null }}', c: '={{ $json.none }}', city: 'Bonn' }),
			{ city: 'Bonn' },
		],
		['with an empty value in JSON are sent', 'lead: update', inJson('{"a": ""}'), { a: '' }],
		[
			'of another choice than the chosen one are not sent',
			'lead: update',
			{ ...oneByOne({ b: 'c' }), ...inJson('{"a": 1}'), variablesToLeaveOut: 'a' },
			{ a: 1 },
		],
	])('%s', expectVariables);
});

describe('Send All Input Fields', () => {
	const without = (variablesToLeaveOut = '') => ({
		variablesMode: 'sendAllInputFields',
		variablesToLeaveOut,
	});
	const values = {
		'tea.kind': 'green',
		visits: 3,
		vip: true,
		tags: ['a', 'b'],
		address: { city: 'Bonn' },
		json: 'a column',
		variable: 'another',
		note: '👋 مرحبا',
	};

	it.each<Variables>([
		[
			'keeps a text where a path would lead into it',
			'lead: update',
			without('address.zip'),
			{ address: 'Bonn' },
			{ address: 'Bonn', city: null },
		],
		[
			'leaves out the value at a path, and a field whose name has dots',
			'lead: update',
			without('a.b, address.zip, missing.field'),
			{ a: { b: 2, c: 3 }, address: { city: 'Bonn' } },
			{ 'a.b': 1, a: { b: 2, c: 3 }, address: { city: 'Bonn', zip: '53111' } },
		],
		[
			'sends each field that has a value, as it is, without those to leave out',
			'lead: create',
			{ customerName: '={{ $json.name }}', ...without('phone , campaign,name,') },
			{ customer_name: 'Jane', email: '4711', ...values },
			{ phone: '+49', campaign: 1, name: 'Jane', email: 4711, ...values, empty: '', missing: null },
		],
		[
			'lets a field of the form win over a field of the item',
			'lead: create',
			without(),
			{ customer_name: 'Jane', city: 'Bonn' },
			{ customer_name: 'Old', city: 'Bonn' },
		],
		[
			'sends the fields of an item to an assistant',
			'assistant: update',
			without(),
			{ b: { c: [null] } },
			{ b: { c: [null] } },
		],
		[
			'sends dates as text',
			'lead: update',
			without(),
			{ date: '2026-01-31T10:00:00.000Z' },
			{ date: new Date('2026-01-31T10:00:00Z') },
		],
		[
			'sends no variables of an item without values',
			'lead: create',
			{ customerName: '', ...without() },
			undefined,
			{ a: '', b: null },
		],
	])('%s', expectVariables);
});

const contacts = (...contact: INodeParameters[]) => ({
	additionalFields: { secondaryContacts: { contact } },
});

it.each([
	['that the service refuses', '123', /^'Secondary Contacts → 2 → Phone Number': ./, 1],
	['that is empty', '={{ $json.none }}', /^'Secondary Contacts → 2 → Phone Number' is empty$/, 0],
])('a contact %s is named by its position', async (_what, phoneNumber, message, requests) => {
	const { error } = await n8n.runNode({
		parameters: {
			...operationNamed('lead: create').parameters,
			...contacts({ phoneNumber: '+4915112345621' }, { phoneNumber }),
		},
	});
	expect(error?.message).toMatch(message);
	expect(await sent()).toHaveLength(requests);
});

const FROM_ITEM = '={{ $json.tool }}';
const TOOL_IDS = [fromList('1', 'get_weather'), byId('2'), byId(FROM_ITEM), FROM_ITEM];

it.each<[string, string, INodeParameters, IDataObject, object?]>([
	[
		'without what is removed and also set',
		'assistant: update',
		{
			removeFields: { tools: true, phoneNumber: true, webhookUrl: true },
			tools: { tool: [{ toolId: byId('2') }] },
			callHandling: { phoneNumberId: '4' },
			afterTheCall: { webhookUrl: 'https://example.com/calls', isWebhookActive: true },
		},
		{
			tool_ids: [2],
			phone_number_id: 4,
			webhook_url: 'https://example.com/calls',
			is_webhook_active: true,
		},
	],
	[
		'without lists where their removal is switched off',
		'midCallTool: update',
		{
			updateFields: { timeout: 5 },
			removeFields: { headers: false, parameters: '={{ "false" }}' },
		},
		{ timeout: 5 },
	],
	[
		'without lists whose JSON is empty',
		'midCallTool: update',
		{
			updateFields: { timeout: 5 },
			parametersMode: 'json',
			parametersJson: '[]',
			headersMode: 'json',
			headersJson: '={{ $json.none }}',
		},
		{ timeout: 5 },
	],
	[
		'with tools from the list, by id, by expression and as plain text',
		'assistant: update',
		{ tools: { tool: TOOL_IDS.map((toolId) => ({ toolId })) } },
		{ tool_ids: [1, 2, 2, 2] },
		{ tool: 2 },
	],
	[
		'with a minimum of words that is switched off by 0',
		'assistant: update',
		{ conversation: { minInterruptWords: 0 } },
		{ min_interrupt_words: 0, use_min_interrupt_words: false },
	],
	[
		'with a text where an expression gives a number',
		'sms: send',
		{ body: '={{ $json.code }}' },
		{ ...operationNamed('sms: send').request.body, body: '4711' },
		{ code: 4711 },
	],
	[
		'with the fields of contacts that have a value, as texts',
		'lead: create',
		{
			customerName: '={{ 8 }}',
			...contacts(
				{ phoneNumber: '+4915112345621', customerName: '={{ 7 }}' },
				{ phoneNumber: '+4915112345622', customerName: '', email: '', variables: '{}' },
				{ phoneNumber: '={{ $json.third }}', variables: '={{ { age: 7 } }}' },
			),
		},
		{
			...LEAD,
			variables: { customer_name: '8' },
			secondary_contacts: [
				{ phone_number: '+4915112345621', variables: { customer_name: '7' } },
				{ phone_number: '+4915112345622' },
				{ phone_number: '+4915112345623', variables: { age: 7 } },
			],
		},
		{ third: '+4915112345623' },
	],
])('a body is sent %s', async (_what, name, fields, body, item = {}) => {
	expect(await getBody(name, fields, item)).toEqual(body);
});

describe('a list of a mid call tool', () => {
	const parameter = (name: string) => ({ name, type: 'string', description: 'The day' });
	const header = (name: string) => ({ name, value: '7' });
	const days = (...names: string[]) => names.map(parameter);
	const shops = [header('X-Shop'), header('x-shop')];

	it.each<[string, INodeParameters]>([
		["'Parameters' has the name Day", { parameters: { parameter: days('day', 'time', 'Day') } }],
		[
			"'Parameters (JSON)' has the name Day",
			{ parametersMode: 'json', parametersJson: JSON.stringify(days('day', 'time', ' Day ')) },
		],
		["'Headers' has the name x-shop", { headers: { header: shops } }],
		[
			"'Headers (JSON)' has the name x-shop",
			{ headersMode: 'json', headersJson: JSON.stringify(shops) },
		],
	])('is refused when %s twice', async (message, lists) => {
		for (const name of ['midCallTool: create', 'midCallTool: update']) {
			const { error } = await n8n.runNode({
				parameters: { ...operationNamed(name).parameters, ...lists },
			});
			expect(error).toMatchObject({
				message: `${message} twice`,
				description: 'Rename or remove one. Nothing was sent for this item.',
			});
		}
		expect(await sent()).toEqual([]);
	});
});
