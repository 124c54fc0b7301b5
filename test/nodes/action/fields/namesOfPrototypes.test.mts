import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { buildRequest } from '../../../../nodes/VoiceAssistantCalling/fields/buildRequest.ts';
import { checkFields } from '../../../../nodes/VoiceAssistantCalling/fields/checkFields.ts';
import { datesAsText } from '../../../../nodes/VoiceAssistantCalling/fields/dates.ts';
import { operationOf } from '../../../../nodes/VoiceAssistantCalling/resources/index.ts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent } = await startTestEnvironment();

/**
 * Names that users may choose, and that JavaScript's objects inherit. They are names like all others: the
 * request has them as own properties.
 */
const NAMES = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'];

const TEXT = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, { [name]: name }])));
const parsed = () => datesAsText(JSON.parse(TEXT));

const ENDPOINT = { baseUrl: '', assistantListPath: '', campaignListPath: '' };
const CONTEXT = {
	getNodeParameter: (_name: string, fallback: unknown) => fallback,
	getCredentials: async () => await Promise.resolve({}),
};

/** The body of the request that is built from the values of an operation's fields. */
async function bodyOf(operation: 'create' | 'update', values: object): Promise<IDataObject> {
	const lead = operationOf('lead', operation);
	const all = { campaignId: 1, leadId: 1, phoneNumber: '+4915112345699', ...values };
	checkFields(lead.fields, all);
	return (await buildRequest(lead, all, ENDPOINT, CONTEXT)).body as IDataObject;
}

describe('names that all objects inherit', () => {
	it.each<[how: string, values: () => object]>([
		['as JSON', () => ({ variablesMode: 'json', variablesJson: TEXT })],
		['as an object', () => ({ variablesMode: 'json', variablesJson: parsed() })],
		[
			'as fields of the item',
			() => ({
				variablesMode: 'sendAllInputFields',
				variablesInput: parsed(),
				variablesToLeaveOut: 'other, constructor.none, __proto__.__proto__.none',
			}),
		],
	])('are kept as variables, entered %s', async (_how, values) => {
		for (const operation of ['create', 'update'] as const) {
			const { variables } = await bodyOf(operation, values());
			expect(JSON.stringify(variables)).toBe(TEXT);
		}
	});

	it('are kept as variables, entered one by one', async () => {
		const variable = NAMES.map((name) => ({ name, value: `own ${name}` }));
		const { variables } = await bodyOf('update', {
			variablesMode: 'mapEachField',
			variables: { variable },
		});
		expect(Object.entries(variables as object)).toEqual(NAMES.map((name) => [name, `own ${name}`]));
	});

	it('are left out of the variables when the user says so', async () => {
		const { variables } = await bodyOf('update', {
			variablesMode: 'sendAllInputFields',
			variablesInput: parsed(),
			variablesToLeaveOut: '__proto__, constructor.constructor, toString',
		});
		expect(Object.entries(variables as object)).toEqual([
			['constructor', {}],
			['prototype', { prototype: 'prototype' }],
			['hasOwnProperty', { hasOwnProperty: 'hasOwnProperty' }],
		]);
	});

	it('are kept as variables of a secondary contact', async () => {
		const contact = [{ phoneNumber: '+4915112345698', variables: TEXT }];
		const { secondary_contacts: contacts } = await bodyOf('create', {
			additionalFields: { secondaryContacts: { contact } },
		});
		expect(JSON.stringify(contacts)).toBe(
			`[{"phone_number":"+4915112345698","variables":${TEXT}}]`,
		);
	});

	it('change no prototype', () => {
		expect(Object.keys(Object.prototype)).toEqual([]);
	});
});

describe('names that all objects inherit, through n8n and HTTP', () => {
	useDefaultEngine();

	const lead = { resource: 'lead', operation: 'update', leadId: '1' };
	const contact = [{ phoneNumber: '+4915112345698', variables: '={{ $json.text }}' }];

	it.each<[how: string, parameters: INodeParameters]>([
		['as JSON', { ...lead, variablesMode: 'json', variablesJson: '={{ $json.text }}' }],
		[
			'as fields of the item',
			{ ...lead, variablesMode: 'sendAllInputFields', variablesToLeaveOut: 'text' },
		],
		[
			'as variables of a secondary contact',
			{
				...operationNamed('lead: create').parameters,
				additionalFields: { secondaryContacts: { contact } },
			},
		],
	])('arrive, entered %s', async (_how, parameters) => {
		const item = { text: TEXT, ...(JSON.parse(TEXT) as IDataObject) };
		await n8n.runNode({ parameters, items: [item] });
		const [request] = await sent();
		expect(JSON.stringify(request?.body)).toContain(`"variables":${TEXT}`);
	});

	it('arrive, entered one by one', async () => {
		const variable = NAMES.map((name) => ({ name, value: `own ${name}` }));
		await n8n.runNode({ parameters: { ...lead, variables: { variable } } });
		const [request] = await sent();
		const { variables } = request?.body as IDataObject;
		expect(Object.entries(variables as object)).toEqual(NAMES.map((name) => [name, `own ${name}`]));
	});
});
