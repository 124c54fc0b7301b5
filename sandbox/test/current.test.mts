import { describe, expect, it } from '@jest/globals';
import { A_CALL, setCampaign } from './support/calls.mts';
import { getRows } from './support/client.mts';
import { asObject, getObjects, type JsonObject } from './support/contract.mts';
import { expectInvalid, expectResponse } from './support/responses.mts';
import { newTool, twoUsers } from './support/seed.mts';
import { startOwnService } from './support/testService.mts';
import type { Service } from './support/service.mts';
import { serviceAndReceiver } from './support/webhooks.mts';

/** The newer generation: public-service.md, Table 2. Its answers are compared with the samples there. */
const { service, receiver } = await serviceAndReceiver({ service: 'current' });
const { control } = service;

/** Asks as Alice. The answer is not compared with the contract, which it contradicts. */
const ask = ({ alice }: Service, method: string, path: string, json?: JsonObject) => {
	const [address = '', query = ''] = path.split('?');
	const sent = { json, query: Object.fromEntries(new URLSearchParams(query)) };
	return alice.request(method, address, { ...sent, ignoreContract: true });
};
const send = (method: string, path: string, json?: JsonObject) => ask(service, method, path, json);
const readAssistants = async (): Promise<JsonObject[]> =>
	getRows(await send('GET', '/user/assistants/get'));
const newest = async (): Promise<JsonObject> => asObject((await readAssistants()).at(-1), 'newest');
const readLeads = async (query = ''): Promise<JsonObject[]> =>
	getRows(await send('GET', `/user/leads${query}`));

/** The eight required fields, and the model of the mode. */
const NEWER = {
	...{ name: 'Sales', voice_id: 1, language_id: 2, type: 'outbound', mode: 'pipeline' },
	...{ llm_model_id: 2, timezone: 'Europe/Paris', initial_message: 'Hello!' },
	system_prompt: 'You call customers.',
};
const create = (fields: JsonObject = {}) =>
	send('POST', '/user/assistant', { ...NEWER, ...fields });
const update = (fields: JsonObject) => send('PUT', '/user/assistant/1', fields);

