import { describe, expect, it } from '@jest/globals';
import { assistantRecord } from '../support/sandbox/calls.mts';
import { dataOf, idOf } from '../support/sandbox/client.mts';
import type { JsonObject } from '../support/sandbox/contract.mts';
import {
	expectInvalid,
	expectInvalidFields,
	expectResponse,
} from '../support/sandbox/responses.mts';
import { startTestService } from '../support/sandbox/testService.mts';
import { newAssistant } from '../support/sandbox/seed.mts';

const service = await startTestService();

const create = (fields: object = {}) =>
	service.alice.post('/user/assistant', { ...newAssistant, ...fields });
const update = (fields: object) => service.alice.put('/user/assistant/1', fields);
const hook = 'https://hooks.example.com/calls';

/** The list's record of an assistant that was created with the nine required fields only. */
const defaults = {
	user_id: expect.any(Number),
	phone_number_id: null,
	engine_id: null,
	synthesizer_id: null,
	transcriber_id: null,
	voice_id: 1,
	instance_id: null,
	flows_platform_id: null,
	language_id: null,
	transcriber_provider_id: null,
	synthesizer_provider_id: null,
	llm_model_id: null,
	multimodal_model_id: null,
	knowledgebase_id: null,
	name: 'Reception',
	language: 'English',
	type: 'outbound',
	status: 'active',
	initial_message: 'Hello, this is the reception.',
	system_prompt: 'You are a friendly receptionist.',
	timezone: 'Europe/Berlin',
	ambient_sound: null,
	uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
	knowledgebase_mode: null,
	webhook_url: null,
	inbound_webhook_url: null,
	variables: {},
	widget_settings: {},
	post_call_schema: [],
	tools: [],
	post_call_evaluation: true,
	is_webhook_active: false,
	record: true,
	allow_interruptions: true,
	enable_noise_cancellation: true,
	wait_for_customer: false,
	send_webhook_only_on_completed: false,
	include_recording_in_webhook: false,
	fillers: 0,
	end_call_on_voicemail: 1,
	max_duration: 600,
	max_silence_duration: 40,
	reengagement_interval: 30,
	min_interrupt_words: 0,
	endpoint_sensitivity: 0.5,
	interrupt_sensitivity: 0.5,
	llm_temperature: '0.10',
	voice_stability: '0.70',
	voice_similarity: '0.50',
	speech_speed: '1.00',
	ambient_sound_volume: '0.50',
	endpoint_type: 'vad',
	mode: 'pipeline',
	filler_config: { neutral: [], negative: [], positive: [], question: [] },
	created_at: '2026-03-02T09:00:00.000000Z',
	updated_at: '2026-03-02T09:00:00.000000Z',
	deleted_at: null,
};

describe('create an assistant', () => {
	it('answers 201 with the summary, and lists the whole record with its defaults', async () => {
		const response = await create();
		expect(response.status).toBe(201);
		const id = idOf(response);
		expect(response.body).toEqual({
			message: 'Assistant created successfully',
			data: { id, name: 'Reception', status: 'active', type: 'outbound', mode: 'pipeline' },
		});
		expect(await assistantRecord(service.alice, id)).toEqual({ id, ...defaults });
	});

	it('needs each of the nine required fields, and names all that are missing', async () => {
		const response = await service.alice.post('/user/assistant', {});
		expectInvalid(response, {
			assistant_name: ['The assistant name field is required.'],
			voice_id: ['The voice id field is required.'],
			language: ['The language field is required.'],
			llm_model: ['The llm model field is required.'],
			calls_direction: ['The calls direction field is required.'],
			engine_type: ['The engine type field is required.'],
			timezone: ['The timezone field is required.'],
			initial_message: ['The initial message field is required.'],
			system_prompt: ['The system prompt field is required.'],
		});
	});

	it.each(Object.keys(newAssistant))(
		'refuses a body without %s, or with it null',
		async (field) => {
			for (const value of [undefined, null]) {
				expectInvalidFields(await create({ [field]: value }), field);
			}
		},
	);
});

