import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseDocument } from 'yaml';
import type { Field } from '../../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { loadOptions } from '../../../../nodes/VoiceAssistantCalling/methods/loadOptions.ts';
import { PHONE_NUMBER } from '../../../../nodes/shared/fields/textRule.ts';
import { OPERATIONS } from '../../../support/n8n/operations.mts';
import { root } from '../../../support/package.mts';
import { differences } from '../../../support/parity/compare.mts';
import { readContract, serviceOperations } from '../../../support/parity/contract.mts';
import { nodeOperations, readNodeOperation } from '../../../support/parity/node.mts';

/**
 * Compares the fields of the node with contract/openapi.yaml: which value of which request each field
 * sets, and whether the field allows what the contract allows. requests.test.mts shows what arrives at
 * the service.
 */
const source = readFileSync(join(root, 'contract/openapi.yaml'), 'utf8');
const service = serviceOperations(await readContract(source));
const node = await Promise.all(nodeOperations.map(readNodeOperation));

/** The differences between the node and the contract after one change of the contract. */
async function differencesAfter(path: string, value: unknown): Promise<string[]> {
	const changed = parseDocument(source);
	const keys = path.split(' ');
	if (!changed.hasIn(keys.slice(0, -1))) throw new Error(`The contract has no ${path}`);
	if (value === undefined) changed.deleteIn(keys);
	else changed.setIn(keys, changed.createNode(value));
	return differences(serviceOperations(await readContract(String(changed))), node);
}

/** The differences between the contract and the node after a field is added to Send SMS. */
async function differencesWith(field: Partial<Field>): Promise<string[]> {
	const extra: Field = {
		displayName: 'Extra',
		name: 'extra',
		type: 'string',
		default: '',
		...field,
	};
	const changed = nodeOperations.map((operation) =>
		operation.name === 'sms/send'
			? { ...operation, fields: [...operation.fields, extra] }
			: operation,
	);
	return differences(service, await Promise.all(changed.map(readNodeOperation)));
}

/**
 * Each block is a change of the contract, followed by the differences that it makes. `#Schema name` is a
 * property of a schema. `*Assistant` means createAssistant and updateAssistant.
 */