describe('an assistant', () => {
	it('is created inactive, with the newer names', async () => {
		const tools = [{ type: 'end_call', description: 'At the end' }];
		expectResponse(await create({ tool_ids: [1], tools }), 201, {
			message: 'Assistant created successfully',
			data: { id: 102, name: 'Sales', status: 'inactive', type: 'outbound', mode: 'pipeline' },
		});
		expect(await newest()).toMatchObject({
			...{ name: 'Sales', type: 'outbound', mode: 'pipeline', timezone: 'Europe/Paris' },
			...{ language: 'de', language_id: 2, llm_model_id: 2, multimodal_model_id: null },
			...{ record: false, fillers: 0, max_duration: 600, reengagement_interval: 30 },
			...{ ringing_time: 30, max_initial_silence_duration: null, ambient_sound: null },
			...{ send_webhook_only_on_completed: true, include_recording_in_webhook: true },
			tools: [{ type: 'end_call', data: { description: 'At the end' } }],
		});
	});

	it('shows what was written in every newer field', async () => {
		const written = {
			...{ max_duration: 60, max_silence_duration: 360, reengagement_interval: 7 },
			...{ max_initial_silence_duration: 20, ringing_time: 45, ambient_sound: 'cafe' },
			...{ enable_noise_cancellation: false, wait_for_customer: true, record: true },
			...{ allow_interruptions: false, min_interrupt_words: 3, voice_id: 2 },
			...{ knowledgebase_id: 4, knowledgebase_mode: 'function_call' },
			...{ type: 'inbound', mode: 'dualplex', multimodal_model_id: 4 },
		};
		expect((await create({ ...written, fillers: true })).status).toBe(201);
		expect(await newest()).toMatchObject({ ...written, fillers: 1 });
	});

	it('without fields is refused by the newer names, which show the generation', async () => {
		const names = ['name', 'voice_id', 'language_id', 'type', 'mode', 'timezone'];
		expectInvalid(
			await send('POST', '/user/assistant', {}),
			Object.fromEntries(
				[...names, 'initial_message', 'system_prompt'].map((name) => {
					return [name, [`The ${name.replaceAll('_', ' ')} field is required.`]];
				}),
			),
		);
	});

	it.each<[fields: JsonObject, field: string, message: string]>([
		[{ name: undefined }, 'name', 'The name field is required.'],
		[{ language_id: undefined }, 'language_id', 'The language id field is required.'],
		[{ llm_model_id: undefined }, 'llm_model_id', 'The llm model id field is required.'],
		[{ mode: 'dualplex' }, 'multimodal_model_id', 'The multimodal model id field is required.'],
		[{ language_id: 3 }, 'language_id', 'The selected language id is invalid.'],
		[{ llm_model_id: 3 }, 'llm_model_id', 'The selected llm model id is invalid.'],
		[
			{ mode: 'multimodal', multimodal_model_id: 4 },
			'multimodal_model_id',
			'The selected multimodal model id is invalid.',
		],
		[
			{ mode: 'multimodal', multimodal_model_id: 3, knowledgebase_mode: 'prompt' },
			'knowledgebase_mode',
			'Only function_call mode is available for multimodal assistants.',
		],
		[{ voice_id: 9 }, 'voice_id', 'The selected voice id is invalid.'],
		[
			{ initial_message: 'x'.repeat(201) },
			'initial_message',
			'The initial message must not be greater than 200 characters.',
		],
		[
			{ max_silence_duration: 361 },
			'max_silence_duration',
			'The max silence duration must be between 1 and 360.',
		],
		[
			{ post_call_schema: [{ name: 'ab', type: 'bool', description: 'Agreed' }] },
			'post_call_schema.0.name',
			'The post_call_schema.0.name must be at least 3 characters.',
		],
		[
			{ is_webhook_active: true },
			'webhook_url',
			'The webhook url field is required when is webhook active is true.',
		],
		[{ tools: [{ type: 'other' }] }, 'tools.0.type', 'The selected tools.0.type is invalid.'],
		[
			{ tools: [{ type: 'end_call' }, { type: 'call_transfer' }] },
			'tools.1.phone_number',
			'The tools.1.phone_number field is required.',
		],
	])('is refused with %j', async (fields, field, message) => {
		expectInvalid(await create(fields), { [field]: [message] });
	});

	it('is refused with a voice of another mode', async () => {
		const [alice = {}] = twoUsers().users;
		const voices = [{ id: 1, name: 'Anna', modes: ['pipeline'] }];
		const seed = { users: [{ ...alice, voices, assistants: [], campaigns: [], leads: [] }] };
		await using own = await startOwnService({ seed, service: 'current' });
		const fields = { ...NEWER, mode: 'multimodal', multimodal_model_id: 3 };
		expectInvalid(await ask(own, 'POST', '/user/assistant', fields), {
			voice_id: ['The selected voice is not compatible with the chosen engine type.'],
		});
		await ask(own, 'POST', '/user/assistant', NEWER);
		const { mode, multimodal_model_id } = fields;
		expectInvalid(await ask(own, 'PUT', '/user/assistant/1', { mode, multimodal_model_id }), {
			voice_id: ['The selected voice is not compatible with the selected engine type.'],
		});
	});

	it('ignores the older names in an update, with 200', async () => {
		const [before] = await readAssistants();
		const older = { assistant_name: 'Older', max_call_duration: 20, end_call_tool: {} };
		expectResponse(await update(older), 200, {
			message: 'Assistant updated successfully',
			data: { id: 1, name: 'Caller', status: 'inactive', type: 'outbound', mode: 'pipeline' },
		});
		expect((await readAssistants())[0]).toEqual(before);
	});

	it('replaces its built-in tools, which no mid call tool is', async () => {
		const transfer = { phone_number: '+4915112345688', description: 'To a person' };
		await update({ tools: [{ type: 'call_transfer', ...transfer }, { type: 'dtmf_input' }] });
		expect((await readAssistants())[0]).toMatchObject({
			tools: [
				{ type: 'call_transfer', data: transfer },
				{ type: 'dtmf_input', data: {} },
			],
		});
		await update({ tools: [] });
		expect((await readAssistants())[0]).toMatchObject({ tools: [] });
		// The mid call tool is still attached.
		await control.outbound({ assistant_id: 1, to: '+4915112399907' });
		await control.advance('PT30S');
		const { data } = asObject((await control.request('GET', '/tool-requests')).body, 'requests');
		expect(data).toMatchObject([{ tool_name: newTool.name }]);
	});

	it('gets null back where null was written', async () => {
		await update({ min_interrupt_words: 4, ambient_sound: 'office', phone_number_id: 2 });
		await update({ min_interrupt_words: null, ambient_sound: null, phone_number_id: null });
		const [assistant] = await readAssistants();
		expect(assistant).toMatchObject({ ambient_sound: null, phone_number_id: null });
		expect(assistant).toMatchObject({ min_interrupt_words: 0 });
	});
});