// contract: Assistant writable fields, and where the record shows them.
const written: [fields: JsonObject, shown: JsonObject][] = [
	[{ assistant_name: 'Anna' }, { name: 'Anna' }],
	[{ voice_id: 2 }, { voice_id: 2 }],
	[{ language: 'German' }, { language: 'German' }],
	[{ llm_model: 'any-model' }, {}],
	[{ calls_direction: 'receive' }, { type: 'inbound' }],
	[{ calls_direction: 'make' }, { type: 'outbound' }],
	[{ engine_type: 'multimodal' }, { mode: 'multimodal' }],
	[{ engine_type: 'pipeline' }, { mode: 'pipeline' }],
	[{ timezone: 'America/Argentina/Buenos_Aires' }, { timezone: 'America/Argentina/Buenos_Aires' }],
	[{ initial_message: 'Grüß Gott 👋' }, { initial_message: 'Grüß Gott 👋' }],
	[{ system_prompt: 'Two\nlines' }, { system_prompt: 'Two\nlines' }],
	[{ phone_number_id: 4 }, { phone_number_id: 4 }],
	[{ phone_number_id: null }, { phone_number_id: null }],
	[{ endpoint_type: 'ai' }, { endpoint_type: 'ai' }],
	[{ endpoint_type: 'vad' }, { endpoint_type: 'vad' }],
	[{ endpoint_sensitivity: 1.25 }, { endpoint_sensitivity: 1.25 }],
	[{ interrupt_sensitivity: 4 }, { interrupt_sensitivity: 4 }],
	[{ ambient_sound_volume: 0.125 }, { ambient_sound_volume: '0.125' }],
	[{ post_call_evaluation: false }, { post_call_evaluation: false }],
	[{ send_webhook_only_on_completed: true }, { send_webhook_only_on_completed: true }],
	[{ include_recording_in_webhook: true }, { include_recording_in_webhook: true }],
	[
		{ is_webhook_active: true, webhook_url: hook },
		{ is_webhook_active: true, webhook_url: hook },
	],
	[{ use_min_interrupt_words: true }, {}],
	[{ min_interrupt_words: 3 }, { min_interrupt_words: 3 }],
	[{ variables: { shop: 'Bonn', open: true } }, { variables: { shop: 'Bonn', open: true } }],
	[
		{ post_call_schema: [{ name: 'booked', type: 'bool', description: 'Whether booked' }] },
		{ post_call_schema: [{ name: 'booked', type: 'bool', description: 'Whether booked' }] },
	],
	[{ end_call_tool: { description: 'When the caller says goodbye' } }, {}],
	[{ llm_temperature: 0.3 }, { llm_temperature: '0.30' }],
	[{ voice_stability: 1 }, { voice_stability: '1.00' }],
	[{ voice_similarity: 0 }, { voice_similarity: '0.00' }],
	[{ speech_speed: 0.7 }, { speech_speed: '0.70' }],
	[{ allow_interruptions: false }, { allow_interruptions: false }],
	[{ filler_audios: true }, { fillers: 1 }],
	[{ re_engagement_interval: 60 }, { reengagement_interval: 60 }],
	[{ max_call_duration: 90 }, { max_duration: 90 }],
	[{ max_silence_duration: 9 }, { max_silence_duration: 9 }],
	[{ end_call_on_voicemail: false }, { end_call_on_voicemail: 0 }],
	[{ noise_cancellation: false }, { enable_noise_cancellation: false }],
	[{ record_call: false }, { record: false }],
	[{ who_speaks_first: 'Customer' }, { wait_for_customer: true }],
	[{ who_speaks_first: 'AI assistant' }, { wait_for_customer: false }],
];

describe('what is written is what the list shows', () => {
	it.each(written)('%j on create', async (fields, shown) => {
		const id = idOf(await create(fields));
		expect(await assistantRecord(service.alice, id)).toEqual({ id, ...defaults, ...shown });
	});

	it.each(written)('%j on update, and nothing else changes', async (fields, shown) => {
		const before = await assistantRecord(service.alice, 2);
		await service.control.advance('PT1M');
		const response = await service.alice.put('/user/assistant/2', fields);
		expect(response.status).toBe(200);
		expect(await assistantRecord(service.alice, 2)).toEqual({
			...before,
			...shown,
			updated_at: '2026-03-02T09:01:00.000000Z',
		});
	});

	it('the update answers with the new summary', async () => {
		const response = await update({
			assistant_name: 'New',
			calls_direction: 'receive',
			engine_type: 'multimodal',
		});
		expect(response.body).toEqual({
			message: 'Assistant updated successfully',
			data: { id: 1, name: 'New', status: 'active', type: 'inbound', mode: 'multimodal' },
		});
	});

	it('an empty update is fine', async () => {
		expect((await update({})).status).toBe(200);
	});

	it.each(['colour', 'id', 'status', 'inbound_webhook_url'])(
		'the unknown field %s is refused by name and nothing changes',
		async (field) => {
			const before = await assistantRecord(service.alice, 1);
			const response = await update({ assistant_name: 'New', [field]: 'x' });
			expectInvalid(response, { [field]: [expect.any(String)] });
			expect(await assistantRecord(service.alice, 1)).toEqual(before);
		},
	);
});

