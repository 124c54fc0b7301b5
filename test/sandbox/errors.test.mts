import { describe, expect, it } from '@jest/globals';
import type { ServiceResponse, ServiceClient } from '../support/sandbox/client.mts';
import { startTestService } from '../support/sandbox/testService.mts';
import { newAssistant, newTool } from '../support/sandbox/seed.mts';

const service = await startTestService();

interface Row {
	readonly condition: string;
	readonly send: (alice: ServiceClient) => Promise<ServiceResponse>;
	readonly status: number;
	readonly body: unknown;
}

type Send = Row['send'];

const notFound = (condition: string, send: Send, message: string): Row => ({
	condition,
	send,
	status: 404,
	body: { message },
});

const refused = (condition: string, send: Send, body: unknown): Row => ({
	condition,
	send,
	status: 422,
	body,
});

/** The body of a 422 response that names exactly these fields. */
const invalid = (...fields: string[]) => ({
	message: 'Validation failed',
	errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])),
});

const BAD_TOOL_NAME = {
	message: 'Validation failed',
	errors: {
		name: [
			'Tool name must contain only lowercase letters and underscores, and start with a letter.',
		],
	},
};

const NOBODYS = 999;
const BOBS = 101;
const hook = 'https://hooks.example.com/calls';

// contract: Errors, row by row. contract/assumptions.yaml has the status if a row names none.
const errorTable: Row[] = [
	...[NOBODYS, BOBS].flatMap((id) => [
		notFound(
			`assistant ${id} is not mine: update`,
			(alice) => alice.put(`/user/assistant/${id}`, { assistant_name: 'Mine now' }),
			'Assistant not found',
		),
		notFound(
			`assistant ${id} is not mine: disable webhook`,
			(alice) => alice.post('/user/assistants/disable-webhook', { assistant_id: id }),
			'Assistant not found',
		),
		notFound(
			`assistant ${id} is not mine: enable inbound webhook`,
			(alice) =>
				alice.post('/user/assistants/enable-inbound-webhook', {
					assistant_id: id,
					webhook_url: hook,
				}),
			'Assistant not found',
		),
		notFound(
			`assistant ${id} is not mine: disable inbound webhook`,
			(alice) => alice.post('/user/assistants/disable-inbound-webhook', { assistant_id: id }),
			'Assistant not found',
		),
		notFound(
			`tool ${id} is not mine: update`,
			(alice) => alice.put(`/user/tools/${id}`, { description: 'Mine now' }),
			'Tool not found',
		),
		notFound(
			`lead ${id} is not mine: update`,
			(alice) => alice.put(`/user/leads/${id}`, { status: 'completed' }),
			'Lead not found',
		),
		notFound(
			`campaign ${id} is not mine: move a lead there`,
			(alice) => alice.put('/user/leads/1', { campaign_id: id }),
			'Campaign not found',
		),
	]),
	refused(
		'validation failure on create of an assistant',
		(alice) => alice.post('/user/assistant', { ...newAssistant, calls_direction: 'sideways' }),
		invalid('calls_direction'),
	),
	refused(
		'validation failure on update of an assistant',
		(alice) => alice.put('/user/assistant/1', { engine_type: 'steam' }),
		invalid('engine_type'),
	),
	refused(
		'validation failure on create of a tool',
		(alice) => alice.post('/user/tools', { ...newTool, method: 'FETCH' }),
		invalid('method'),
	),
	refused(
		'validation failure on update of a tool',
		(alice) => alice.put('/user/tools/1', { timeout: 'soon' }),
		invalid('timeout'),
	),
	refused(
		'validation failure on create of a lead',
		(alice) => alice.post('/user/lead', { campaign_id: 1 }),
		invalid('phone_number'),
	),
	refused(
		'several fields at once are all named',
		(alice) => alice.put('/user/assistant/1', { speech_speed: 3, timezone: 7, record_call: 'yes' }),
		invalid('speech_speed', 'timezone', 'record_call'),
	),
	refused(
		'missing assistant_id on disable webhook',
		(alice) => alice.post('/user/assistants/disable-webhook', {}),
		{
			message: 'The given data was invalid.',
			errors: { assistant_id: ['The assistant id field is required.'] },
		},
	),
	refused(
		'webhook_url missing while is_webhook_active is true (create assistant)',
		(alice) => alice.post('/user/assistant', { ...newAssistant, is_webhook_active: true }),
		invalid('webhook_url'),
	),
	refused(
		'webhook_url null while is_webhook_active is true (create assistant)',
		(alice) =>
			alice.post('/user/assistant', {
				...newAssistant,
				is_webhook_active: true,
				webhook_url: null,
			}),
		invalid('webhook_url'),
	),
	refused(
		'number below its range',
		(alice) => alice.put('/user/assistant/1', { speech_speed: 0.69 }),
		invalid('speech_speed'),
	),
	refused(
		'number above its range',
		(alice) => alice.post('/user/assistant', { ...newAssistant, speech_speed: 1.21 }),
		invalid('speech_speed'),
	),
	refused(
		'invalid URL on an assistant',
		(alice) => alice.put('/user/assistant/1', { webhook_url: 'not a url' }),
		invalid('webhook_url'),
	),
	refused(
		'invalid URL on a tool',
		(alice) => alice.post('/user/tools', { ...newTool, endpoint: 'example' }),
		invalid('endpoint'),
	),
	refused(
		'invalid URL on the inbound webhook',
		(alice) =>
			alice.post('/user/assistants/enable-inbound-webhook', {
				assistant_id: 1,
				webhook_url: 'nowhere',
			}),
		{
			...invalid('webhook_url'),
			message: 'The given data was invalid.',
		},
	),
	refused(
		'missing fields on enable inbound webhook',
		(alice) => alice.post('/user/assistants/enable-inbound-webhook', {}),
		{
			message: 'The given data was invalid.',
			errors: {
				assistant_id: ['The assistant id field is required.'],
				webhook_url: ['The webhook url field is required.'],
			},
		},
	),
	refused(
		'missing assistant_id on disable inbound webhook',
		(alice) => alice.post('/user/assistants/disable-inbound-webhook', {}),
		{
			message: 'The given data was invalid.',
			errors: { assistant_id: ['The assistant id field is required.'] },
		},
	),
	...[
		'Get_Weather',
		'1st_tool',
		'_tool',
		'get-weather',
		'get weather',
		'wetter_für_bonn',
		'tool2',
	].flatMap((name) => [
		refused(
			`tool name "${name}" breaks the name rule: create`,
			(alice) => alice.post('/user/tools', { ...newTool, name }),
			BAD_TOOL_NAME,
		),
		refused(
			`tool name "${name}" breaks the name rule: update`,
			(alice) => alice.put('/user/tools/1', { name }),
			BAD_TOOL_NAME,
		),
	]),
	...['12', 'call me', '+49', '+999123456789', ''].map((phone_number) =>
		refused(
			`phone number "${phone_number}" cannot be read: update lead`,
			(alice) => alice.put('/user/leads/1', { phone_number }),
			{ message: 'Invalid phone number' },
		),
	),
	refused(
		'campaign_id of no possible campaign (update lead)',
		(alice) => alice.put('/user/leads/1', { campaign_id: 'spring' }),
		{
			message: 'Validation failed',
			errors: { campaign_id: ['The selected campaign does not exist'] },
		},
	),
	refused(
		'status outside the three allowed (update lead)',
		(alice) => alice.put('/user/leads/1', { status: 'processing' }),
		{
			message: 'Validation failed',
			errors: { status: ['This status is assigned automatically and cannot be set manually'] },
		},
	),
	refused(
		'variables that are no key/value pairs (update lead)',
		(alice) => alice.put('/user/leads/1', { variables: 'blue' }),
		{ message: 'Validation failed', errors: { variables: ['Variables must be an array'] } },
	),
	refused(
		'all three invalid lead fields at once (update lead)',
		(alice) =>
			alice.put('/user/leads/1', { campaign_id: 'spring', status: 'scheduled', variables: 1 }),
		{
			message: 'Validation failed',
			errors: {
				campaign_id: ['The selected campaign does not exist'],
				status: ['This status is assigned automatically and cannot be set manually'],
				variables: ['Variables must be an array'],
			},
		},
	),
	refused(
		'one disallowed field in a lead update',
		(alice) => alice.put('/user/leads/1', { notes: 'call after five' }),
		{ message: 'Invalid fields: notes' },
	),
	refused(
		'two disallowed fields in a lead update, beside an allowed one',
		(alice) =>
			alice.put('/user/leads/1', { email: 'jane@example.com', status: 'completed', id: 7 }),
		{ message: 'Invalid fields: email, id' },
	),
];