it('lists have the voices of a mode and a language, the models of a type, and tools without assistants', async () => {
	const [alice = {}] = twoUsers().users;
	const voices = [
		{ id: 1, name: 'Anna', modes: ['pipeline'] },
		{ id: 2, name: 'Ben', language_id: 2, modes: ['pipeline', 'dualplex'] },
		{ id: 3, name: 'Cleo', modes: ['dualplex'] },
	];
	await using own = await startOwnService({
		seed: { users: [{ ...alice, voices }] },
		service: 'current',
	});
	const names = async (path: string) =>
		getObjects((await ask(own, 'GET', path)).body).map(({ name }) => name);
	expect(await names('/user/assistants/voices?mode=dualplex&language_id=2')).toEqual(['Ben']);
	expect(await names('/user/assistants/voices?mode=dualplex')).toEqual(['Ben', 'Cleo']);
	expect(await names('/user/assistants/models?type=dualplex')).toEqual(['Dual A']);
	const [tool = {}] = getObjects((await ask(own, 'GET', '/user/tools')).body);
	expect(Object.keys(tool).sort()).toEqual(
		['created_at', 'description', 'endpoint', 'headers', 'id', 'method', 'name'].concat([
			'schema',
			'timeout',
			'updated_at',
		]),
	);
});

it('only completed calls are reported by a new assistant, until it is told otherwise', async () => {
	const hook = { is_webhook_active: true, webhook_url: receiver.url };
	await create(hook);
	for (const only of [undefined, false]) {
		if (only === false)
			await send('PUT', '/user/assistant/102', { send_webhook_only_on_completed: only });
		await control.outbound({ assistant_id: 102, to: '+4915112345611', scenario: 'busy' });
		await control.advance(A_CALL);
	}
	expect(receiver.arrivals.map(({ body }) => body)).toMatchObject([{ id: 2, status: 'busy' }]);
});

describe('a mid call tool', () => {
	const createTool = (fields: JsonObject) => send('POST', '/user/tools', { ...newTool, ...fields });

	it('has a longer name and more parameters', async () => {
		const schema = [
			{ name: 'x', type: 'float', description: 'How far', required: true },
			{ name: 'day', type: 'string', description: 'The day' },
		];
		const { status, body } = await createTool({ name: '_Find2', schema });
		expect({ status, body }).toMatchObject({
			status: 201,
			body: { data: { name: '_Find2', schema } },
		});
	});

	it('is refused with the first error as the message', async () => {
		const message =
			'The name field must contain only letters, numbers and underscores, and start with a letter or underscore.';
		const errors = { name: [message], timeout: ['The timeout must be between 1 and 30.'] };
		expectResponse(await createTool({ name: '2nd', timeout: 31 }), 422, { message, errors });
		const refused = await send('PUT', '/user/tools/1', { name: '2nd', timeout: 31 });
		expectInvalid(refused, errors);
	});
});