describe('what an update replaces', () => {
	it('all variables, when it brings any', async () => {
		await update({ variables: { shop: 'Bonn', open: true } });
		await update({ variables: { town: 'Kiel' } });
		expect((await assistantRecord(service.alice, 1)).variables).toEqual({ town: 'Kiel' });
	});
});

describe('what an assistant refuses, on create and on update', () => {
	it.each<[JsonObject, string]>([
		[{ assistant_name: '' }, 'assistant_name'],
		[{ voice_id: 999 }, 'voice_id'],
		[{ voice_id: 101 }, 'voice_id'],
		[{ language: 'Klingon' }, 'language'],
		[{ language: 'French' }, 'language'],
		[{ calls_direction: 'outbound' }, 'calls_direction'],
		[{ engine_type: 'dualplex' }, 'engine_type'],
		[{ timezone: 'UTC' }, 'timezone'],
		[{ timezone: 'Europe/Atlantis' }, 'timezone'],
		[{ timezone: '+01:00' }, 'timezone'],
		[{ phone_number_id: 999 }, 'phone_number_id'],
		[{ phone_number_id: 101 }, 'phone_number_id'],
		[{ tool_ids: 1 }, 'tool_ids'],
		[{ tool_ids: ['1'] }, 'tool_ids.0'],
		[{ endpoint_type: 'VAD' }, 'endpoint_type'],
		[{ webhook_url: 'ftp://example.com/calls' }, 'webhook_url'],
		[{ webhook_url: '/calls' }, 'webhook_url'],
		[{ webhook_url: 'http://' }, 'webhook_url'],
		[{ variables: [] }, 'variables'],
		[{ post_call_schema: {} }, 'post_call_schema'],
		[{ end_call_tool: 'bye' }, 'end_call_tool'],
		[{ end_call_tool: { description: 5 } }, 'end_call_tool.description'],
		[{ who_speaks_first: 'customer' }, 'who_speaks_first'],
		[{ record_call: 1 }, 'record_call'],
		[{ voice_stability: '0.5' }, 'voice_stability'],
	])('%j → 422 naming %s', async (fields, name) => {
		for (const response of [await create(fields), await update(fields)]) {
			expectInvalid(response, { [name]: [expect.any(String)] });
		}
	});

	it('and nothing has changed, not even by the fields that were right', async () => {
		const before = (await service.alice.get('/user/assistants/get')).body;
		await service.control.advance('PT1M');
		await update({ assistant_name: 'Changed', tool_ids: [999] });
		await update({ assistant_name: 'Changed', speech_speed: 9 });
		await create({ voice_id: 999 });
		expect((await service.alice.get('/user/assistants/get')).body).toEqual(before);
	});

	it.each(['0', '-1', '1.0', 'abc', '1e0', '99999999999999999999'])(
		'id %s is not found',
		async (id) => {
			const response = await service.alice.put(`/user/assistant/${id}`, { assistant_name: 'x' });
			expectResponse(response, 404, { message: 'Assistant not found' });
		},
	);
});