describe('the Errors table', () => {
	it.each(errorTable)('$condition → $status', async ({ send, status, body }) => {
		const response = await send(service.alice);
		expect({ status: response.status, body: response.body }).toEqual({ status, body });
	});

	it('tool quota reached: the message states the plan limit and asks for an upgrade, without errors', async () => {
		for (const name of ['third', 'fourth', 'fifth']) {
			expect((await service.alice.post('/user/tools', { ...newTool, name })).status).toBe(201);
		}
		const response = await service.alice.post('/user/tools', { ...newTool, name: 'sixth' });
		expect(response.status).toBe(422);
		expect(response.body).toEqual({
			message: expect.stringMatching(/\b5\b.*mid call tools.*upgrade/is),
		});
	});

	it('the tool quota belongs to the user', async () => {
		expect((await service.bob.post('/user/tools', newTool)).status).toBe(201);
		expect((await service.bob.post('/user/tools', newTool)).body).toEqual({
			message: expect.stringMatching(/\b2\b/),
		});
		expect((await service.alice.post('/user/tools', newTool)).status).toBe(201);
	});

	it.each([
		[
			'createAssistant',
			'Assistant creation failed',
			(alice: ServiceClient) => alice.post('/user/assistant', newAssistant),
		],
		[
			'updateAssistant',
			'Assistant update failed',
			(alice: ServiceClient) => alice.put('/user/assistant/1', {}),
		],
	])('%s fails → 500 %s', async (operation, message, send) => {
		await service.control.fault({ operation, status: 500, times: 1 });
		const response = await send(service.alice);
		expect({ status: response.status, body: response.body }).toEqual({
			status: 500,
			body: { message },
		});
	});
});

