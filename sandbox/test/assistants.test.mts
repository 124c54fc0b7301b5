import { describe, expect, it } from '@jest/globals';
import { assistantRecord } from './support/calls.mts';
import { getData, getId } from './support/client.mts';
import { operations, type JsonObject } from './support/contract.mts';
import { bodyProperties } from './support/examples.mts';
import { expectInvalidFields, expectResponse } from './support/responses.mts';
import { startTestService } from './support/testService.mts';
import { newAssistant } from './support/seed.mts';
import { sampled } from '../../test/support/sample.mts';

const service = await startTestService();

const create = (fields: object = {}) =>
	service.alice.post('/user/assistant', { ...newAssistant, ...fields });
const update = (fields: object, id = 1) => service.alice.put(`/user/assistant/${id}`, fields);
const action = (name: string, fields: object) =>
	service.alice.post(`/user/assistants/${name}`, fields);
const hook = 'https://hooks.example.com/calls';

const text = (length: number, character = 'x'): string => character.repeat(length);
const POST_CALL_FIELD = { name: 'booked', type: 'bool', description: 'Whether booked' };

/** What the list shows of a field, unless it is the same value under the same name. */
const SHOWN: Record<string, (value: unknown) => JsonObject> = {
	assistant_name: (name) => ({ name }),
	llm_model: () => ({}),
	calls_direction: (value) => ({ type: value === 'make' ? 'outbound' : 'inbound' }),
	engine_type: (mode) => ({ mode }),
	tool_ids: (tools) => ({ tools }),
	use_min_interrupt_words: () => ({}),
	end_call_tool: () => ({}),
	re_engagement_interval: (value) => ({ reengagement_interval: value }),
	max_call_duration: (value) => ({ max_duration: value }),
	filler_audios: (value) => ({ fillers: Number(value) }),
	end_call_on_voicemail: (value) => ({ end_call_on_voicemail: Number(value) }),
	noise_cancellation: (value) => ({ enable_noise_cancellation: value }),
	record_call: (value) => ({ record: value }),
	who_speaks_first: (value) => ({ wait_for_customer: value === 'Customer' }),
	// A text with at least two decimals.
	...Object.fromEntries(
		[
			'ambient_sound_volume',
			'llm_temperature',
			'voice_stability',
			'voice_similarity',
			'speech_speed',
		].map((name) => [
			name,
			(value: unknown) => ({ [name]: Number(value).toFixed(value === 0.125 ? 3 : 2) }),
		]),
	),
};
const shown = (name: string, value: unknown): JsonObject =>
	SHOWN[name]?.(value) ?? { [name]: value };

const creation = operations.find(({ operationId }) => operationId === 'createAssistant');
const FIELDS = creation ? bodyProperties(creation) : [];

/** The list's record of an assistant that was created with the nine required fields only. */
const defaults: JsonObject = {
	...Object.fromEntries(
		[
			...['phone_number_id', 'engine_id', 'synthesizer_id', 'transcriber_id', 'instance_id'],
			...['flows_platform_id', 'language_id', 'transcriber_provider_id', 'llm_model_id'],
			...['synthesizer_provider_id', 'multimodal_model_id', 'knowledgebase_id', 'ambient_sound'],
			...['knowledgebase_mode', 'webhook_url', 'inbound_webhook_url', 'deleted_at'],
		].map((name) => [name, null]),
	),
	user_id: expect.any(Number),
	status: 'active',
	uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
	variables: {},
	widget_settings: {},
	filler_config: { neutral: [], negative: [], positive: [], question: [] },
	created_at: '2026-03-02T09:00:00.000000Z',
	updated_at: '2026-03-02T09:00:00.000000Z',
};
for (const [name, schema] of FIELDS) {
	if ('default' in schema) Object.assign(defaults, shown(name, schema.default));
}
for (const [name, value] of Object.entries(newAssistant)) {
	Object.assign(defaults, shown(name, value));
}