const CHANGES = `
#LeadCreate nickname = {"type": "string"}
createLead body.nickname: no field sends it

#AssistantFields mood = {"type": "string"}
*Assistant body.mood: no field sends it

#LeadVariables company = {"type": "string"}
createLead body.variables.company: no field sends it
createLead body.secondary_contacts[].variables.company: no field sends it
updateLead body.variables.company: no field sends it

#LeadCreate secondary_contacts items properties language = {"type": "string"}
createLead body.secondary_contacts[].language: no field sends it

#ToolHeader encrypted = {"type": "string"}
*Tool body.headers[].encrypted: no field sends it

#ToolParameter format = {"type": "string"}
*Tool body.schema[].format: no field sends it

#PostCallField unit = {"type": "string"}
*Assistant body.post_call_schema[].unit: no field sends it

#AssistantFields end_call_tool properties farewell = {"type": "string"}
*Assistant body.end_call_tool.farewell: no field sends it

paths /user/calls get parameters 9 = {"name": "answered_by", "in": "query", "schema": {"type": "string"}}
listCalls query.answered_by: no field sends it

paths /user/leads = {"get": {"operationId": "listLeads"}}
listLeads: no operation of the node does GET /user/leads

paths /user/sms = nothing
sms/send: POST /user/sms is not in the contract

#LeadCreate allow_dupplicate = nothing
lead/create 'Additional Fields → On Duplicate': body.allow_dupplicate is not in the contract

#ToolParameter description = nothing
midCallTool/create 'Parameters → Description': body.schema[].description is not in the contract
midCallTool/create 'Parameters (JSON) → Description': body.schema[].description is not in the contract
midCallTool/update 'Parameters → Description': body.schema[].description is not in the contract
midCallTool/update 'Parameters (JSON) → Description': body.schema[].description is not in the contract

paths /user/calls get parameters 4 = nothing
call/getAll 'Filters → Campaign': query.campaign_id is not in the contract
call/getAll 'Filters (JSON) → Campaign': query.campaign_id is not in the contract

#AssistantFields speech_speed maximum = 1.5
*Assistant body.speech_speed: 'Voice and Sound → Speech Speed': maximum 1.2, in the contract 1.5

#AssistantFields max_call_duration minimum = nothing
*Assistant body.max_call_duration: 'Call Handling → Max Call Duration (Seconds)': minimum 20, in the contract none

#LeadUpdate campaign_id minimum = 5
updateLead body.campaign_id: 'Update Fields → Campaign': minimum 1, in the contract 5

paths /user/calls get parameters 7 schema maximum = 50
listCalls query.per_page: 'Limit': maximum 100, in the contract 50

components schemas PostCallField properties name pattern = "^[a-z]+$"
createAssistant body.post_call_schema[].name: 'Post Call Schema → Name': checks pattern ^[A-Za-z0-9_]+$, in the contract ^[a-z]+$
createAssistant body.post_call_schema[].name: 'Post Call Schema (JSON) → Name': checks pattern ^[A-Za-z0-9_]+$, in the contract ^[a-z]+$
updateAssistant body.post_call_schema[].name: 'Post Call Schema → Name': checks pattern ^[A-Za-z0-9_]+$, in the contract ^[a-z]+$
updateAssistant body.post_call_schema[].name: 'Post Call Schema (JSON) → Name': checks pattern ^[A-Za-z0-9_]+$, in the contract ^[a-z]+$

#AssistantFields end_call_tool properties description maxLength = 400
*Assistant body.end_call_tool.description: 'Call Handling → End Call Tool Description': description names 500 characters, the contract 400 characters
*Assistant body.end_call_tool.description: 'Call Handling → End Call Tool Description': checks maxLength 500, in the contract 400

#SmsSend body maxLength = 320
sendSms body.body: 'Message': description names 300 characters, the contract 320 characters
sendSms body.body: 'Message': checks maxLength 300, in the contract 320

#ToolParameter name minLength = 3
createTool body.schema[].name: 'Parameters → Name': description names 2 to 32 characters, the contract 3 to 32 characters
createTool body.schema[].name: 'Parameters → Name': checks minLength 2, in the contract 3
createTool body.schema[].name: 'Parameters (JSON) → Name': description names 2 to 32 characters, the contract 3 to 32 characters
createTool body.schema[].name: 'Parameters (JSON) → Name': checks minLength 2, in the contract 3
updateTool body.schema[].name: 'Parameters → Name': description names 2 to 32 characters, the contract 3 to 32 characters
updateTool body.schema[].name: 'Parameters → Name': checks minLength 2, in the contract 3
updateTool body.schema[].name: 'Parameters (JSON) → Name': description names 2 to 32 characters, the contract 3 to 32 characters
updateTool body.schema[].name: 'Parameters (JSON) → Name': checks minLength 2, in the contract 3

#AssistantFields min_interrupt_words type = "string"
*Assistant body.min_interrupt_words: 'Conversation → Min Interrupt Words': sends integer, in the contract string

#AssistantFields speech_speed type = "integer"
*Assistant body.speech_speed: 'Voice and Sound → Speech Speed': sends number, in the contract integer

#ToolHeader value type = "integer"
createTool body.headers[].value: 'Headers → Value': sends string, in the contract integer
createTool body.headers[].value: 'Headers (JSON) → Value': sends string, in the contract integer
updateTool body.headers[].value: 'Headers → Value': sends string, in the contract integer
updateTool body.headers[].value: 'Headers (JSON) → Value': sends string, in the contract integer

paths /user/calls get parameters 4 schema type = "string"
listCalls query.campaign_id: 'Filters → Campaign': sends integer, in the contract string
listCalls query.campaign_id: 'Filters (JSON) → Campaign': sends integer, in the contract string

#ToolCreate timeout default = 20
createTool body.timeout: 'Additional Fields → Timeout (Seconds)': begins with 10, in the contract 20

components schemas CallType enum 2 = nothing
listCalls query.type: offers "inbound", "outbound", "web", in the contract "inbound", "outbound"

#PostCallField type enum 3 = "date"
*Assistant body.post_call_schema[].type: offers "number", "string", "bool", in the contract "string", "number", "bool", "date"

#CampaignStatusUpdate action enum 2 = "pause"
updateCampaignStatus body.action: offers "start", "stop", in the contract "start", "stop", "pause"

components schemas ToolCreate required 4 = "timeout"
createTool body.timeout: required in the contract, but not in midCallTool/create

components schemas LeadCreate required 1 = nothing
createLead body.campaign_id: optional in the contract, but required in lead/create

#LeadUpdate phone_number = {"type": ["string", "null"]}
updateLead body.phone_number: 'Update Fields → Phone Number': checks maxLength 100, in the contract none
updateLead body.phone_number: 'Update Fields → Phone Number': checks pattern ${PHONE_NUMBER.pattern}, in the contract none
updateLead body.phone_number: can be cleared, but no field does it
`
	.trim()
	.split('\n\n')
	.map((block): [change: string, differences: string[]] => {
		const [change = '', ...lines] = block.split('\n');
		const both = lines.filter((line) => line.startsWith('*')).map((line) => line.slice(1));
		return [
			change,
			both.length === 0
				? lines
				: ['create', 'update'].flatMap((verb) => both.map((line) => verb + line)),
		];
	});

describe('the fields of the node', () => {
	it('are those of the contract, with its limits', () => {
		expect(differences(service, node)).toEqual([]);
	});

	it('are run, each operation once, by the suites that go through them all', () => {
		const run = OPERATIONS.map(({ name }) => name.replace(': ', '/'));
		expect(run.toSorted()).toEqual(node.map(({ name }) => name).toSorted());
	});

	it('offer only time zones that the contract takes', async () => {
		const create = service.find(({ operationId }) => operationId === 'createAssistant');
		const timezone = create?.requestValues.find(({ name }) => name === 'body.timezone');
		const zones = (await loadOptions.getTimezones()).map(({ value }) => value);
		expect(zones).toContain('Europe/Berlin');
		expect(zones).toEqual(
			zones.map(() => expect.stringMatching(new RegExp(timezone?.schema.pattern ?? '^$'))),
		);
	});
});

describe('the comparison', () => {
	it.each(CHANGES)('names what differs after %s', async (change, expected) => {
		const [path = '', value = ''] = change.split(' = ');
		expect(
			await differencesAfter(
				path.replace(/^#(\w+)/, 'components schemas $1 properties'),
				value === 'nothing' ? undefined : JSON.parse(value),
			),
		).toEqual(expected);
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
