import { afterAll, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION } from '../../../../host/n8n/names.mts';
import { byId, fromList, operationNamed, OPERATIONS } from '../../../support/n8n/operations.mts';
import { declaratively } from '../../../support/n8n/package.mts';
import { startStubServer } from '../../../support/n8n/stubServer.mts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { n8nWith, type N8n } from '../../../support/n8n/n8n.mts';
import { FILLED } from '../../../support/parity/requests.mts';

/**
 * n8n's own routing engine makes the same requests from the description as the package's runner.
 */
useDefaultEngine();
const RECORDING = '/1.mp3';
const server = await startStubServer(({ url }) => {
	if (url === RECORDING) return { headers: { 'Content-Type': 'audio/mpeg' }, body: 'sound' };
	const data = [{ id: 1, recording_url: server.origin + RECORDING }];
	return { body: { message: 'Done', data, total: 1 } };
});
afterAll(() => server.close());

const credential = { baseUrl: `${server.origin}/api`, apiToken: 'token' };
const ours = n8nWith(credential);
const nodeType = ours.nodeType(ACTION);
const theirs = n8nWith(credential, {
	[ACTION]: { ...nodeType, execute: declaratively(nodeType) },
});

/** Runs the node on an item. @returns the one request that arrives */
async function requestOf(n8n: N8n, parameters: INodeParameters, item: IDataObject = {}) {
	const before = server.requests.length;
	const { error } = await n8n.runNode({ parameters, items: [item] });
	if (error) throw new Error(error.message);
	const [request, ...others] = server.requests.slice(before).filter(({ url }) => url !== RECORDING);
	if (!request || others.length > 0) throw new Error('The node did not make one request');
	const { method, url, authorization, body } = request;
	const { pathname, searchParams } = new URL(url, server.origin);
	return { method, path: pathname, query: Object.fromEntries(searchParams), authorization, body };
}

/** The request of the runner, and that of n8n's engine. */
async function bothRequests(parameters: INodeParameters, item?: IDataObject) {
	return {
		ours: await requestOf(ours, parameters, item),
		theirs: await requestOf(theirs, parameters, item),
	};
}

/** Runs both, and compares method, address, query, body and token. */
async function expectSameRequest(parameters: INodeParameters, item?: IDataObject) {
	const requests = await bothRequests(parameters, item);
	// Only the runner reads pages.
	const { page, per_page: perPage, ...query } = requests.ours.query;
	const isList = requests.ours.method === 'GET';
	expect([page, perPage]).toEqual(isList ? ['1', expect.any(String)] : [undefined, undefined]);
	expect(requests.theirs).toEqual({ ...requests.ours, query });
}

/** A typical item: numbers as text, text as numbers, and missing values. */
const ITEM = {
	id: 7,
	idText: '8',
	phone: 4915112345699,
	seconds: '600',
	ratio: '0.75',
	yes: 'true',
	no: 'false',
	date: '2026-02-01T23:00:00+02:00',
	skip: 'skip',
	object: { visits: 3, from: 'Berlin' },
	empty: '',
	missing: null,
};

const BY_EXPRESSION: Array<[what: string, parameters: INodeParameters]> = [
	[
		'a new lead',
		{
			resource: 'lead',
			operation: 'create',
			campaignId: '={{ $json.id }}',
			phoneNumber: '={{ $json.phone }}',
			customerName: '={{ $json.missing }}',
			email: '={{ $json.empty }}',
			variables: { variable: [{ name: 'phone', value: '={{ $json.phone }}' }] },
			additionalFields: {
				onDuplicate: '={{ $json.skip }}',
				secondaryContacts: {
					contact: [
						{
							phoneNumber: '={{ $json.phone }}',
							customerName: '={{ $json.id }}',
							email: '={{ $json.missing }}',
							variables: '={{ $json.object }}',
						},
					],
				},
			},
		},
	],
	[
		'a changed lead with variables in JSON',
		{
			resource: 'lead',
			operation: 'update',
			leadId: '={{ $json.id }}',
			variablesMode: 'json',
			variablesJson: '={{ $json.object }}',
		},
	],
	[
		'a new lead with all fields of the item',
		{
			resource: 'lead',
			operation: 'create',
			campaignId: '={{ $json.id }}',
			phoneNumber: '={{ $json.phone }}',
			variablesMode: 'sendAllInputFields',
			variablesToLeaveOut: 'id, phone',
		},
	],
	[
		'a changed tool with lists in JSON',
		{
			resource: 'midCallTool',
			operation: 'update',
			toolId: byId('={{ $json.id }}'),
			parametersMode: 'json',
			parametersJson: '={{ [{ name: "day", type: "string", description: "Day " + $json.id }] }}',
			headersMode: 'json',
			headersJson: '[{"name": "X-Shop", "value": 7}]',
		},
	],
	[
		'a changed assistant',
		{
			resource: 'assistant',
			operation: 'update',
			assistantId: byId('={{ $json.id }}'),
			updateFields: { name: '={{ $json.id }}', voiceId: '={{ $json.idText }}' },
			callHandling: {
				endCallToolDescription: '={{ $json.missing }}',
				maxCallDuration: '={{ $json.seconds }}',
				recordCall: '={{ $json.yes }}',
			},
			voice: { speechSpeed: '={{ $json.ratio }}' },
			tools: { tool: [{ toolId: byId('={{ $json.idText }}') }] },
			postCallSchemaMode: 'json',
			postCallSchemaJson: '[{"name": "day", "type": "bool", "description": "Day"}]',
			removeFields: { phoneNumber: '={{ $json.yes }}', variables: '={{ $json.no }}' },
		},
	],
	[
		'an assistant that loses everything',
		{
			resource: 'assistant',
			operation: 'update',
			assistantId: fromList('7', 'Caller'),
			removeFields: {
				phoneNumber: true,
				postCallSchema: true,
				tools: true,
				variables: true,
				webhookUrl: true,
			},
		},
	],
	[
		'a list of calls',
		{
			resource: 'call',
			operation: 'getAll',
			returnAll: '={{ $json.yes }}',
			filters: {
				assistantId: byId('={{ $json.id }}'),
				dateFrom: '={{ DateTime.fromISO($json.date).toISO() }}',
				dateTo: '={{ new Date($json.date) }}',
				phoneNumber: '={{ $json.phone }}',
			},
			filtersJson: '={{ { campaign_id: $json.idText } }}',
		},
	],
];

