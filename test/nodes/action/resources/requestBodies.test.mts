import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { byId, fromList, operationNamed } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent, service } = await startTestEnvironment();

/** Runs an operation with further parameters. @returns the body that arrived */
async function bodyOf(name: string, parameters: INodeParameters, item = {}): Promise<unknown> {
	const run = await n8n.runNode({
		parameters: { ...operationNamed(name).parameters, ...parameters },
		items: [item],
	});
	expect(run.error).toBeUndefined();
	const requests = await sent();
	expect(requests).toHaveLength(1);
	return requests[0]?.body;
}

const row = {
	phone: '+4915112345699',
	campaign: 1,
	name: 'Jane',
	email: 4711,
	'tea.kind': 'green',
	visits: 3,
	vip: true,
	tags: ['a', 'b'],
	address: { city: 'Bonn' },
	empty: '',
	missing: null,
	json: 'a column',
	variable: 'another',
	note: '👋 مرحبا',
};

describe('variables', () => {
	it('one by one are one object, with the fields that the service knows by name', async () => {
		const parameters = {
			customerName: 'Jane',
			email: 'jane@example.com',
			variables: {
				variable: [
					{ name: 'city', value: 'Bonn' },
					{ name: 'tea.kind', value: 'green' },
				],
			},
		};
		expect(await bodyOf('lead: create', parameters)).toEqual({
			campaign_id: 1,
			phone_number: '+4915112345699',
			variables: {
				customer_name: 'Jane',
				email: 'jane@example.com',
				city: 'Bonn',
				'tea.kind': 'green',
			},
		});
	});

	it('in JSON have any type', async () => {
		const parameters = {
			variablesMode: 'json',
			variablesJson: '{"visits": 3, "tags": ["a", "b"], "vip": true, "note": null}',
		};
		expect(await bodyOf('lead: create', parameters)).toMatchObject({
			variables: { customer_name: 'Jane', visits: 3, tags: ['a', 'b'], vip: true, note: null },
		});
	});

	it('may come from an expression that gives an object', async () => {
		const parameters = { variablesMode: 'json', variablesJson: '={{ $json.extra }}' };
		expect(
			await bodyOf('lead: create', parameters, { extra: { city: 'Bonn', visits: 3 } }),
		).toMatchObject({ variables: { city: 'Bonn', visits: 3 } });
	});

	it('of an update are merged by the service into the ones it has', async () => {
		const parameters = {
			updateFields: { email: 'jane@example.com' },
			variables: { variable: [{ name: 'city', value: 'Berlin' }] },
		};
		expect(await bodyOf('lead: update', parameters)).toEqual({
			variables: { email: 'jane@example.com', city: 'Berlin' },
		});
	});

	it('of an assistant are sent the same way', async () => {
		const parameters = { updateFields: {}, variables: { variable: [{ name: 'a', value: 'b' }] } };
		expect(await bodyOf('assistant: update', parameters)).toEqual({ variables: { a: 'b' } });
	});

	it('with an empty value are left out', async () => {
		const pairs = ['', '={{ null }}', '={{ $json.none }}', 'Bonn'];
		const variable = pairs.map((value, index) => ({ name: `city${index}`, value }));
		expect(await bodyOf('lead: update', { updateFields: {}, variables: { variable } })).toEqual({
			variables: { city3: 'Bonn' },
		});
	});

	it('with an empty value in JSON are sent', async () => {
		const inJson = { variablesMode: 'json', variablesJson: '{"city": ""}' };
		expect(await bodyOf('lead: update', { updateFields: {}, ...inJson })).toEqual({
			variables: { city: '' },
		});
	});

	it('of another choice than the chosen one are not sent', async () => {
		const parameters = {
			variablesMode: 'json',
			variablesJson: '{"a": 1}',
			variables: { variable: [{ name: 'b', value: 'c' }] },
			variablesToLeaveOut: 'a',
		};
		expect(await bodyOf('lead: update', { updateFields: {}, ...parameters })).toEqual({
			variables: { a: 1 },
		});
	});
});

