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

/** The body of a 422 response that names exactly these fields. */
const refusedFields = (message: string, ...fields: string[]) => ({
	message,
	errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])),
});

const NOBODYS = 999;
const BOBS = 101;
const hook = 'https://hooks.example.com/calls';

// contract: Errors, row by row. contract/assumptions.yaml has the status if a row names none.
const errorTable: Row[] = [
	...[NOBODYS, BOBS].flatMap((id): Row[] => [
		{
			condition: `assistant ${id} is not mine: update`,
			send: (alice) => alice.put(`/user/assistant/${id}`, { assistant_name: 'Mine now' }),
			status: 404,
			body: { message: 'Assistant not found' },
		},
		{
			condition: `assistant ${id} is not mine: disable webhook`,
			send: (alice) => alice.post('/user/assistants/disable-webhook', { assistant_id: id }),
			status: 404,
			body: { message: 'Assistant not found' },
		},
		{
			condition: `assistant ${id} is not mine: enable inbound webhook`,
			send: (alice) =>
				alice.post('/user/assistants/enable-inbound-webhook', {
					assistant_id: id,
					webhook_url: hook,
				}),
			status: 404,
			body: { message: 'Assistant not found' },
		},
		{
			condition: `assistant ${id} is not mine: disable inbound webhook`,
			send: (alice) => alice.post('/user/assistants/disable-inbound-webhook', { assistant_id: id }),
			status: 404,
			body: { message: 'Assistant not found' },
		},
		{
			condition: `tool ${id} is not mine: update`,
			send: (alice) => alice.put(`/user/tools/${id}`, { description: 'Mine now' }),
			status: 404,
			body: { message: 'Tool not found' },
		},
		{
			condition: `lead ${id} is not mine: update`,
			send: (alice) => alice.put(`/user/leads/${id}`, { status: 'completed' }),
			status: 404,
			body: { message: 'Lead not found' },
		},
		{
			condition: `campaign ${id} is not mine: move a lead there`,
			send: (alice) => alice.put('/user/leads/1', { campaign_id: id }),
			status: 404,
			body: { message: 'Campaign not found' },
		},
	]),
	{
		condition: 'validation failure on create of an assistant',
		send: (alice) =>
			alice.post('/user/assistant', { ...newAssistant, calls_direction: 'sideways' }),
		status: 422,
		body: refusedFields('Validation failed', 'calls_direction'),
	},
	{
		condition: 'validation failure on update of an assistant',
		send: (alice) => alice.put('/user/assistant/1', { engine_type: 'steam' }),
		status: 422,
		body: refusedFields('Validation failed', 'engine_type'),
	},
	{
		condition: 'validation failure on create of a tool',
		send: (alice) => alice.post('/user/tools', { ...newTool, method: 'FETCH' }),
		status: 422,
		body: refusedFields('Validation failed', 'method'),
	},
	{
		condition: 'validation failure on update of a tool',
		send: (alice) => alice.put('/user/tools/1', { timeout: 'soon' }),
		status: 422,
		body: refusedFields('Validation failed', 'timeout'),
	},
	{
		condition: 'validation failure on create of a lead',
		send: (alice) => alice.post('/user/lead', { campaign_id: 1 }),
		status: 422,
		body: refusedFields('Validation failed', 'phone_number'),
	},
	{
		condition: 'several fields at once are all named',
		send: (alice) =>
			alice.put('/user/assistant/1', { speech_speed: 3, timezone: 7, record_call: 'yes' }),
		status: 422,
		body: refusedFields('Validation failed', 'speech_speed', 'timezone', 'record_call'),
	},
	{
		condition: 'missing assistant_id on disable webhook',
		send: (alice) => alice.post('/user/assistants/disable-webhook', {}),
		status: 422,
		body: {
			message: 'The given data was invalid.',
			errors: { assistant_id: ['The assistant id field is required.'] },
		},
	},
	{
		condition: 'webhook_url missing while is_webhook_active is true (create assistant)',
		send: (alice) => alice.post('/user/assistant', { ...newAssistant, is_webhook_active: true }),
		status: 422,
		body: refusedFields('Validation failed', 'webhook_url'),
	},
	{
		condition: 'webhook_url null while is_webhook_active is true (create assistant)',
		send: (alice) =>
			alice.post('/user/assistant', {
				...newAssistant,
				is_webhook_active: true,
				webhook_url: null,
			}),
		status: 422,
		body: refusedFields('Validation failed', 'webhook_url'),
	},
	{
		condition: 'number below its range',
		send: (alice) => alice.put('/user/assistant/1', { speech_speed: 0.69 }),
		status: 422,
		body: refusedFields('Validation failed', 'speech_speed'),
	},
	{
		condition: 'number above its range',
		send: (alice) => alice.post('/user/assistant', { ...newAssistant, speech_speed: 1.21 }),
		status: 422,
		body: refusedFields('Validation failed', 'speech_speed'),
	},
	{
		condition: 'invalid URL on an assistant',
		send: (alice) => alice.put('/user/assistant/1', { webhook_url: 'not a url' }),
		status: 422,
		body: refusedFields('Validation failed', 'webhook_url'),
	},
	{
		condition: 'invalid URL on a tool',
		send: (alice) => alice.post('/user/tools', { ...newTool, endpoint: 'example' }),
		status: 422,
		body: refusedFields('Validation failed', 'endpoint'),
	},
	{
		condition: 'invalid URL on the inbound webhook',
		send: (alice) =>
			alice.post('/user/assistants/enable-inbound-webhook', {
				assistant_id: 1,
				webhook_url: 'nowhere',
			}),
		status: 422,
		body: refusedFields('The given data was invalid.', 'webhook_url'),
	},
	{
		condition: 'missing fields on enable inbound webhook',
		send: (alice) => alice.post('/user/assistants/enable-inbound-webhook', {}),
		status: 422,
		body: {
			message: 'The given data was invalid.',
			errors: {
				assistant_id: ['The assistant id field is required.'],
				webhook_url: ['The webhook url field is required.'],
			},
		},
	},
	{
		condition: 'missing assistant_id on disable inbound webhook',
		send: (alice) => alice.post('/user/assistants/disable-inbound-webhook', {}),
		status: 422,
		body: {
			message: 'The given data was invalid.',
			errors: { assistant_id: ['The assistant id field is required.'] },
		},
	},
	...[
		'Get_Weather',
		'1st_tool',
		'_tool',
		'get-weather',
		'get weather',
		'wetter_für_bonn',
		'tool2',
	].flatMap((name): Row[] => [
		{
			condition: `tool name "${name}" breaks the name rule: create`,
			send: (alice) => alice.post('/user/tools', { ...newTool, name }),
			status: 422,
			body: {
				message: 'Validation failed',
				errors: {
					name: [
						'Tool name must contain only lowercase letters and underscores, and start with a letter.',
					],
				},
			},
		},
		{
			condition: `tool name "${name}" breaks the name rule: update`,
			send: (alice) => alice.put('/user/tools/1', { name }),
			status: 422,
			body: {
				message: 'Validation failed',
				errors: {
					name: [
						'Tool name must contain only lowercase letters and underscores, and start with a letter.',
					],
				},
			},
		},
	]),
	...['12', 'call me', '+49', '+999123456789', ''].map((phone_number): Row => ({
		condition: `phone number "${phone_number}" cannot be read: update lead`,
		send: (alice) => alice.put('/user/leads/1', { phone_number }),
		status: 422,
		body: { message: 'Invalid phone number' },
	})),
	{
		condition: 'campaign_id of no possible campaign (update lead)',
		send: (alice) => alice.put('/user/leads/1', { campaign_id: 'spring' }),
		status: 422,
		body: {
			message: 'Validation failed',
			errors: { campaign_id: ['The selected campaign does not exist'] },
		},
	},
	{
		condition: 'status outside the three allowed (update lead)',
		send: (alice) => alice.put('/user/leads/1', { status: 'processing' }),
		status: 422,
		body: {
			message: 'Validation failed',
			errors: { status: ['This status is assigned automatically and cannot be set manually'] },
		},
	},
	{
		condition: 'variables that are no key/value pairs (update lead)',
		send: (alice) => alice.put('/user/leads/1', { variables: 'blue' }),
		status: 422,
		body: { message: 'Validation failed', errors: { variables: ['Variables must be an array'] } },
	},
	{
		condition: 'all three invalid lead fields at once (update lead)',
		send: (alice) =>
			alice.put('/user/leads/1', { campaign_id: 'spring', status: 'scheduled', variables: 1 }),
		status: 422,
		body: {
			message: 'Validation failed',
			errors: {
				campaign_id: ['The selected campaign does not exist'],
				status: ['This status is assigned automatically and cannot be set manually'],
				variables: ['Variables must be an array'],
			},
		},
	},
	{
		condition: 'one disallowed field in a lead update',
		send: (alice) => alice.put('/user/leads/1', { notes: 'call after five' }),
		status: 422,
		body: { message: 'Invalid fields: notes' },
	},
	{
		condition: 'two disallowed fields in a lead update, beside an allowed one',
		send: (alice) =>
			alice.put('/user/leads/1', { email: 'jane@example.com', status: 'completed', id: 7 }),
		status: 422,
		body: { message: 'Invalid fields: email, id' },
	},
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
describe('the sentences of success', () => {
	it.each([
		{
			operation: 'create lead',
			send: (alice: ServiceClient) =>
				alice.post('/user/lead', { campaign_id: 1, phone_number: '+4915112345699' }),
			status: 200,
			message: 'Lead created successfully',
		},
		{
			operation: 'update lead',
			send: (alice: ServiceClient) => alice.put('/user/leads/1', { status: 'completed' }),
			status: 200,
			message: 'Lead updated successfully',
		},
		{
			operation: 'start campaign',
			send: (alice: ServiceClient) =>
				alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' }),
			status: 200,
			message: 'Campaign started successfully.',
		},
		{
			operation: 'stop campaign',
			send: (alice: ServiceClient) =>
				alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'stop' }),
			status: 200,
			message: 'Campaign stopped successfully.',
		},
		{
			operation: 'create assistant',
			send: (alice: ServiceClient) => alice.post('/user/assistant', newAssistant),
			status: 201,
			message: 'Assistant created successfully',
		},
		{
			operation: 'update assistant',
			send: (alice: ServiceClient) =>
				alice.put('/user/assistant/1', { assistant_name: 'New name' }),
			status: 200,
			message: 'Assistant updated successfully',
		},
		{
			operation: 'disable webhook',
			send: (alice: ServiceClient) =>
				alice.post('/user/assistants/disable-webhook', { assistant_id: 1 }),
			status: 200,
			message: 'Webhook disabled successfully',
		},
		{
			operation: 'enable inbound webhook',
			send: (alice: ServiceClient) =>
				alice.post('/user/assistants/enable-inbound-webhook', {
					assistant_id: 2,
					webhook_url: hook,
				}),
			status: 200,
			message: 'Webhook enabled successfully',
		},
		{
			operation: 'disable inbound webhook',
			send: (alice: ServiceClient) =>
				alice.post('/user/assistants/disable-inbound-webhook', { assistant_id: 2 }),
			status: 200,
			message: 'Inbound webhook disabled successfully',
		},
		{
			operation: 'create tool',
			send: (alice: ServiceClient) => alice.post('/user/tools', newTool),
			status: 201,
			message: 'Tool created successfully',
		},
		{
			operation: 'update tool',
			send: (alice: ServiceClient) => alice.put('/user/tools/1', { timeout: 3 }),
			status: 200,
			message: 'Tool updated successfully',
		},
		{
			operation: 'send SMS',
			send: (alice: ServiceClient) =>
				alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hello' }),
			status: 200,
			message: 'SMS sent successfully',
		},
	])('$operation → $status $message', async ({ send, status, message }) => {
		const response = await send(service.alice);
		expect(response.status).toBe(status);
		expect(response.body).toMatchObject({ message });
	});
});
