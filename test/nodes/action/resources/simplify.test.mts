import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION } from '../../../../host/n8n/names.mts';
import { normaliseCall } from '../../../../nodes/shared/calls/normaliseCall.ts';
import { ACTION_AS_TOOL } from '../../../support/n8n/n8n.mts';
import { byId } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt, pageOf } from '../../../support/n8n/stubService.mts';

const startServer = stubServersPerTest();

/** A call as a service can write it: numbers and empty maps in other forms, and a field of its own. */
const CALL: IDataObject = {
	campaign: { id: 7, name: 'Spring' },
	recording_url: 'https://example.com/5.mp3',
	transcript: 'Assistant: Hello. '.repeat(500),
	id: '5',
	assistant_name: 'Reception',
	type: 'outbound',
	duration: '74',
	assistant_phone_number: '+4930123456',
	client_phone_number: '+4915112345678',
	status: 'completed',
	variables: [],
	evaluation: [],
	webhook_response: { status: 200 },
	carrier_cost: '0.02000000',
	total_cost: 0.19,
	answered_by: 'machine',
	created_at: '2026-01-31 10:30:00',
	updated_at: '2026-01-31 10:31:14',
	mood: 'good',
};

const ASSISTANT: IDataObject = {
	system_prompt: 'You remind people of their appointments.',
	id: 7,
	name: 'Reception',
	type: 'inbound',
	status: 'active',
	phone_number_id: null,
	voice_id: 3,
	language: 'English',
	timezone: 'Europe/Berlin',
	is_webhook_active: true,
	webhook_url: `https://n8n.example.com/webhook/a/b?token=${'0a'.repeat(32)}`,
	variables: [],
	widget_settings: [],
	llm_temperature: '0.50',
	speech_speed: '1.1',
	fillers: 1,
	end_call_on_voicemail: 0,
	filler_config: { neutral: [] },
	tools: [],
	deleted_at: null,
};

/** The same records in the types of the contract. */
const WHOLE = {
	call: { ...CALL, id: 5, duration: 74, variables: {}, evaluation: {}, carrier_cost: 0.02 },
	assistant: { ...ASSISTANT, variables: {}, widget_settings: {} },
};

const RECORDS = { call: CALL, assistant: ASSISTANT };
type Resource = keyof typeof RECORDS;

/** The output of Get Many and of Get, which must be the same. */
async function getOutput(resource: Resource, fields: INodeParameters = {}, type?: string) {
	const server = await startServer(() => ({ body: pageOf([RECORDS[resource]]) }));
	const outputs: IDataObject[] = [];
	for (const operation of ['getAll', 'get']) {
		const idField = { [`${resource}Id`]: byId(RECORDS[resource].id) };
		const parameters = { resource, operation, ...(operation === 'get' && idField), ...fields };
		const { output } = await n8nAt(server).runNode({ parameters, type });
		outputs.push(...output[0].map(({ json }) => json));
	}
	const [many, one] = outputs;
	expect(outputs).toHaveLength(2);
	expect(one).toEqual(many);
	return many ?? {};
}

/** What an agent gets of a record with these fields. */
const selected = async (resource: Resource, fields: string) =>
	await getOutput(resource, { output: 'selectedFields', fields }, ACTION_AS_TOOL);

const SIMPLE_CALL = {
	id: 5,
	outcome: 'voicemail',
	status: 'completed',
	type: 'outbound',
	client_phone_number: '+4915112345678',
	assistant_name: 'Reception',
	created_at: '2026-01-31T10:30:00Z',
	duration: 74,
	variables: {},
	transcript: CALL.transcript,
};

const { id, name, type, status, phone_number_id, language, voice_id, timezone } = ASSISTANT;

const SIMPLE_ASSISTANT = {
	...{ id, name, type, status, phone_number_id, language, voice_id, timezone },
	is_webhook_active: true,
	variables: {},
};

describe.each([
	['call', SIMPLE_CALL],
	['assistant', SIMPLE_ASSISTANT],
] as Array<[Resource, IDataObject]>)('%s', (resource, simple) => {
	it.each([{}, { simplify: true }, { simplify: '={{ 1 }}' }, { simplify: '={{ "" }}' }])(
		'has ten fields by default, the most used first: %j',
		async (fields) => {
			const output = await getOutput(resource, fields);
			expect(output).toEqual(simple);
			expect(Object.keys(output)).toEqual(Object.keys(simple));
			expect(Object.keys(output)).toHaveLength(10);
		},
	);

	it.each([
		[{ simplify: false }, ACTION],
		[{ simplify: '={{ false }}' }, ACTION],
		[{ simplify: '={{ "false" }}' }, ACTION],
		[{ simplify: '={{ 0 }}' }, ACTION],
		[{ output: 'raw' }, ACTION_AS_TOOL],
	])('is the whole record with %j', async (fields, type) => {
		const isForAgent = type === ACTION_AS_TOOL && 'webhook_url' in WHOLE[resource];
		expect(await getOutput(resource, fields, type)).toMatchObject({
			...WHOLE[resource],
			...(isForAgent && { webhook_url: 'https://n8n.example.com/webhook/a/b?token=***' }),
		});
	});

	it('refuses another kind of output', async () => {
		const output = await getOutput(resource, { output: '={{ "all" }}' }, ACTION_AS_TOOL);
		expect(output.error).toMatchObject({
			message: "'Output' must be one of: raw, selectedFields, simplified",
		});
	});

	it('ignores the field of the agents for people, and that of people for agents', async () => {
		expect(await getOutput(resource, { output: 'raw' })).toEqual(simple);
		const forAgent = await getOutput(resource, { simplify: false }, ACTION_AS_TOOL);
		expect(Object.keys(simple)).toEqual(expect.arrayContaining(Object.keys(forAgent)));
	});
});