describe('Send All Input Fields', () => {
	const variablesMode = 'sendAllInputFields';

	it('keeps a text where a path would lead into it', async () => {
		const item = { address: 'Bonn', city: null };
		const parameters = { updateFields: {}, variablesMode, variablesToLeaveOut: 'address.zip' };
		expect(await bodyOf('lead: update', parameters, item)).toEqual({
			variables: { address: 'Bonn' },
		});
	});

	it('leaves out the value at a path, and a field whose name has dots', async () => {
		const item = { 'a.b': 1, a: { b: 2, c: 3 }, address: { city: 'Bonn', zip: '53111' } };
		const variablesToLeaveOut = 'a.b, address.zip, missing.field';
		const parameters = { updateFields: {}, variablesMode, variablesToLeaveOut };
		expect(await bodyOf('lead: update', parameters, item)).toEqual({
			variables: { a: { b: 2, c: 3 }, address: { city: 'Bonn' } },
		});
	});

	it('sends each field that has a value, as it is, without those to leave out', async () => {
		const parameters = {
			phoneNumber: '={{ $json.phone }}',
			customerName: '={{ $json.name }}',
			variablesMode,
			variablesToLeaveOut: 'phone , campaign,name,',
		};
		expect(await bodyOf('lead: create', parameters, row)).toEqual({
			campaign_id: 1,
			phone_number: '+4915112345699',
			variables: {
				customer_name: 'Jane',
				email: '4711',
				'tea.kind': 'green',
				visits: 3,
				vip: true,
				tags: ['a', 'b'],
				address: { city: 'Bonn' },
				json: 'a column',
				variable: 'another',
				note: '👋 مرحبا',
			},
		});
	});

	it('lets a field of the form win over a field of the item', async () => {
		const parameters = { customerName: 'Jane', variablesMode };
		const item = { customer_name: 'Old', city: 'Bonn' };
		expect(await bodyOf('lead: create', parameters, item)).toMatchObject({
			variables: { customer_name: 'Jane', city: 'Bonn' },
		});
	});

	it.each([
		['lead: update', { updateFields: {} }],
		['assistant: update', { updateFields: {} }],
	])('%s: each item sends its own fields', async (name, parameters) => {
		const { parameters: common } = operationNamed(name);
		const { error } = await n8n.runNode({
			parameters: { ...common, ...parameters, variablesMode },
			items: [{ a: 1 }, { b: { c: [null] } }],
		});
		expect(error).toBeUndefined();
		const bodies = (await sent()).map(({ body }) => body);
		expect(bodies).toEqual(
			expect.arrayContaining([{ variables: { a: 1 } }, { variables: { b: { c: [null] } } }]),
		);
		expect(bodies).toHaveLength(2);
	});

	it('sends dates as text', async () => {
		const date = new Date('2026-01-31T10:00:00Z');
		expect(await bodyOf('lead: create', { variablesMode }, { date })).toMatchObject({
			variables: { date: '2026-01-31T10:00:00.000Z' },
		});
	});

	it('sends no variables of an item without values', async () => {
		const parameters = { customerName: '', variablesMode };
		expect(await bodyOf('lead: create', parameters, { a: '', b: null })).toEqual({
			campaign_id: 1,
			phone_number: '+4915112345699',
		});
	});

	it('takes no harm from a field with the name __proto__', async () => {
		const item = JSON.parse('{"__proto__": {"polluted": true}, "city": "Bonn"}') as object;
		await bodyOf('lead: create', { variablesMode }, item);
		expect(({} as { polluted?: true }).polluted).toBeUndefined();
		expect((await sent())[0]?.body).toMatchObject({ variables: { city: 'Bonn' } });
	});
});