// contract: Endpoints – the messages of success.
describe('the messages of success', () => {
	it.each<[operation: string, status: number, message: string, send: Send]>([
		[
			'create lead',
			200,
			'Lead created successfully',
			(alice) => alice.post('/user/lead', { campaign_id: 1, phone_number: '+4915112345699' }),
		],
		[
			'update lead',
			200,
			'Lead updated successfully',
			(alice) => alice.put('/user/leads/1', { status: 'completed' }),
		],
		[
			'start campaign',
			200,
			'Campaign started successfully.',
			(alice) => alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' }),
		],
		[
			'stop campaign',
			200,
			'Campaign stopped successfully.',
			(alice) => alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'stop' }),
		],
		[
			'create assistant',
			201,
			'Assistant created successfully',
			(alice) => alice.post('/user/assistant', newAssistant),
		],
		[
			'update assistant',
			200,
			'Assistant updated successfully',
			(alice) => alice.put('/user/assistant/1', { assistant_name: 'New name' }),
		],
		[
			'disable webhook',
			200,
			'Webhook disabled successfully',
			(alice) => alice.post('/user/assistants/disable-webhook', { assistant_id: 1 }),
		],
		[
			'enable inbound webhook',
			200,
			'Webhook enabled successfully',
			(alice) =>
				alice.post('/user/assistants/enable-inbound-webhook', {
					assistant_id: 2,
					webhook_url: hook,
				}),
		],
		[
			'disable inbound webhook',
			200,
			'Inbound webhook disabled successfully',
			(alice) => alice.post('/user/assistants/disable-inbound-webhook', { assistant_id: 2 }),
		],
		[
			'create tool',
			201,
			'Tool created successfully',
			(alice) => alice.post('/user/tools', newTool),
		],
		[
			'update tool',
			200,
			'Tool updated successfully',
			(alice) => alice.put('/user/tools/1', { timeout: 3 }),
		],
		[
			'send SMS',
			200,
			'SMS sent successfully',
			(alice) => alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hello' }),
		],
	])('%s → %d %s', async (_operation, status, message, send) => {
		const response = await send(service.alice);
		expect(response.status).toBe(status);
		expect(response.body).toMatchObject({ message });
	});
});
