import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { INodeProperties } from 'n8n-workflow';
import { parseDocument } from 'yaml';
import { ACTION } from '../../host/names.mts';
import { getTimezones } from '../../nodes/VoiceAssistantCalling/methods/loadOptions.ts';
import { n8nWith } from '../support/n8n.mts';
import { OPERATIONS } from '../support/n8n-operations.mts';
import { root } from '../support/package.mts';
import { differences } from '../support/parity-compare.mts';
import { readContract, serviceOperations } from '../support/parity-contract.mts';
import { nodeOperations } from '../support/parity-node.mts';

/**
 * The fields of the node against contract/openapi.yaml, by the node's description alone: which value of
 * which request each field's routing decides, and whether it keeps to what the contract says there.
 * What really arrives at the service is shown by parity-requests.test.mts.
 */
const source = readFileSync(join(root, 'contract/openapi.yaml'), 'utf8');
const { description } = n8nWith({ baseUrl: '', apiToken: '' }).nodeType(ACTION);
const node = nodeOperations(description);

/** The differences between the node and a contract in which one thing is changed. */
async function differencesAfter(path: string, value: unknown): Promise<string[]> {
	const changed = parseDocument(source);
	const keys = path.split(' ');
	if (!changed.hasIn(keys.slice(0, -1))) throw new Error(`The contract has no ${path}`);
	if (value === undefined) changed.deleteIn(keys);
	else changed.setIn(keys, changed.createNode(value));
	const service = serviceOperations(await readContract(String(changed)));
	return differences(service, node);
}

/** The differences between the contract and a node with a field more, in Send SMS. */
async function differencesWith(field: Partial<INodeProperties>): Promise<string[]> {
	const displayOptions = { show: { resource: ['sms'], operation: ['send'] } };
	const extra: INodeProperties = {
		displayName: 'Extra',
		name: 'extra',
		type: 'string',
		default: '',
		displayOptions,
		...field,
	};
	const properties = [...description.properties, extra];
	return differences(
		serviceOperations(await readContract(source)),
		nodeOperations({ ...description, properties }),
	);
}

const SCHEMAS = 'components schemas';

describe('the fields of the node', () => {
	it('are those of the contract, with its limits', async () => {
		const service = serviceOperations(await readContract(source));
		expect(differences(service, node)).toEqual([]);
	});

	it('are run, each operation once, by the suites that go through them all', () => {
		const run = OPERATIONS.map(({ name }) => name.replace(': ', '/'));
		expect(run.toSorted()).toEqual(node.map(({ name }) => name).toSorted());
	});

	it('offer only time zones that the contract takes', async () => {
		const [create] = serviceOperations(await readContract(source)).filter(
			({ operationId }) => operationId === 'createAssistant',
		);
		const timezone = create?.places.find(({ name }) => name === 'body.timezone');
		const zones = (await getTimezones()).map(({ value }) => value);
		expect(zones).toContain('Europe/Berlin');
		expect(zones).toEqual(
			zones.map(() => expect.stringMatching(new RegExp(timezone?.schema.pattern ?? '^$'))),
		);
	});
});