describe('secondary contacts', () => {
	const createWithContacts = (...contact: INodeParameters[]) =>
		n8n.runNode({
			parameters: {
				...operationNamed('lead: create').parameters,
				additionalFields: { secondaryContacts: { contact } },
			},
		});

	it('arrive with all of their fields', async () => {
		const additionalFields = {
			onDuplicate: 'createAnyway',
			secondaryContacts: {
				contact: [
					{
						phoneNumber: '+4915112345621',
						customerName: 'John',
						email: 'john@example.com',
						variables: '{"relation": "brother"}',
					},
					{ phoneNumber: '+4915112345622', customerName: '', email: '', variables: '{}' },
					{ phoneNumber: '={{ $json.third }}', variables: '={{ { age: 7 } }}' },
				],
			},
		};
		expect(await bodyOf('lead: create', { additionalFields }, { third: '+4915112345623' })).toEqual(
			{
				campaign_id: 1,
				phone_number: '+4915112345699',
				variables: { customer_name: 'Jane' },
				allow_dupplicate: true,
				secondary_contacts: [
					{
						phone_number: '+4915112345621',
						variables: {
							relation: 'brother',
							customer_name: 'John',
							email: 'john@example.com',
						},
					},
					{ phone_number: '+4915112345622' },
					{ phone_number: '+4915112345623', variables: { age: 7 } },
				],
			},
		);
	});

	it('come back as separate leads', async () => {
		const { output } = await createWithContacts({ phoneNumber: '+4915112345621', variables: '{}' });
		expect(output[0][0]?.json).toMatchObject({
			secondary_contacts: [{ phone_number: '+4915112345621', status: 'created' }],
		});
	});

	it('that the service refuses are named by their position', async () => {
		const { error } = await createWithContacts(
			{ phoneNumber: '+4915112345621', variables: '{}' },
			{ phoneNumber: '123', variables: '{}' },
		);
		expect(error?.message).toMatch(/^'Secondary Contacts → 2 → Phone Number': ./);
	});

	it('that are incomplete are named by their position, and nothing is sent', async () => {
		const { error } = await createWithContacts(
			{ phoneNumber: '+4915112345621' },
			{ phoneNumber: '={{ $json.none }}' },
		);
		expect(error?.message).toBe("'Secondary Contacts → 2 → Phone Number' is empty");
		expect(await sent()).toEqual([]);
	});
});

describe('removing', () => {
	it('from an assistant sends null and empty lists', async () => {
		const removeFields = { phoneNumber: true, postCallSchema: true, tools: true, webhookUrl: true };
		expect(await bodyOf('assistant: update', { updateFields: {}, removeFields })).toEqual({
			phone_number_id: null,
			post_call_schema: [],
			tool_ids: [],
			webhook_url: null,
		});
		const { data } = (await service.alice.get('/user/assistants/get')).body as {
			data: Array<Record<string, unknown>>;
		};
		expect(data[0]).toMatchObject({ id: 1, phone_number_id: null, tools: [], webhook_url: null });
	});

	it('from a tool sends empty lists', async () => {
		const removeFields = { headers: true, parameters: true };
		expect(await bodyOf('midCallTool: update', { updateFields: {}, removeFields })).toEqual({
			headers: [],
			schema: [],
		});
	});

	it('that is switched off sends nothing', async () => {
		const removeFields = { headers: false, parameters: '={{ "false" }}' };
		expect(
			await bodyOf('midCallTool: update', { updateFields: { timeout: 5 }, removeFields }),
		).toEqual({
			timeout: 5,
		});
	});

	it('and setting the same field: the set value is sent', async () => {
		const parameters = {
			updateFields: {},
			removeFields: { tools: true, phoneNumber: true, webhookUrl: true },
			tools: { tool: [{ toolId: byId('2') }] },
			callHandling: { phoneNumberId: '4' },
			afterTheCall: { webhookUrl: 'https://example.com/calls', isWebhookActive: true },
		};
		expect(await bodyOf('assistant: update', parameters)).toEqual({
			tool_ids: [2],
			phone_number_id: 4,
			webhook_url: 'https://example.com/calls',
			is_webhook_active: true,
		});
	});
});

describe('tools of an assistant', () => {
	it('are given from the list, by id, by expression and as plain text', async () => {
		const tool = [
			{ toolId: fromList('1', 'get_weather') },
			{ toolId: byId('2') },
			{ toolId: byId('={{ $json.tool }}') },
			{ toolId: '={{ $json.tool }}' },
		];
		expect(
			await bodyOf('assistant: update', { updateFields: {}, tools: { tool } }, { tool: 2 }),
		).toEqual({ tool_ids: [1, 2, 2, 2] });
	});
});

