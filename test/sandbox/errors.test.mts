import { describe, expect, it } from '@jest/globals';
import type { ServiceResponse, ServiceClient } from '../support/sandbox/client.mts';
import { expectResponse } from '../support/sandbox/responses.mts';
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

const put =
	(path: string, json: object): Send =>
	(alice) =>
		alice.put(path, json);
const post =
	(path: string, json: object): Send =>
	(alice) =>
		alice.post(path, json);

const createAssistant = (fields: object = {}) =>
	post('/user/assistant', { ...newAssistant, ...fields });
const updateAssistant = (fields: object, id = 1) => put(`/user/assistant/${id}`, fields);
const disableWebhook = (fields: object) => post('/user/assistants/disable-webhook', fields);
const enableInbound = (fields: object) => post('/user/assistants/enable-inbound-webhook', fields);
const disableInbound = (fields: object) => post('/user/assistants/disable-inbound-webhook', fields);
const createTool = (fields: object = {}) => post('/user/tools', { ...newTool, ...fields });
const updateTool = (fields: object, id = 1) => put(`/user/tools/${id}`, fields);
const createLead = (fields: object) => post('/user/lead', { campaign_id: 1, ...fields });
const updateLead = (fields: object, id = 1) => put(`/user/leads/${id}`, fields);
const setCampaign = (action: string) =>
	post('/user/campaigns/update-status', { campaign_id: 1, action });
const sendSms = post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hello' });

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

/** The body of a 422 response with these messages. */
const failed = (errors: Record<string, string[]>) => ({ message: 'Validation failed', errors });

/** The same of an operation that answers with other words. */
const givenDataInvalid = (errors: object) => ({ message: 'The given data was invalid.', errors });

const BAD_TOOL_NAME = failed({
	name: ['Tool name must contain only lowercase letters and underscores, and start with a letter.'],
});
const ASSISTANT_ID_MISSING = { assistant_id: ['The assistant id field is required.'] };
const NO_CAMPAIGN = { campaign_id: ['The selected campaign does not exist'] };
const AUTOMATIC_STATUS = {
	status: ['This status is assigned automatically and cannot be set manually'],
};
const NO_VARIABLES = { variables: ['Variables must be an array'] };

const NOBODYS = 999;
const BOBS = 101;
const hook = 'https://hooks.example.com/calls';

// contract: Errors, row by row. contract/assumptions.yaml has the status if a row names none.
const errorTable: Row[] = [
	...[NOBODYS, BOBS].flatMap((id) => [
		...Object.entries({
			update: updateAssistant({ assistant_name: 'Mine now' }, id),
			'disable webhook': disableWebhook({ assistant_id: id }),
			'enable inbound webhook': enableInbound({ assistant_id: id, webhook_url: hook }),
			'disable inbound webhook': disableInbound({ assistant_id: id }),
		}).map(([action, send]) =>
			notFound(`assistant ${id} is not mine: ${action}`, send, 'Assistant not found'),
		),
		notFound(
			`tool ${id} is not mine: update`,
			updateTool({ description: 'Mine now' }, id),
			'Tool not found',
		),
		notFound(
			`lead ${id} is not mine: update`,
			updateLead({ status: 'completed' }, id),
			'Lead not found',
		),
		notFound(
			`campaign ${id} is not mine: move a lead there`,
			updateLead({ campaign_id: id }),
			'Campaign not found',
		),
	]),
	refused(
		'validation failure on create of an assistant',
		createAssistant({ calls_direction: 'sideways' }),
		invalid('calls_direction'),
	),
	refused(
		'validation failure on update of an assistant',
		updateAssistant({ engine_type: 'steam' }),
		invalid('engine_type'),
	),
	refused(
		'validation failure on create of a tool',
		createTool({ method: 'FETCH' }),
		invalid('method'),
	),
	refused(
		'validation failure on update of a tool',
		updateTool({ timeout: 'soon' }),
		invalid('timeout'),
	),
	refused('validation failure on create of a lead', createLead({}), invalid('phone_number')),
	refused(
		'several fields at once are all named',
		updateAssistant({ speech_speed: 3, timezone: 7, record_call: 'yes' }),
		invalid('speech_speed', 'timezone', 'record_call'),
	),
	refused(
		'missing assistant_id on disable webhook',
		disableWebhook({}),
		givenDataInvalid(ASSISTANT_ID_MISSING),
	),
	refused(
		'webhook_url missing while is_webhook_active is true (create assistant)',
		createAssistant({ is_webhook_active: true }),
		invalid('webhook_url'),
	),
	refused(
		'webhook_url null while is_webhook_active is true (create assistant)',
		createAssistant({ is_webhook_active: true, webhook_url: null }),
		invalid('webhook_url'),
	),
	refused(
		'number below its range',
		updateAssistant({ speech_speed: 0.69 }),
		invalid('speech_speed'),
	),
	refused(
		'number above its range',
		createAssistant({ speech_speed: 1.21 }),
		invalid('speech_speed'),
	),
	refused(
		'invalid URL on an assistant',
		updateAssistant({ webhook_url: 'not a url' }),
		invalid('webhook_url'),
	),
	refused('invalid URL on a tool', createTool({ endpoint: 'example' }), invalid('endpoint')),
	refused(
		'invalid URL on the inbound webhook',
		enableInbound({ assistant_id: 1, webhook_url: 'nowhere' }),
		givenDataInvalid(invalid('webhook_url').errors),
	),
	refused(
		'missing fields on enable inbound webhook',
		enableInbound({}),
		givenDataInvalid({
			...ASSISTANT_ID_MISSING,
			webhook_url: ['The webhook url field is required.'],
		}),
	),
	refused(
		'missing assistant_id on disable inbound webhook',
		disableInbound({}),
		givenDataInvalid(ASSISTANT_ID_MISSING),
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
			createTool({ name }),
			BAD_TOOL_NAME,
		),
		refused(
			`tool name "${name}" breaks the name rule: update`,
			updateTool({ name }),
			BAD_TOOL_NAME,
		),
	]),
	...['12', 'call me', '+49', '+999123456789', ''].map((phone_number) =>
		refused(
			`phone number "${phone_number}" cannot be read: update lead`,
			updateLead({ phone_number }),
			{ message: 'Invalid phone number' },
		),
	),
	refused(
		'campaign_id of no possible campaign (update lead)',
		updateLead({ campaign_id: 'spring' }),
		failed(NO_CAMPAIGN),
	),
	refused(
		'status outside the three allowed (update lead)',
		updateLead({ status: 'processing' }),
		failed(AUTOMATIC_STATUS),
	),
	refused(
		'variables that are no key/value pairs (update lead)',
		updateLead({ variables: 'blue' }),
		failed(NO_VARIABLES),
	),
	refused(
		'all three invalid lead fields at once (update lead)',
		updateLead({ campaign_id: 'spring', status: 'scheduled', variables: 1 }),
		failed({ ...NO_CAMPAIGN, ...AUTOMATIC_STATUS, ...NO_VARIABLES }),
	),
	refused('one disallowed field in a lead update', updateLead({ notes: 'call after five' }), {
		message: 'Invalid fields: notes',
	}),
	refused(
		'two disallowed fields in a lead update, beside an allowed one',
		updateLead({ email: 'jane@example.com', status: 'completed', id: 7 }),
		{ message: 'Invalid fields: email, id' },
	),
];