describe('a call', () => {
	it('is shown in the list and alone as newer documents show it', async () => {
		await update({ record: false });
		const to = '+4915112345611';
		await control.outbound({ assistant_id: 1, to, lead_id: 1, scenario: 'answered' });
		await control.advance(A_CALL);
		const [row] = getRows(await send('GET', '/user/calls'));
		expectResponse(await send('GET', '/user/calls/1'), 200, row);
		expect(row).toMatchObject({
			...{ campaign_name: 'Spring', recording_url: null, webhook_response: null },
			...{ answered_by: 'human', carrier_cost: expect.stringMatching(/^\d\.\d{8}$/) },
			...{ total_cost: expect.stringMatching(/^\d\.\d{8}$/) },
			created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
		});
		const [turn] = getObjects(row?.transcript);
		expect(turn).toEqual({
			...{ text: expect.any(String), type: 'transcript', sender: 'bot' },
			timestamp: expect.any(Number),
		});
		for (const value of getObjects(row?.evaluation)) {
			expect(value).toEqual({
				...{ name: expect.any(String), type: expect.stringMatching(/^(bool|string|integer)$/) },
				...{ description: expect.any(String), value: expect.anything() },
			});
		}
	});

	it('that nobody answers has nulls and empty lists', async () => {
		await control.outbound({ assistant_id: 1, to: '+4915112345611', scenario: 'busy' });
		await control.advance(A_CALL);
		const [row] = getRows(await send('GET', '/user/calls'));
		expect(row).toMatchObject({
			...{ status: 'busy', variables: [], evaluation: [], transcript: [], answered_by: null },
			...{ webhook_response: null, campaign_name: null, recording_url: null },
			...{ carrier_cost: '0.00000000', total_cost: '0.00000000' },
		});
	});

	it('is delivered with the UUID of its assistant, and its campaign in its lead', async () => {
		await update({ webhook_url: receiver.url, is_webhook_active: true });
		const [assistant] = await readAssistants();
		await setCampaign(service, 'start');
		await control.advance(A_CALL);
		const [{ body } = { body: {} }] = receiver.arrivals;
		expect(body).toMatchObject({
			...{ id: 1, assistant_id: assistant?.uuid, assistant_name: 'Caller', type: 'outbound' },
			...{ status: 'completed', formatted_transcript: expect.stringMatching(/^AI: .+/) },
			transcript: expect.arrayContaining([expect.objectContaining({ sender: 'bot' })]),
			lead: {
				...{ id: 1, status: 'completed', call_tries: 1 },
				campaign: { id: 1, name: 'Spring', status: 'in-progress' },
			},
		});
		expect(body).toHaveProperty('ended_by');
		expect(body).not.toHaveProperty('campaign');
	});
});

it('a lead is processing during a call, and rescheduled until the next one', async () => {
	await send('DELETE', '/user/leads/1');
	const json = { campaign_id: 1, phone_number: '+4915112399901' };
	const created = await send('POST', '/user/lead', json);
	expect(created.body).toMatchObject({ data: { status: 'created', secondary_contacts: [] } });
	const seen: unknown[] = [];
	const look = async () => {
		const [lead] = await readLeads();
		const found = await readLeads(`?status=${String(lead?.status)}`);
		const others = await readLeads('?status=scheduled');
		seen.push([lead?.status, found.length, others.length]);
	};
	await look();
	await setCampaign(service, 'start');
	await look();
	await control.advance(A_CALL);
	await look();
	await control.advance('P7D');
	await look();
	expect(seen).toEqual(
		['created', 'processing', 'rescheduled', 'reached-max-retries'].map((name) => [name, 1, 0]),
	);
});

it('update campaign status refuses a campaign of another user with 403', async () => {
	const body = { campaign_id: 101, action: 'start' };
	expectResponse(await send('POST', '/user/campaigns/update-status', body), 403, {
		message: 'Access denied - Campaign does not belong to authenticated user.',
		success: false,
	});
	expectResponse(await send('PUT', '/user/leads/101', {}), 404, { message: 'Lead not found' });
	const unknown = { ...body, campaign_id: 999 };
	expectResponse(await send('POST', '/user/campaigns/update-status', unknown), 404, {
		message: 'Campaign not found.',
		success: false,
	});
});

it('an SMS has the newer record', async () => {
	const sms = { from: 1, to: '+4915112345688', body: 'Hello' };
	expectResponse(await send('POST', '/user/sms', sms), 200, {
		message: 'SMS sent successfully',
		data: {
			...{ sms_id: expect.stringMatching(/^SM/), from: '+4915112345601', to: sms.to },
			...{ body: 'Hello', segments: 1, cost: 0.08, currency: 'USD', status: 'sent' },
		},
	});
});

it('a file of assumptions wins over it, and the contract is the default', async () => {
	const statusOf = async (options: object) => {
		await using own = await startOwnService(options);
		return (await ask(own, 'POST', '/user/assistant', NEWER)).status;
	};
	expect(await statusOf({ service: 'current' })).toBe(201);
	expect(await statusOf({})).toBe(422);
	const assume = { 'assistant-fields': 'contract' };
	expect(await statusOf({ service: 'current', assume })).toBe(422);
});

it('a seed has the fields of the contract', async () => {
	expect(await readAssistants()).toMatchObject([
		{ id: 1, name: 'Caller', language: 'en', language_id: 1, llm_model_id: 1, tools: [] },
		{ id: 2, name: 'Receiver', type: 'inbound' },
	]);
});