describe('the comparison', () => {
	it.each([
		['a field', 'LeadCreate properties nickname', ['createLead body.nickname']],
		[
			'a field of create and update',
			'AssistantFields properties mood',
			['createAssistant body.mood', 'updateAssistant body.mood'],
		],
		[
			'a variable with a name of its own',
			'LeadVariables properties company',
			[
				'createLead body.variables.company',
				'createLead body.secondary_contacts[].variables.company',
				'updateLead body.variables.company',
			],
		],
		[
			'a field of the entries of a list',
			'LeadCreate properties secondary_contacts items properties language',
			['createLead body.secondary_contacts[].language'],
		],
		[
			'a field of a header',
			'ToolHeader properties encrypted',
			['createTool body.headers[].encrypted', 'updateTool body.headers[].encrypted'],
		],
		[
			'a field of a parameter',
			'ToolParameter properties format',
			['createTool body.schema[].format', 'updateTool body.schema[].format'],
		],
		[
			'a field of a post-call value',
			'PostCallField properties unit',
			[
				'createAssistant body.post_call_schema[].unit',
				'updateAssistant body.post_call_schema[].unit',
			],
		],
		[
			'a field inside an object',
			'AssistantFields properties end_call_tool properties farewell',
			[
				'createAssistant body.end_call_tool.farewell',
				'updateAssistant body.end_call_tool.farewell',
			],
		],
	])('misses %s that the contract has more', async (_, path, places) => {
		expect(await differencesAfter(`${SCHEMAS} ${path}`, { type: 'string' })).toEqual(
			places.map((place) => `${place}: no field sends it`),
		);
	});

	it('misses a query parameter that the contract has more', async () => {
		const parameter = { name: 'answered_by', in: 'query', schema: { type: 'string' } };
		expect(await differencesAfter('paths /user/calls get parameters 9', parameter)).toEqual([
			'listCalls query.answered_by: no field sends it',
		]);
	});

	it('misses an operation that the contract has more', async () => {
		expect(
			await differencesAfter('paths /user/leads', { get: { operationId: 'listLeads' } }),
		).toEqual(['listLeads: no operation of the node does GET /user/leads']);
	});

	it('names an operation that the contract has no longer', async () => {
		expect(await differencesAfter('paths /user/sms', undefined)).toEqual([
			'sms/send: POST /user/sms is not in the contract',
		]);
	});

	it.each([
		[
			'LeadCreate properties allow_dupplicate',
			["lead/create 'Additional Fields → Allow Duplicate': body.allow_dupplicate"],
		],
		[
			'ToolParameter properties description',
			[
				"tool/create 'Additional Fields → Parameters → Description': body.schema[].description",
				"tool/update 'Update Fields → Parameters → Description': body.schema[].description",
			],
		],
	])('names the fields for what the contract has no longer: %s', async (path, fields) => {
		expect(await differencesAfter(`${SCHEMAS} ${path}`, undefined)).toEqual(
			fields.map((field) => `${field} is not in the contract`),
		);
	});

	it.each([
		[
			'AssistantFields properties speech_speed maximum',
			1.5,
			'body.speech_speed',
			'Voice and Sound → Speech Speed',
			'maximum 1.2, in the contract 1.5',
		],
		[
			'AssistantFields properties max_call_duration minimum',
			undefined,
			'body.max_call_duration',
			'Call Handling → Max Call Duration (Seconds)',
			'minimum 20, in the contract none',
		],
		[
			'AssistantFields properties end_call_tool properties description maxLength',
			400,
			'body.end_call_tool.description',
			'Call Handling → End Call Tool Description',
			'description names 500 characters, the contract 400 characters',
		],
		[
			'AssistantFields properties min_interrupt_words type',
			'string',
			'body.min_interrupt_words',
			'Conversation → Min Interrupt Words',
			'sends integer, in the contract string',
		],
		[
			'AssistantFields properties speech_speed type',
			'integer',
			'body.speech_speed',
			'Voice and Sound → Speech Speed',
			'sends number, in the contract integer',
		],
	])('names a limit or type that differs: %s %s', async (path, value, place, field, what) => {
		expect(await differencesAfter(`${SCHEMAS} ${path}`, value)).toEqual(
			['createAssistant', 'updateAssistant'].map((id) => `${id} ${place}: '${field}': ${what}`),
		);
	});

	it.each([
		[
			`${SCHEMAS} SmsSend properties body maxLength`,
			320,
			[
				"sendSms body.body: 'Message': description names 300 characters, the contract 320 characters",
			],
		],
		[
			`${SCHEMAS} ToolParameter properties name minLength`,
			3,
			[
				"createTool body.schema[].name: 'Additional Fields → Parameters → Name': description names 2 to 32 characters, the contract 3 to 32 characters",
				"updateTool body.schema[].name: 'Update Fields → Parameters → Name': description names 2 to 32 characters, the contract 3 to 32 characters",
			],
		],
		[
			'paths /user/calls get parameters 7 schema maximum',
			50,
			["listCalls query.per_page: 'Limit': maximum 100, in the contract 50"],
		],
		[
			`${SCHEMAS} ToolCreate properties timeout default`,
			20,
			[
				"createTool body.timeout: 'Additional Fields → Timeout (Seconds)': begins with 10, in the contract 20",
			],
		],
		[
			`${SCHEMAS} CallType enum 2`,
			undefined,
			[
				'listCalls query.type: offers "inbound", "outbound", "web", in the contract "inbound", "outbound"',
			],
		],
		[
			`${SCHEMAS} PostCallField properties type enum 3`,
			'date',
			['createAssistant', 'updateAssistant'].map(
				(id) =>
					`${id} body.post_call_schema[].type: offers "number", "string", "bool", in the contract "string", "number", "bool", "date"`,
			),
		],
		[
			`${SCHEMAS} CampaignStatusUpdate properties action enum 2`,
			'pause',
			[
				'updateCampaignStatus body.action: offers "start", "stop", in the contract "start", "stop", "pause"',
			],
		],
		[
			`${SCHEMAS} ToolCreate required 4`,
			'timeout',
			['createTool body.timeout: required in the contract, but not in tool/create'],
		],
		[
			`${SCHEMAS} LeadCreate required 1`,
			undefined,
			['createLead body.campaign_id: optional in the contract, but required in lead/create'],
		],
		[
			`${SCHEMAS} LeadUpdate properties phone_number`,
			{ type: ['string', 'null'] },
			['updateLead body.phone_number: can be cleared, but no field does it'],
		],
	])('names what differs when the contract changes: %s = %s', async (path, value, expected) => {
		expect(await differencesAfter(path, value)).toEqual(expected);
	});

	it('names a field of the node that sends what the contract does not have', async () => {
		const routing = { send: { type: 'body', property: 'sender_name' } } as const;
		expect(await differencesWith({ routing })).toEqual([
			"sms/send 'Extra': body.sender_name is not in the contract",
		]);
	});

	it('names a field of the node that sends nothing', async () => {
		expect(await differencesWith({})).toEqual(["sms/send 'Extra': sends nothing"]);
	});
});