/** Phone numbers without a country code, in every field that has phone numbers. */
const NATIONAL_NUMBERS: Array<[what: string, parameters: INodeParameters]> = [
	[
		'a new lead',
		{
			...operationNamed('lead: create').parameters,
			phoneNumber: '0151 123-45699',
			additionalFields: { secondaryContacts: { contact: [{ phoneNumber: '(0151) 123456' }] } },
		},
	],
	[
		'a changed lead',
		{
			resource: 'lead',
			operation: 'update',
			leadId: '7',
			updateFields: { phoneNumber: '0151/123456' },
		},
	],
	['an SMS', { ...operationNamed('sms: send').parameters, to: '={{ "0049 151 12345699" }}' }],
	[
		'a list of calls',
		{ resource: 'call', operation: 'getAll', filters: { phoneNumber: '0151.12345699' } },
	],
	[
		'a list of calls, as JSON',
		{ resource: 'call', operation: 'getAll', filtersJson: '{"phone_number": "0151 12345699"}' },
	],
];

describe("n8n's own engine makes the request of the runner", () => {
	it.each(OPERATIONS)('$name, with what is required', async ({ parameters }) => {
		await expectSameRequest(parameters);
	});

	it.each(FILLED)('$name, with all fields', async ({ parameters }) => {
		await expectSameRequest(parameters);
	});

	it.each(BY_EXPRESSION)('%s, by expressions', async (_, parameters) => {
		await expectSameRequest(parameters, ITEM);
	});

	it.each(NATIONAL_NUMBERS)('%s, with national phone numbers', async (_, parameters) => {
		const requestOptions = { defaultCountryCode: '49' };
		await expectSameRequest({ ...parameters, requestOptions });
		const { body, query } = await requestOf(ours, { ...parameters, requestOptions });
		expect(JSON.stringify([body, query])).toContain('"+49151');
	});
});

describe("what n8n's own engine cannot do", () => {
	it('request pages: it would read the whole list before it applies Limit', async () => {
		const parameters = { resource: 'call', operation: 'getAll', returnAll: false, limit: 7 };
		const requests = await bothRequests(parameters);
		expect(requests.ours.query).toEqual({ page: '1', per_page: '7' });
		expect(requests.theirs.query).toEqual({});
	});

	it.each([
		['../calls', '/api/user/calls'],
		['', '/api/user/leads/'],
	])('refuse an invalid ID: "%s"', async (id, path) => {
		const parameters = {
			resource: 'lead',
			operation: 'update',
			leadId: '={{ $json.id }}',
			updateFields: { status: 'completed' },
		};
		await expect(requestOf(ours, parameters, { id })).rejects.toThrow("'Lead ID'");
		expect(await requestOf(theirs, parameters, { id })).toMatchObject({ method: 'PUT', path });
	});

	it('refuse an update that changes nothing', async () => {
		const parameters = { resource: 'lead', operation: 'update', leadId: '7' };
		await expect(requestOf(ours, parameters)).rejects.toThrow('There is nothing to change');
		expect(await requestOf(theirs, parameters)).toMatchObject({ method: 'PUT' });
	});

	it('run a preSend that two fields share only once: it treats a column named json as JSON', async () => {
		const parameters = {
			resource: 'lead',
			operation: 'update',
			leadId: '7',
			variablesMode: 'sendAllInputFields',
		};
		const item = { json: 'yes', visits: 3 };
		expect((await requestOf(ours, parameters, item)).body).toEqual({ variables: item });
		await expect(requestOf(theirs, parameters, item)).rejects.toThrow('is not valid JSON');
	});
});