describe('the picker of an assistant', () => {
	it.each<[string, INodeParameters[string]]>([
		['from the list', fromList('1', 'Caller (ID 1, outbound)')],
		['by id', byId('1')],
		['by id, as a number', byId(1)],
		['by an expression', byId('={{ $json.assistant }}')],
		['as an expression as a whole', '={{ $json.assistant }}'],
	])('%s goes into body, address and query alike', async (_how, assistantId) => {
		for (const [name, fields] of [
			['assistant: disableWebhook', { assistantId }],
			['assistant: update', { assistantId }],
			['call: getAll', { filters: { assistantId } }],
		] as const) {
			const { error } = await n8n.runNode({
				parameters: { ...operationNamed(name).parameters, ...fields },
				items: [{ assistant: 1 }],
			});
			expect(error).toBeUndefined();
		}
		const [body, address, query] = await sent();
		expect(body?.body).toEqual({ assistant_id: 1 });
		expect(address?.path).toBe('/api/user/assistant/1');
		expect(query?.query).toMatchObject({ assistant_id: '1' });
	});
});

describe('a list of a mid call tool', () => {
	const parameters = [{ name: 'day', type: 'string', description: 'The day that suits' }];
	const inRequest = {
		headers: [
			{ name: 'X-Shop', value: 'Bonn' },
			{ name: 'X-Day', value: '7' },
		],
		schema: parameters,
	};

	it.each<[string, INodeParameters]>([
		[
			'a table',
			{
				headers: {
					header: [
						{ name: 'X-Shop', value: 'Bonn' },
						{ name: 'X-Day', value: '={{ 7 }}' },
					],
				},
				parameters: { parameter: parameters },
			},
		],
		[
			'JSON',
			{
				headersMode: 'json',
				headersJson: '[{"name": "X-Shop", "value": "Bonn"}, {"name": "X-Day", "value": 7}]',
				parametersMode: 'json',
				parametersJson: JSON.stringify(parameters),
			},
		],
		[
			'JSON of an expression',
			{
				headersMode: 'json',
				headersJson: '={{ $json.headers }}',
				parametersMode: 'json',
				parametersJson: '={{ $json.schema }}',
			},
		],
	])('entered as %s arrives', async (_, lists) => {
		for (const [name, common] of [
			['midCallTool: create', { additionalFields: { timeout: '25' } }],
			['midCallTool: update', { updateFields: { timeout: '25' } }],
		] as const) {
			await service.reset();
			const parameters = { ...common, ...lists };
			expect(await bodyOf(name, parameters, inRequest)).toMatchObject({
				timeout: 25,
				...inRequest,
			});
		}
	});

	it('that is empty JSON leaves the list as it is', async () => {
		const fields = { updateFields: { timeout: 5 }, parametersMode: 'json', headersMode: 'json' };
		const lists = { parametersJson: '[]', headersJson: '={{ $json.none }}' };
		expect(await bodyOf('midCallTool: update', { ...fields, ...lists })).toEqual({ timeout: 5 });
	});
});