it('a simplified call has the values of the same fields at the triggers', async () => {
	expect(normaliseCall(CALL, 'callCompleted')).toMatchObject(await getOutput('call'));
});

describe('an agent', () => {
	it('gets no transcript unless it is selected', async () => {
		const { transcript, ...rest } = SIMPLE_CALL;
		expect(await getOutput('call', {}, ACTION_AS_TOOL)).toEqual(rest);
		expect(await selected('call', 'transcript')).toEqual({ id: 5, transcript });
	});

	it.each([
		['outcome, total_cost,campaign_id', { outcome: 'voicemail', total_cost: 0.19, campaign_id: 7 }],
		['carrier_cost evaluation', { carrier_cost: 0.02, evaluation: {} }],
		['id,id, mood', { mood: 'good' }],
		['', {}],
		['["mood", "missing"]', { mood: 'good' }],
	])('gets the fields of a call that it selects, and the ID: %j', async (fields, expected) => {
		expect(await selected('call', fields)).toEqual({ id: 5, ...expected });
	});

	it('is told the names of the fields when it selects only others', async () => {
		expect(await selected('call', 'missing, __proto__, toString')).toMatchObject({
			error: {
				// The record was read.
				result: 'failed',
				message: "'Fields' names no field of the record",
				description: expect.stringMatching(/^Use some of these: id, outcome, .*transcript.*\.$/),
			},
		});
	});

	it('gets numbers as numbers and flags as booleans', async () => {
		const fields =
			'llm_temperature, speech_speed, fillers, end_call_on_voicemail, widget_settings, filler_config';
		expect(await selected('assistant', fields)).toEqual({
			id: 7,
			llm_temperature: 0.5,
			speech_speed: 1.1,
			fillers: true,
			end_call_on_voicemail: false,
			widget_settings: {},
			filler_config: { neutral: [] },
		});
	});
});

it.each([{ output: 'raw' }, { output: 'selectedFields', fields: 'webhook_url, tools' }])(
	'an agent sees no token with %j',
	async (fields) => {
		const secret = 'a'.repeat(64);
		const path = 'webhook/9f2b6c10-0000-4000-8000-000000000001/workflow/node';
		const ownUrl = `https://n8n.example.com/${path}`;
		const header = { name: 'X-Tool-Token', value: secret };
		const tool = { id: 3, name: 'book', endpoint: ownUrl, headers: [header] };
		const data = [
			{ ...ASSISTANT, webhook_url: `${ownUrl}?token=${secret}`, tools: [tool] },
			{ ...ASSISTANT, id: 8, webhook_url: `https://crm.example.com/${secret}` },
			{ ...ASSISTANT, id: 9, webhook_url: null },
		];
		const server = await startServer(() => ({ body: pageOf(data) }));
		const parameters = { resource: 'assistant', operation: 'getAll', ...fields };
		const agent = await n8nAt(server).runNode({ parameters, type: ACTION_AS_TOOL });
		const [first, second, third] = agent.output[0].map(({ json }) => json);
		expect(JSON.stringify(agent.output)).not.toContain(secret);
		expect(first).toMatchObject({
			webhook_url: `${ownUrl}?token=***`,
			tools: [{ ...tool, headers: [{ name: 'X-Tool-Token', value: '***' }] }],
		});
		expect(second?.webhook_url).toBe('https://crm.example.com/***');
		expect(third?.webhook_url).toBeNull();
		const person = await n8nAt(server).runNode({ parameters: { ...parameters, simplify: false } });
		expect(JSON.stringify(person.output)).toContain(secret);
	},
);

it('an agent gets a whole response without tokens', async () => {
	const secret = 'a'.repeat(64);
	const webhook_url = `https://n8n.example.com/webhook/9f2b6c10/workflow/node?token=${secret}`;
	const data = [{ ...ASSISTANT, webhook_url }];
	const server = await startServer(() => ({ body: { data } }));
	const parameters: INodeParameters = {
		...{ resource: 'customApiCall', operation: 'sendRequest', path: '/user/calls' },
		fullResponse: true,
		allowedPaths: '/user/calls',
	};
	const { output } = await n8nAt(server).runNode({ parameters, type: ACTION_AS_TOOL });
	expect(output[0][0]?.json).toMatchObject({
		statusCode: 200,
		body: { data: [{ id: ASSISTANT.id, webhook_url: webhook_url.replace(secret, '***') }] },
	});
});