// contract: States and transitions, Assistant webhook; PUT /user/assistant/{id}.
describe('the post-call webhook of an assistant', () => {
	const state = async () => {
		const { is_webhook_active, webhook_url } = await assistantRecord(service.alice, 1);
		return { is_webhook_active, webhook_url };
	};
	const active = { is_webhook_active: true, webhook_url: hook };
	const disabled = { is_webhook_active: false, webhook_url: null };
	const disable = () => service.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });

	it('disabled → enabled with a URL → active', async () => {
		expect(await state()).toEqual(disabled);
		await update(active);
		expect(await state()).toEqual(active);
	});

	it('active → disable webhook → flag false and URL null, with an empty array as data', async () => {
		await update(active);
		const response = await disable();
		expectResponse(response, 200, { message: 'Webhook disabled successfully', data: [] });
		expect(await state()).toEqual(disabled);
	});

	it('disabling what is disabled changes nothing', async () => {
		expect((await disable()).status).toBe(200);
		expect(await state()).toEqual(disabled);
	});

	it('active → webhook_url null → disabled', async () => {
		await update(active);
		expect((await update({ webhook_url: null })).status).toBe(200);
		expect(await state()).toEqual(disabled);
	});

	it('active → is_webhook_active false → disabled, and the URL is kept', async () => {
		await update(active);
		expect((await update({ is_webhook_active: false })).status).toBe(200);
		expect(await state()).toEqual({ is_webhook_active: false, webhook_url: hook });
		expect((await update({ is_webhook_active: true })).status).toBe(200);
		expect(await state()).toEqual(active);
	});

	it('a URL alone does not activate', async () => {
		expect((await update({ webhook_url: hook })).status).toBe(200);
		expect(await state()).toEqual({ is_webhook_active: false, webhook_url: hook });
	});

	it('a new URL alone replaces the old one and stays active', async () => {
		await update(active);
		await update({ webhook_url: 'http://localhost:5678/webhook/x' });
		expect(await state()).toEqual({
			is_webhook_active: true,
			webhook_url: 'http://localhost:5678/webhook/x',
		});
	});

	it('a URL may name its scheme in capitals', async () => {
		const url = 'HTTPS://Example.com/hook';
		expect((await update({ webhook_url: url })).status).toBe(200);
		expect((await state()).webhook_url).toBe(url);
		const tool = await service.alice.put('/user/tools/1', { endpoint: url });
		expect(tool.status).toBe(200);
	});

	it.each([
		['true without a URL anywhere', disabled, { is_webhook_active: true }],
		['true with null', disabled, { is_webhook_active: true, webhook_url: null }],
		['true with null while active', active, { is_webhook_active: true, webhook_url: null }],
	])('is_webhook_active %s is refused, and nothing changes', async (_what, before, fields) => {
		await update(before);
		expectInvalidFields(await update(fields), 'webhook_url');
		expect(await state()).toEqual(before);
	});

	it('is active from the start when created so', async () => {
		const id = idOf(await create(active));
		expect(await assistantRecord(service.alice, id)).toMatchObject(active);
	});
});

describe('the inbound webhook of an assistant', () => {
	const enable = (webhook_url: string, assistant_id = 2) =>
		service.alice.post('/user/assistants/enable-inbound-webhook', { assistant_id, webhook_url });
	const disable = () =>
		service.alice.post('/user/assistants/disable-inbound-webhook', { assistant_id: 2 });
	const url = async () => (await assistantRecord(service.alice, 2)).inbound_webhook_url;

	it('is enabled, replaced and disabled, and leaves the post-call webhook alone', async () => {
		await service.alice.put('/user/assistant/2', { is_webhook_active: true, webhook_url: hook });
		expect(await url()).toBeNull();
		const enabled = await enable('https://example.com/one');
		expectResponse(enabled, 200, { message: 'Webhook enabled successfully', data: [] });
		expect(await url()).toBe('https://example.com/one');
		await enable('https://example.com/two');
		expect(await url()).toBe('https://example.com/two');
		const disabled = await disable();
		expectResponse(disabled, 200, { message: 'Inbound webhook disabled successfully', data: [] });
		expect(await url()).toBeNull();
		expect((await disable()).status).toBe(200);
		expect(await assistantRecord(service.alice, 2)).toMatchObject({
			is_webhook_active: true,
			webhook_url: hook,
		});
	});

	it('outlives disabling the post-call webhook', async () => {
		await enable('https://example.com/one');
		await service.alice.post('/user/assistants/disable-webhook', { assistant_id: 2 });
		expect(await url()).toBe('https://example.com/one');
	});

	it('can be set on an assistant that makes calls', async () => {
		expect((await enable('https://example.com/one', 1)).status).toBe(200);
		expect(dataOf(await update({}))).toMatchObject({ type: 'outbound' });
	});
});