describe('an assistant', () => {
	it('is created with every setting in the form that the service takes', async () => {
		const parameters: INodeParameters = {
			callHandling: {
				endCallOnVoicemail: true,
				endCallToolDescription: 'When the person says goodbye',
				maxCallDuration: 20,
				maxSilenceDuration: '120',
				phoneNumberId: 1,
				recordCall: false,
			},
			conversation: {
				allowInterruptions: 'false',
				endpointSensitivity: 0,
				endpointType: 'ai',
				fillerAudios: true,
				interruptSensitivity: 5,
				llmTemperature: '0.7',
				minInterruptWords: 0,
				reEngagementInterval: 7,
				whoSpeaksFirst: 'Customer',
			},
			voice: {
				ambientSoundVolume: 0,
				noiseCancellation: false,
				speechSpeed: 1.2,
				voiceSimilarity: 1,
				voiceStability: 0.25,
			},
			tools: { tool: [{ toolId: byId('1') }] },
			afterTheCall: {
				includeRecordingInWebhook: true,
				isWebhookActive: true,
				postCallEvaluation: true,
				sendWebhookOnlyOnCompleted: false,
				webhookUrl: 'https://example.com/calls',
			},
			postCallSchema: {
				value: [{ name: 'booked', type: 'bool', description: 'Whether it was' }],
			},
		};
		const { request } = operationNamed('assistant: create');
		expect(await bodyOf('assistant: create', parameters)).toEqual({
			...request.body,
			end_call_on_voicemail: true,
			end_call_tool: { description: 'When the person says goodbye' },
			max_call_duration: 20,
			max_silence_duration: 120,
			phone_number_id: 1,
			record_call: false,
			allow_interruptions: false,
			endpoint_sensitivity: 0,
			endpoint_type: 'ai',
			filler_audios: true,
			interrupt_sensitivity: 5,
			llm_temperature: 0.7,
			min_interrupt_words: 0,
			re_engagement_interval: 7,
			use_min_interrupt_words: false,
			who_speaks_first: 'Customer',
			ambient_sound_volume: 0,
			noise_cancellation: false,
			speech_speed: 1.2,
			voice_similarity: 1,
			voice_stability: 0.25,
			tool_ids: [1],
			include_recording_in_webhook: true,
			is_webhook_active: true,
			post_call_evaluation: true,
			post_call_schema: [{ name: 'booked', type: 'bool', description: 'Whether it was' }],
			send_webhook_only_on_completed: false,
			webhook_url: 'https://example.com/calls',
		});
	});
});

describe('a number where text belongs, as spreadsheets give it', () => {
	it('arrives as text', async () => {
		const item = { code: 4711 };
		expect(await bodyOf('sms: send', { body: '={{ $json.code }}' }, item)).toMatchObject({
			body: '4711',
		});
	});

	it('arrives as text also in lists and in the fields of variables', async () => {
		const contact = [{ phoneNumber: '+4915112345621', customerName: '={{ 7 }}' }];
		const parameters = {
			customerName: '={{ 8 }}',
			additionalFields: { secondaryContacts: { contact } },
		};
		expect(await bodyOf('lead: create', parameters)).toMatchObject({
			variables: { customer_name: '8' },
			secondary_contacts: [{ variables: { customer_name: '7' } }],
		});
	});
});

describe('the names in a list of a mid call tool', () => {
	const parameter = (name: string) => ({ name, type: 'string', description: 'The day' });
	const header = (name: string) => ({ name, value: '7' });

	const TWICE: Array<[list: string, label: string, parameters: INodeParameters]> = [
		[
			'parameters',
			"'Parameters' has the name Day twice",
			{ parameters: { parameter: ['day', 'time', 'Day'].map(parameter) } },
		],
		[
			'parameters in JSON',
			"'Parameters (JSON)' has the name Day twice",
			{
				parametersMode: 'json',
				parametersJson: JSON.stringify(['day', 'time', ' Day '].map(parameter)),
			},
		],
		[
			'headers',
			"'Headers' has the name x-shop twice",
			{ headers: { header: ['X-Shop', 'x-shop'].map(header) } },
		],
		[
			'headers in JSON',
			"'Headers (JSON)' has the name x-shop twice",
			{ headersMode: 'json', headersJson: JSON.stringify(['X-Shop', 'x-shop'].map(header)) },
		],
	];

	it.each(TWICE)('are refused when one occurs twice: %s', async (_list, message, parameters) => {
		for (const name of ['midCallTool: create', 'midCallTool: update']) {
			const { error } = await n8n.runNode({
				parameters: { ...operationNamed(name).parameters, ...parameters },
			});
			expect(error).toMatchObject({
				message,
				description: 'Rename or remove one. Nothing was sent for this item.',
			});
		}
		expect(await sent()).toEqual([]);
	});

	it('may begin alike', async () => {
		const parameters = { parameters: { parameter: ['day', 'days'].map(parameter) } };
		expect(await bodyOf('midCallTool: create', parameters)).toMatchObject({
			schema: [parameter('day'), parameter('days')],
		});
	});
});
