import { expect, it } from '@jest/globals';
import { expectResponse } from './support/responses.mts';
import { newAssistant, newTool } from './support/seed.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

type Row = [request: string, body: object, status: number, response: object];

const INBOUND = 'POST /user/assistants/enable-inbound-webhook';
const hook = 'https://hooks.example.com/calls';

/** The body of a 422 response that names exactly these fields, in any words. */
const invalid = (...fields: string[]) => ({
	message: 'Validation failed',
	errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])),
});

/** The same of an operation that answers with other words: each of these fields is missing. */
const missing = (...fields: string[]) => ({
	message: 'The given data was invalid.',
	errors: Object.fromEntries(
		fields.map((field) => [field, [`The ${field.replaceAll('_', ' ')} field is required.`]]),
	),
});

/** What a tool's name must be. */
const badToolName = {
	message: 'Validation failed',
	errors: {
		name: [
			'Tool name must contain only lowercase letters and underscores, and start with a letter.',
		],
	},
};

// contract: Errors, row by row. contract/assumptions.yaml has the status if a row names none.
const refusals: Row[] = [
	...(
		[
			['POST /user/assistants/disable-webhook', { assistant_id: 999 }, 'Assistant'],
			[INBOUND, { assistant_id: 999, webhook_url: hook }, 'Assistant'],
			['POST /user/assistants/disable-inbound-webhook', { assistant_id: 999 }, 'Assistant'],
			['PUT /user/leads/1', { campaign_id: 999 }, 'Campaign'],
			['POST /user/campaigns/update-status', { campaign_id: 999, action: 'start' }, 'Campaign'],
		] as const
	).map(([request, body, what]): Row => [request, body, 404, { message: `${what} not found` }]),
	[
		'PUT /user/assistant/1',
		{ speech_speed: 3, timezone: 7, record_call: 'yes' },
		422,
		invalid('speech_speed', 'timezone', 'record_call'),
	],
	[
		'POST /user/assistant',
		{ ...newAssistant, is_webhook_active: true },
		422,
		invalid('webhook_url'),
	],
	[
		'POST /user/assistant',
		{},
		422,
		{ ...missing(...Object.keys(newAssistant)), message: 'Validation failed' },
	],
	['POST /user/assistants/disable-webhook', {}, 422, missing('assistant_id')],
	['POST /user/assistants/disable-inbound-webhook', {}, 422, missing('assistant_id')],
	[INBOUND, {}, 422, missing('assistant_id', 'webhook_url')],
	[
		INBOUND,
		{ assistant_id: 1, webhook_url: 'nowhere' },
		422,
		{ ...invalid('webhook_url'), message: 'The given data was invalid.' },
	],
	...[
		'Get_Weather',
		'1st_tool',
		'_tool',
		'get-weather',
		'get weather',
		'für_bonn',
		'tool2',
	].flatMap((name): Row[] => [
		['POST /user/tools', { ...newTool, name }, 422, badToolName],
		['PUT /user/tools/1', { name }, 422, badToolName],
	]),
	['PUT /user/leads/1', { phone_number: '' }, 422, { message: 'Invalid phone number' }],
	[
		'PUT /user/leads/1',
		{ campaign_id: 'spring', status: 'scheduled', variables: 1 },
		422,
		{
			message: 'Validation failed',
			errors: {
				campaign_id: ['The selected campaign does not exist'],
				status: ['This status is assigned automatically and cannot be set manually'],
				variables: ['Variables must be an array'],
			},
		},
	],
	// Fields that are not allowed are named before anything else is looked at.
	...[{ zeta: 1, status: 'processing', alpha: 2, campaign_id: 999 }, { '': 1 }, { 'a\nb': 1 }].map(
		(body): Row => {
			const names = Object.keys(body).filter((name) => !['status', 'campaign_id'].includes(name));
			return ['PUT /user/leads/1', body, 422, { message: `Invalid fields: ${names.join(', ')}` }];
		},
	),
];

it.each(refusals)('%s %j → %d', async (request, body, status, response) => {
	const [method = '', path = ''] = request.split(' ');
	expectResponse(await service.alice.request(method, path, { json: body }), status, response);
});

it.each([
	['POST', '/user/assistant', 'Assistant creation failed'],
	['PUT', '/user/assistant/1', 'Assistant update failed'],
	['POST', '/user/sms', 'Failed to send SMS'],
])('%s %s fails → 500 %s', async (method, path, message) => {
	await service.control.fault({ status: 500 });
	const { status, body } = await service.alice.request(method, path, { json: {} });
	expect({ status, body }).toEqual({ status: 500, body: { message } });
});
