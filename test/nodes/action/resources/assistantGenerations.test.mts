import { afterEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { byId } from '../../../support/n8n/operations.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { created, n8nAt, pageOf } from '../../../support/n8n/stubService.mts';
import { holdTime, passTime, useRealTime } from '../../../support/n8n/time.mts';
import { ALICE } from '../../../../sandbox/test/support/seed.mts';
import { getRows } from '../../../../sandbox/test/support/client.mts';
import { startTestService } from '../../../../sandbox/test/support/testService.mts';
import { seedWithCall } from '../../../support/parity/requests.mts';
import { sampled } from '../../../support/sample.mts';

/** Create and update of assistants in both generations (public-service.md: Table 2). */

const startServer = stubServersPerTest();
afterEach(useRealTime);

const seed = seedWithCall();
const older = await startTestService({ seed });
const newer = await startTestService({ seed, service: 'current' });
type Service = typeof older;

const byName = (value: string) => ({ __rl: true, mode: 'name', value }) as INodeParameters;

const FIELDS: INodeParameters = {
	...{ name: 'Sales', callsDirection: 'receive' },
	...{ engineType: 'pipeline', voiceId: byId('2'), language: byName('German') },
	...{ llmModel: 'gpt-4o-mini', timezone: byName('Europe/Paris'), initialMessage: 'Hello!' },
	systemPrompt: 'You call customers.',
};

const CREATE: INodeParameters = { resource: 'assistant', operation: 'create', ...FIELDS };

const UPDATE: INodeParameters = {
	resource: 'assistant',
	operation: 'update',
	assistantId: byId('1'),
};

/** All settings that both generations have, none with its default. */
const SETTINGS: INodeParameters = {
	callHandling: {
		...{ endCallOnVoicemail: false, endCallToolDescription: 'At the end', maxCallDuration: 60 },
		...{ maxSilenceDuration: 100, phoneNumberId: byId('4'), recordCall: false },
	},
	conversation: {
		...{ allowInterruptions: false, endpointSensitivity: 1, endpointType: 'ai' },
		...{ fillerAudios: true, interruptSensitivity: 2, llmTemperature: 0.4 },
		...{ minInterruptWords: 3, reEngagementInterval: 7, whoSpeaksFirst: 'Customer' },
	},
	voice: {
		...{ ambientSoundVolume: 0.2, noiseCancellation: false, speechSpeed: 0.9 },
		...{ voiceSimilarity: 0.6, voiceStability: 0.8 },
	},
	afterTheCall: {
		...{ includeRecordingInWebhook: false, isWebhookActive: true, postCallEvaluation: false },
		...{ sendWebhookOnlyOnCompleted: false, webhookUrl: 'https://example.com/calls' },
	},
	variables: { variable: [{ name: 'city', value: 'Berlin' }] },
	tools: { tool: [{ toolId: byId('1') }] },
	postCallSchema: { value: [{ name: 'booked', type: 'bool', description: 'Whether booked' }] },
};

/** The record with all of them, in both services (contract: Assistant record). */
const RECORD = {
	...{ name: 'Sales', type: 'inbound', mode: 'pipeline', voice_id: 2, timezone: 'Europe/Paris' },
	...{ initial_message: 'Hello!', system_prompt: 'You call customers.', phone_number_id: 4 },
	...{ end_call_on_voicemail: 0, max_duration: 60, max_silence_duration: 100, record: false },
	...{ allow_interruptions: false, endpoint_sensitivity: 1, endpoint_type: 'ai', fillers: 1 },
	...{ interrupt_sensitivity: 2, llm_temperature: '0.40', min_interrupt_words: 3 },
	...{ reengagement_interval: 7, wait_for_customer: true, ambient_sound_volume: '0.20' },
	...{ enable_noise_cancellation: false, speech_speed: '0.90', voice_similarity: '0.60' },
	...{ voice_stability: '0.80', include_recording_in_webhook: false, is_webhook_active: true },
	...{ post_call_evaluation: false, send_webhook_only_on_completed: false },
	...{ webhook_url: 'https://example.com/calls', variables: { city: 'Berlin' } },
	post_call_schema: [{ name: 'booked', type: 'bool', description: 'Whether booked' }],
};

const END_CALL = { type: 'end_call', data: { description: 'At the end' } };

/** What the record of each service has beside them. */
const OWN = {
	older: { language: 'German' },
	newer: { language_id: 2, llm_model_id: 2, tools: [END_CALL] },
};

/** The fields that only the newer generation has. */
const NEWER_SETTINGS: INodeParameters = {
	...SETTINGS,
	callHandling: {
		...(SETTINGS.callHandling as object),
		...{ maxSilenceDuration: 300, ringingTime: 45, voicemailMessage: 'We call again.' },
		builtInTools: '[{"type": "collect_keypad", "timeout": 9, "stop_key": "*"}]',
	},
	conversation: { ...(SETTINGS.conversation as object), secondaryLanguages: 'english, German' },
	voice: { ...(SETTINGS.voice as object), ambientSound: 'cafe' },
};

/** The record of an assistant, without comparing it with the contract, which the newer one contradicts. */
async function recordOf({ alice }: Service, id: unknown): Promise<IDataObject> {
	const query = { per_page: '100' };
	const list = await alice.request('GET', '/user/assistants/get', { query, ignoreContract: true });
	return (getRows(list) as IDataObject[]).find((each) => each.id === id) ?? {};
}

const run = async (service: Service, parameters: INodeParameters, items?: IDataObject[]) =>
	await n8nWith({ baseUrl: service.url, apiToken: ALICE }).runNode({ parameters, items });

/** The bodies that the operation of an item sent, without those that learn something. */
const bodies = async (service: Service) =>
	(await service.control.requests())
		.filter(({ method, body }) => method !== 'GET' && JSON.stringify(body) !== '{}')
		.map(({ body }) => body as IDataObject);

const FORM_NAMES = ['assistant_name', 'calls_direction', 'engine_type', 'language', 'llm_model'];

const hintsOf = ({ run: { data } }: Awaited<ReturnType<typeof run>>) =>
	Object.values(data.resultData.runData).flatMap((tasks) =>
		tasks.flatMap(({ hints = [] }) => hints.map(({ message }) => message)),
	);

describe.each([
	['older', older, SETTINGS, RECORD],
	['newer', newer, SETTINGS, RECORD],
	[
		'newer',
		newer,
		NEWER_SETTINGS,
		{ ...RECORD, max_silence_duration: 300, ringing_time: 45, ambient_sound: 'cafe' },
	],
] as const)('at the %s generation', (generation, service, settings, wanted) => {
	const own = OWN[generation];
	const keypad = { type: 'collect_keypad', data: { timeout: 9, stop_key: '*' } };
	const tools = settings === NEWER_SETTINGS ? { tools: [keypad, END_CALL] } : {};
	const record = { ...wanted, ...own, ...tools };

	it('every field of a create is in the record', async () => {
		const result = await run(service, { ...CREATE, ...settings });
		expect(result.error).toBeUndefined();
		const summary = { name: 'Sales', type: 'inbound', mode: 'pipeline' };
		expect(result.output[0]).toMatchObject([{ json: summary }]);
		expect(Object.keys(result.output[0][0]?.json ?? {}).sort()).toEqual(
			['id', 'mode', 'name', 'status', 'type'].sort(),
		);
		expect(await recordOf(service, result.output[0][0]?.json.id)).toMatchObject(record);
	});

	it('every field of an update is in the record, and a request has the names of one generation', async () => {
		const result = await run(service, { ...UPDATE, updateFields: FIELDS, ...settings });
		expect(result.error).toBeUndefined();
		expect(await recordOf(service, 1)).toMatchObject(record);
		expect(hintsOf(result)).toEqual([]);
		for (const body of await bodies(service)) {
			const isOlder = Object.keys(body).some((name) => FORM_NAMES.includes(name));
			expect(isOlder).toBe(generation === 'older');
			expect('name' in body).toBe(generation === 'newer');
		}
	});
});

it.each<[string, INodeParameters]>([
	['Built-in Tools (JSON)', { callHandling: { builtInTools: '[{"type": "end_call"}]' } }],
	['Ringing Time (Seconds)', { callHandling: { ringingTime: 20 } }],
	['Voicemail Message', { callHandling: { voicemailMessage: 'Bye' } }],
	['Ambient Sound', { voice: { ambientSound: 'off' } }],
	['Secondary Languages', { conversation: { secondaryLanguages: 'German' } }],
	['Voicemail Message', { removeFields: { voicemailMessage: true } }],
	['Engine Type', { updateFields: { engineType: 'dualplex' } }],
	['Max Silence (Seconds)', { callHandling: { maxSilenceDuration: 121, recordCall: true } }],
])(
	'the older generation does not take %s: it is refused by name, and nothing is sent',
	async (label, fields) => {
		const { error } = await run(older, { ...UPDATE, ...fields });
		expect(error?.message).toMatch(
			new RegExp(`^'${label.replace(/[()]/g, '.')}' .* at this provider$`),
		);
		expect(await bodies(older)).toEqual([]);
	},
);

it.each<[string, INodeParameters]>([
	['Initial Message', { updateFields: { name: 'A', initialMessage: 'a'.repeat(201) } }],
	[
		'Post Call Schema → 1 → Name',
		{
			updateFields: { name: 'A' },
			postCallSchema: { value: [{ name: 'Booked', description: 'abc', type: 'bool' }] },
		},
	],
])(
	'the newer generation has narrower limits of %s, which are checked when it is known',
	async (label, fields) => {
		const { error } = await run(newer, { ...UPDATE, ...fields });
		expect(error?.message).toMatch(new RegExp(`^'${label}' .* at this provider$`));
		expect(await bodies(newer)).toEqual([]);
	},
);

it('a refusal of newer names has the labels of the form', async () => {
	const fields = { ...CREATE, voiceId: byId('999'), callHandling: { ringingTime: 10 } };
	const server = await startServer((request) =>
		request.method === 'GET'
			? {
					body: [
						{ id: 4, name: 'German' },
						{ id: 5, name: 'gpt-4o-mini' },
					],
				}
			: refusal(request.body && Object.keys(request.body).length > 0 ? 'language_id' : 'mode'),
	);
	const { error } = await n8nAt(server).runNode({ parameters: fields });
	expect(error?.message).toBe("'Language': Wrong.");
});

const refusal = (...fields: string[]): StubResponse => ({
	status: 422,
	body: {
		message: 'Validation failed',
		errors: Object.fromEntries(fields.map((field) => [field, ['Wrong.']])),
	},
});

/** What tells nothing about the generation. */
const TELLS_NOTHING: Array<[string, StubResponse]> = [
	...[
		'voice_id',
		'language',
		'language_id',
		'llm_model',
		'llm_model_id',
		'timezone',
		'tools.0.type',
	]
		.concat(['initial_message', 'system_prompt', 'post_call_schema.0.name', 'tool_ids.0', 'names'])
		.concat(['multimodal_model_id', 'Name', 'assistant', 'phone_number_id', 'webhook_url'])
		.map((field): [string, StubResponse] => [`422 ${field}`, refusal(field)]),
	...[400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 418, 423, 451].map(
		(status): [string, StubResponse] => [`${status} name`, { ...refusal('name'), status }],
	),
	...[500, 502, 503, 504, 408, 499].map((status): [string, StubResponse] => [
		`${status} name`,
		{ ...refusal('name'), status },
	]),
	['422 without fields', { status: 422, body: { message: 'The name field is required.' } }],
	['422 a list', { status: 422, body: { message: 'Wrong', errors: ['name', 'type'] } }],
	['422 text', { status: 422, body: 'name' }],
	['200', { body: { message: 'OK', data: { id: 7, name: 'Sales' } } }],
	['201', { status: 201, body: created({ id: 7, name: 'Sales', type: 'inbound', mode: 'x' }) }],
	['422 assistant_id', refusal('assistant_id')],
];

it('there are 42 answers that tell nothing', () => {
	expect(TELLS_NOTHING).toHaveLength(42);
});

describe.each(sampled(TELLS_NOTHING, 4))('an answer that tells nothing: %s', (_what, response) => {
	it('to a create is not followed by another create', async () => {
		const server = await startServer(() => response);
		await n8nAt(server).runNode({ parameters: CREATE });
		const sent = server.requests.map(({ body }) => (body as IDataObject).assistant_name);
		expect(sent).toEqual(['Sales']);
	});

	it('to a create without fields lets no update out whose names differ, but one whose names are equal', async () => {
		const server = await startServer(({ method }) =>
			method === 'POST' ? response : { body: created({ id: 1 }) },
		);
		const n8n = n8nAt(server);
		const { error } = await n8n.runNode({ parameters: { ...UPDATE, updateFields: { name: 'A' } } });
		expect(error?.message).toMatch(
			/^Nothing was sent, because it is not known which names this provider uses for 'Name'/,
		);
		expect(server.requests.map(({ method, body }) => [method, body])).toEqual([['POST', {}]]);
		const parameters = { ...UPDATE, updateFields: { systemPrompt: 'Be kind.' } };
		const { output } = await n8n.runNode({ parameters });
		expect(output[0]).toMatchObject([{ json: { id: 1 } }]);
		const last = server.requests.at(-1);
		expect([last?.method, last?.body]).toEqual(['PUT', { system_prompt: 'Be kind.' }]);
	});
});

const LISTS: Record<string, unknown> = {
	languages: [
		{ id: 1, name: 'English' },
		{ id: 2, name: 'German' },
		{ id: 3, name: 'german' },
	],
	llm: [
		{ id: 4, name: 'gpt-4o-mini' },
		{ id: 5, name: 'Twice' },
		{ id: 6, name: 'Twice' },
	],
	multimodal: [{ id: 7, name: 'gpt-4o-mini', code: 'b' }],
	dualplex: [{ id: 8, name: 'GPT-4O-MINI', code: 'c' }],
};

interface Stub {
	/** Of the service. It can change. */
	generation: 'older' | 'newer';
	/** The record of the assistant 1. */
	record?: IDataObject;
	/** Whether an update changes nothing. */
	ignores?: boolean;
	/** Whether the answer to a create is lost behind a gateway. */
	isLost?: boolean;
	/** By the end of the path, or the method and it. */
	answers?: Record<string, StubResponse>;
}

const REQUIRED = {
	older: ['assistant_name', 'calls_direction', 'engine_type'],
	newer: ['name', 'type', 'mode'],
};

/** A service of a generation that ignores the names of the other one, as Laravel does. */
async function startStub(stub: Stub) {
	const server = await startServer(({ method, url, body }) => {
		const { pathname, searchParams } = new URL(url, 'http://host');
		const end = pathname.split('/').at(-1) ?? '';
		const answer = stub.answers?.[`${method} ${end}`] ?? stub.answers?.[end];
		if (answer) return answer;
		if (end === 'models') return { body: LISTS[searchParams.get('type') ?? ''] };
		if (end === 'languages') return { body: LISTS.languages };
		const record = { id: 1, name: 'Old', mode: 'pipeline', tools: [], ...stub.record };
		if (method === 'GET') return { body: pageOf([record]) };
		const names = Object.keys(body as object);
		const missing = REQUIRED[stub.generation].filter((name) => !names.includes(name));
		if (method === 'POST' && missing.length > 0) return refusal(...missing);
		if (method === 'PUT' && !stub.ignores) stub.record = { ...record, ...(body as IDataObject) };
		return stub.isLost ? { status: 504, body: 'Gateway Time-out' } : { body: created({ id: 1 }) };
	});
	const n8n = n8nAt(server);
	return {
		server,
		run: async (parameters: INodeParameters, items?: IDataObject[], settings?: Partial<INode>) =>
			await n8n.runNode({ parameters, items, settings }),
		/** Method and names of each request. */
		sent: () =>
			server.requests.map(({ method, url, body }) => [
				method === 'GET' ? url.replace('/api', '') : method,
				...Object.keys((body as object | undefined) ?? {}).slice(0, 1),
			]),
		last: () => server.requests.findLast(({ method }) => method !== 'GET')?.body,
	};
}

const TEN = Array.from({ length: 10 }, (_, index) => ({ index }));

const MODELS = '/user/assistants/models?type=llm';
const LANGUAGES = '/user/assistants/languages';
const LIST = '/user/assistants/get?page=1&per_page=100';
const GERMAN = [[LANGUAGES], [MODELS]];

describe('the generation of an account', () => {
	it('is learned by the first of ten creates at once, whose lists are read once', async () => {
		const { run, sent } = await startStub({ generation: 'newer' });
		const { error, output } = await run(CREATE, TEN);
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(10);
		const creates = TEN.map(() => ['POST', 'name']);
		expect(sent()).toEqual([['POST', 'assistant_name'], ...GERMAN, ...creates]);
		await run(CREATE);
		expect(sent().slice(13)).toEqual([...GERMAN, ['POST', 'name']]);
	});

	it('is learned by ten updates at once from one create without fields', async () => {
		const { run, sent } = await startStub({ generation: 'newer' });
		const { error } = await run({ ...UPDATE, updateFields: { name: 'A' } }, TEN);
		expect(error).toBeUndefined();
		expect(sent()).toEqual([['POST'], ...TEN.map(() => ['PUT', 'name']), [LIST]]);
	});

	it('is not needed where the names are equal in both', async () => {
		const { run, sent } = await startStub({ generation: 'newer' });
		const voice = { speechSpeed: 1 };
		await run({ ...UPDATE, voice, updateFields: { timezone: byName('Europe/Paris') } });
		expect(sent()).toEqual([['PUT', 'timezone']]);
	});

	it('is learned before a create with a field that only the newer one has', async () => {
		const { run, sent } = await startStub({ generation: 'older' });
		const fields = { ...CREATE, callHandling: { ringingTime: 20 } };
		expect((await run(fields)).error?.message).toBe(
			"'Ringing Time (Seconds)' cannot be set at this provider",
		);
		expect(sent()).toEqual([['POST']]);
	});

	it('is learned again after an hour', async () => {
		const { run, sent } = await startStub({ generation: 'newer' });
		const parameters = { ...UPDATE, updateFields: { name: 'A' } };
		await run(parameters);
		holdTime();
		await passTime(59 * 60_000);
		await run(parameters);
		expect(sent().filter(([method]) => method === 'POST')).toHaveLength(1);
		await passTime(60_000);
		await run(parameters);
		expect(sent().filter(([method]) => method === 'POST')).toHaveLength(2);
	});

	it('is learned again from a refusal that names the other one', async () => {
		const stub: Stub = { generation: 'older' };
		const { run, sent } = await startStub(stub);
		await run({ ...UPDATE, updateFields: { name: 'A' } });
		stub.generation = 'newer';
		const { error } = await run(CREATE);
		expect(error).toBeUndefined();
		stub.answers = { 'PUT 1': refusal('calls_direction') };
		await run({ ...UPDATE, updateFields: { name: 'A' } });
		const changes = sent().filter(([method]) => method === 'POST' || method === 'PUT');
		expect(changes).toEqual([
			...[['POST'], ['PUT', 'assistant_name']],
			...[
				['POST', 'assistant_name'],
				['POST', 'name'],
			],
			...[
				['PUT', 'name'],
				['PUT', 'assistant_name'],
			],
		]);
	});

	it('is told by the required names where a service also refuses unknown ones', async () => {
		const { run, sent } = await startStub({
			generation: 'newer',
			answers: { 'POST assistant': refusal('assistant_name', 'engine_type', 'name', 'mode') },
		});
		await run(CREATE);
		expect(sent()).toEqual([['POST', 'assistant_name'], ...GERMAN, ['POST', 'name']]);
	});

	it('stays unknown after a success without fields, which is not tried again', async () => {
		const answers = { 'POST assistant': { body: created() } };
		const { run, sent } = await startStub({ generation: 'newer', answers });
		for (const name of ['A', 'B']) {
			const { error } = await run({ ...UPDATE, updateFields: { name } });
			expect(error?.message).toContain('it is not known which names this provider uses');
		}
		expect(sent()).toEqual([['POST']]);
	});
});

it.each([
	['the first create', 'older', [['POST', 'assistant_name']]],
	['the second create', 'newer', [['POST', 'assistant_name'], ...GERMAN, ['POST', 'name']]],
] as const)(
	'a lost answer to %s is unknown, and it is not sent again',
	async (_what, generation, all) => {
		const { run, sent } = await startStub({ generation, isLost: true });
		const { output } = await run(CREATE, undefined, {
			...{ onError: 'continueErrorOutput', retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(output).toMatchObject([[], [{ json: { error: { result: 'unknown' } } }]]);
		expect(sent()).toEqual(all);
	},
);

it('an update is not sent where a create without fields is refused with the names of both', async () => {
	const answers = { 'POST assistant': refusal(...REQUIRED.older, ...REQUIRED.newer) };
	const { run, sent } = await startStub({ generation: 'older', answers });
	const { output } = await run({ ...UPDATE, updateFields: { name: 'A' } }, undefined, {
		onError: 'continueErrorOutput',
	});
	expect(output).toMatchObject([[], [{ json: { error: { result: 'not sent' } } }]]);
	expect(sent()).toEqual([['POST']]);
});

describe('names that are looked up', () => {
	it.each<[string, INodeParameters, string]>([
		['in any case', { language: byName('ENGLISH') }, ''],
		['exactly first', { language: byName('german') }, ''],
		['none', { language: byName('Germn') }, "'Language' is not in your provider's list: Germn"],
		[
			'two',
			{ llmModel: 'twice' },
			"'LLM Model' is a name that 2 entries of your provider's list have: twice",
		],
		['two in any case', { language: byName('GERMAN') }, "'Language' is a name that 2 entries"],
	])('%s', async (_what, fields, message) => {
		const { run, sent } = await startStub({ generation: 'newer' });
		const { error } = await run({ ...CREATE, ...fields });
		expect((error?.message ?? '').startsWith(message)).toBe(true);
		expect(error === undefined).toBe(message === '');
		if (message.includes('not in') || message.includes('GERMAN')) {
			expect(error?.description).toContain('The nearest: German (ID 2), german (ID 3)');
		}
		expect(sent().filter(([, name]) => name === 'name')).toHaveLength(message === '' ? 1 : 0);
	});

	it.each([
		['pipeline', 'llm_model_id', 4],
		['multimodal', 'multimodal_model_id', 7],
		['dualplex', 'multimodal_model_id', 8],
	])('are models of the mode %s, also of the one that an assistant has', async (mode, name, id) => {
		const { run, last } = await startStub({ generation: 'newer', record: { mode } });
		await run({ ...UPDATE, updateFields: { llmModel: 'gpt-4o-mini' } });
		expect(last()).toEqual({ [name]: id });
		await run({ ...CREATE, engineType: mode });
		expect(last()).toMatchObject({ mode, [name]: id, language_id: 2 });
	});

	it.each(['languages', 'models'])('need the list of %s', async (list) => {
		const answers = { [list]: { status: 404, body: { message: 'Not found' } } };
		const { run } = await startStub({ generation: 'newer', answers });
		const { error } = await run(CREATE);
		expect(error?.message).toBe('Not found');
		expect(error?.description).toContain(
			`finds by its name in the list /user/assistants/${list}. Ask your provider for the list`,
		);
	});
});

describe('the end call tool of an update', () => {
	const TRANSFER = { type: 'call_transfer', data: { phone_number: '+491', custom: null } };
	const endCall = { ...UPDATE, callHandling: { endCallToolDescription: 'New' } };

	it.each<[string, unknown[], unknown[]]>([
		['is added', [TRANSFER], [{ type: 'call_transfer', phone_number: '+491', custom: null }]],
		['is exchanged', [{ type: 'end_call', data: { description: 'Old' } }, TRANSFER], []],
		['is the first', [], []],
		['leaves an empty one', [{ type: 'dtmf_input', data: [] }], [{ type: 'dtmf_input' }]],
		['is not about custom tools', [{ id: 4, name: 'find', type: 'http' }], []],
	])('%s, and the others stay as they are', async (what, tools, others) => {
		const { run, last } = await startStub({ generation: 'newer', record: { tools } });
		expect((await run(endCall)).error).toBeUndefined();
		const added = { type: 'end_call', description: 'New' };
		expect(last()).toEqual({
			tools:
				what === 'is exchanged'
					? [added, { type: 'call_transfer', phone_number: '+491', custom: null }]
					: [...others, added],
		});
	});

	const KEY = { calcom_event_slug: 'a' };

	it.each<[string, unknown]>([
		['none is shown', undefined],
		['none is shown', 'end_call'],
		['call_transfer', [{ type: 'call_transfer', data: {} }]],
		['call_transfer', [TRANSFER, { type: 'call_transfer' }]],
		['call_transfer', [{ ...TRANSFER, priority: 1 }]],
		['one without a type', [{ data: {} }]],
		['one without a type', ['end_call']],
		['x', [{ type: 'x', data: { type: 'y' } }]],
		['calendar_integration', [{ type: 'calendar_integration', data: KEY }]],
		[
			'calendar_integration',
			[{ type: 'calendar_integration', data: { ...KEY, calcom_api_key: 'cal_****' } }],
		],
	])('is refused where another one cannot be read whole: %s', async (type, tools) => {
		const { run, last } = await startStub({
			generation: 'newer',
			record: { tools } as IDataObject,
		});
		const { error } = await run(endCall);
		expect(error?.message).toBe(`The assistant's built-in tools cannot be read whole: ${type}`);
		expect(last()).toEqual({});
	});

	it('is not read where the user gives all', async () => {
		const { run, last, sent } = await startStub({ generation: 'newer' });
		const builtInTools = '[{"type": "dtmf_input"}, {"type": "end_call"}]';
		await run({ ...UPDATE, callHandling: { builtInTools, endCallToolDescription: 'New' } });
		const tools = [{ type: 'dtmf_input' }, { type: 'end_call', description: 'New' }];
		expect(last()).toEqual({ tools });
		expect(sent()).toEqual([['POST'], ['PUT', 'tools'], [LIST]]);
	});

	it('and the built-in tools are not sent by any other update', async () => {
		const { run, last } = await startStub({ generation: 'newer', record: { tools: [TRANSFER] } });
		await run({ ...UPDATE, updateFields: { name: 'A' } });
		expect(last()).toEqual({ name: 'A' });
		await run({ ...UPDATE, removeFields: { builtInTools: true, secondaryLanguages: true } });
		expect(last()).toEqual({ tools: [], secondary_language_ids: [] });
	});
});

it('a hint names the values that are not there after an update, and the generation is learned again', async () => {
	const { run, sent } = await startStub({
		generation: 'newer',
		ignores: true,
		record: { record: 0 },
	});
	const fields = {
		updateFields: { name: 'A' },
		callHandling: { recordCall: true, maxCallDuration: 30 },
	};
	for (const assistantId of [byId('1'), '1']) {
		const result = await run({ ...UPDATE, ...fields, assistantId });
		expect(hintsOf(result)).toEqual([
			"The service accepted the update of assistant 1, but its list of assistants does not show the new value of 'Name', 'Record Call'. Check it at your provider, and run the update again if it is not there.",
		]);
	}
	expect(sent().filter(([method]) => method === 'POST')).toHaveLength(2);
});

it.each([
	['name', 'Name'],
	['language_id', 'Language'],
	['llm_model_id', 'LLM Model'],
	['tools', 'Call Handling → Built-in Tools (JSON)'],
])('Additional Fields (JSON) has no name of the other generation: %s', async (name, label) => {
	const { run, sent } = await startStub({ generation: 'newer' });
	const additionalFields = { additionalFieldsJson: `{"${name}": 1}` };
	const { error } = await run({ ...CREATE, additionalFields });
	expect(error?.message).toContain(`which the field '${label.split(' → ').at(-1)}' sends`);
	expect(sent()).toEqual([]);
});