it('is created with the nine required fields: 201 with its summary, and a record with all defaults', async () => {
	const response = await create();
	const id = getId(response);
	expectResponse(response, 201, {
		message: 'Assistant created successfully',
		data: { id, name: 'Reception', status: 'active', type: 'outbound', mode: 'pipeline' },
	});
	expect(await assistantRecord(service.alice, id)).toEqual({ id, ...defaults });
});

/** Values that a field takes, and the contract does not list. */
const OTHER_VALUES: Record<string, unknown[]> = {
	assistant_name: ['Anna', text(255, 'ß'), text(255, '📞')],
	voice_id: [2],
	language: ['German'],
	timezone: ['America/Argentina/Buenos_Aires'],
	initial_message: ['Grüß Gott 👋'],
	system_prompt: ['Two\nlines'],
	phone_number_id: [4, null],
	endpoint_sensitivity: [1.25],
	interrupt_sensitivity: [4],
	ambient_sound_volume: [0.125],
	llm_temperature: [0.3],
	webhook_url: [hook, 'HTTPS://Example.com/hook'],
	variables: [{ shop: 'Bonn', open: true }],
	post_call_schema: [{ type: 'string' }, { type: 'number' }, { name: '2nd_Choice' }].map(
		(fields) => [{ ...POST_CALL_FIELD, ...fields }],
	),
	end_call_tool: [{ description: text(500) }],
};

/** All values of a choice, the limits of a number, and the longest text. */
const valuesAtLimits = (schema: JsonObject): unknown[] => [
	...[schema.enum ?? []].flat(),
	...(schema.type === 'boolean' ? [true, false] : []),
	...[schema.minimum ?? [], schema.maximum ?? []].flat(),
	...(typeof schema.maxLength === 'number' ? [text(schema.maxLength)] : []),
];

// They have tests of their own.
const ELSEWHERE = ['is_webhook_active', 'tool_ids'];

it.each(
	sampled(
		FIELDS.filter(([name]) => !ELSEWHERE.includes(name)),
		4,
	),
)(
	'%s is shown as it was written, on create and on update, and nothing else changes',
	async (name, schema) => {
		const atLimits = name === 'language' ? [] : valuesAtLimits(schema);
		const values = [...atLimits, ...(OTHER_VALUES[name] ?? [])];
		expect(values).not.toEqual([]);
		for (const value of values) {
			const id = getId(await create({ [name]: value }));
			const created = await assistantRecord(service.alice, id);
			expect(created).toEqual({ id, ...defaults, ...shown(name, value) });
			const before = await assistantRecord(service.alice, 2);
			expect((await update({ [name]: value }, 2)).status).toBe(200);
			expect(await assistantRecord(service.alice, 2)).toEqual({ ...before, ...shown(name, value) });
		}
	},
);

// Beyond types and limits, which requestFields.test.mts proves.
it.each(
	Object.entries({
		voice_id: [999, 101],
		language: ['Klingon', 'French'],
		timezone: ['UTC', 'Europe/Atlantis', '+01:00'],
		phone_number_id: [999, 101],
		'tool_ids.1': [
			[1, 999],
			[1, 101],
		],
		webhook_url: ['ftp://example.com', '/calls', 'http://'],
		'post_call_schema.0.name': ['second-choice', 'second choice'].map((name) => [
			{ ...POST_CALL_FIELD, name },
		]),
	}),
)('%s is refused with a value that it does not take, and nothing changes', async (name, values) => {
	const before = (await service.alice.get('/user/assistants/get')).body;
	await service.control.advance('PT1M');
	const [field = name] = name.split('.');
	for (const value of values) {
		expectInvalidFields(await create({ [field]: value }), name);
		expectInvalidFields(await update({ [field]: value, initial_message: 'New' }), name);
	}
	expect((await service.alice.get('/user/assistants/get')).body).toEqual(before);
});