describe('the Errors table', () => {
	it.each(errorTable)('$condition → $status', async ({ send, status, body }) => {
		const response = await send(service.alice);
		expectResponse(response, status, body);
	});

	it('tool quota reached: the message states the plan limit and asks for an upgrade, without errors', async () => {
		for (const name of ['third', 'fourth', 'fifth']) {
			expect((await service.alice.post('/user/tools', { ...newTool, name })).status).toBe(201);
		}
		const response = await service.alice.post('/user/tools', { ...newTool, name: 'sixth' });
		expectResponse(response, 422, {
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

	it.each<[operation: string, message: string, send: Send]>([
		['createAssistant', 'Assistant creation failed', createAssistant()],
		['updateAssistant', 'Assistant update failed', updateAssistant({})],
	])('%s fails → 500 %s', async (operation, message, send) => {
		await service.control.fault({ operation, status: 500, times: 1 });
		const response = await send(service.alice);
		expectResponse(response, 500, { message });
	});
});

// contract: Endpoints – the messages of success.
describe('the messages of success', () => {
	it.each<[operation: string, status: number, message: string, send: Send]>([
		[
			'create lead',
			200,
			'Lead created successfully',
			createLead({ phone_number: '+4915112345699' }),
		],
		['update lead', 200, 'Lead updated successfully', updateLead({ status: 'completed' })],
		['start campaign', 200, 'Campaign started successfully.', setCampaign('start')],
		['stop campaign', 200, 'Campaign stopped successfully.', setCampaign('stop')],
		['create assistant', 201, 'Assistant created successfully', createAssistant()],
		[
			'update assistant',
			200,
			'Assistant updated successfully',
			updateAssistant({ assistant_name: 'New name' }),
		],
		['disable webhook', 200, 'Webhook disabled successfully', disableWebhook({ assistant_id: 1 })],
		[
			'enable inbound webhook',
			200,
			'Webhook enabled successfully',
			enableInbound({ assistant_id: 2, webhook_url: hook }),
		],
		[
			'disable inbound webhook',
			200,
			'Inbound webhook disabled successfully',
			disableInbound({ assistant_id: 2 }),
		],
		['create tool', 201, 'Tool created successfully', createTool()],
		['update tool', 200, 'Tool updated successfully', updateTool({ timeout: 3 })],
		['send SMS', 200, 'SMS sent successfully', sendSms],
	])('%s → %d %s', async (_operation, status, message, send) => {
		const response = await send(service.alice);
		expect(response.status).toBe(status);
		expect(response.body).toMatchObject({ message });
	});
});