it('an update answers with the new summary, and sets updated_at', async () => {
	await service.control.advance('PT1M');
	const fields = { assistant_name: 'New', calls_direction: 'receive', engine_type: 'multimodal' };
	expectResponse(await update(fields), 200, {
		message: 'Assistant updated successfully',
		data: { id: 1, name: 'New', status: 'active', type: 'inbound', mode: 'multimodal' },
	});
	expect(await assistantRecord(service.alice, 1)).toMatchObject({
		created_at: '2026-03-02T09:00:00.000000Z',
		updated_at: '2026-03-02T09:01:00.000000Z',
	});
	expect((await update({})).status).toBe(200);
});

// contract: States and transitions, Assistant webhook; PUT /user/assistant/{id}.
describe('the post-call webhook of an assistant', () => {
	const state = async () => {
		const { is_webhook_active, webhook_url } = await assistantRecord(service.alice, 1);
		return { is_webhook_active, webhook_url };
	};
	const active = { is_webhook_active: true, webhook_url: hook };
	const disabled = { is_webhook_active: false, webhook_url: null };
	const kept = { is_webhook_active: false, webhook_url: hook };
	const other = 'http://localhost:5678/webhook/x';

	it.each([
		['enabled with a URL', disabled, active, active],
		['disabled by webhook_url null', active, { webhook_url: null }, disabled],
		['switched off, and its URL is kept', active, { is_webhook_active: false }, kept],
		['switched on with the kept URL', kept, { is_webhook_active: true }, active],
		['not switched on by a URL alone', disabled, { webhook_url: hook }, kept],
		['on with a new URL', active, { webhook_url: other }, { ...active, webhook_url: other }],
	])('is %s', async (_what, before, fields, after) => {
		await update(before);
		expect((await update(fields)).status).toBe(200);
		expect(await state()).toEqual(after);
	});

	it.each([active, disabled])(
		'%j → disable webhook, with an empty array as data',
		async (before) => {
			await update(before);
			const response = await action('disable-webhook', { assistant_id: 1 });
			expectResponse(response, 200, { message: 'Webhook disabled successfully', data: [] });
			expect(await state()).toEqual(disabled);
		},
	);

	it.each([
		['true without a URL anywhere', disabled, { is_webhook_active: true }],
		['true with null', disabled, { is_webhook_active: true, webhook_url: null }],
		['true with null while active', active, { is_webhook_active: true, webhook_url: null }],
	])('is_webhook_active %s is refused, and nothing changes', async (_what, before, fields) => {
		await update(before);
		expectInvalidFields(await update(fields), 'webhook_url');
		expectInvalidFields(await create(fields), 'webhook_url');
		expect(await state()).toEqual(before);
	});

	it('is active from the start when created so', async () => {
		expect(await assistantRecord(service.alice, getId(await create(active)))).toMatchObject(active);
	});
});

it.each(['disable-webhook', 'enable-inbound-webhook', 'disable-inbound-webhook'])(
	'%s without its fields is refused in words of its own',
	async (name) => {
		expect((await action(name, {})).body).toMatchObject({
			message: 'The given data was invalid.',
			errors: { assistant_id: ['The assistant id field is required.'] },
		});
	},
);

describe('the inbound webhook of an assistant', () => {
	const enable = (webhook_url: string, assistant_id = 2) =>
		action('enable-inbound-webhook', { assistant_id, webhook_url });
	const disable = () => action('disable-inbound-webhook', { assistant_id: 2 });
	const url = async () => (await assistantRecord(service.alice, 2)).inbound_webhook_url;

	it('is enabled, replaced and disabled, apart from the post-call webhook', async () => {
		const postCall = { is_webhook_active: true, webhook_url: hook };
		await update(postCall, 2);
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
		expect(await assistantRecord(service.alice, 2)).toMatchObject(postCall);
		await enable('https://example.com/one');
		await action('disable-webhook', { assistant_id: 2 });
		expect(await url()).toBe('https://example.com/one');
	});

	it('can be set on an assistant that makes calls', async () => {
		expect((await enable('https://example.com/one', 1)).status).toBe(200);
		expect(getData(await update({}))).toMatchObject({ type: 'outbound' });
	});
});
