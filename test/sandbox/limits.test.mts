import { describe, expect, it } from '@jest/globals';
import { dataOf, rowsOf, type ServiceResponse } from '../support/sandbox/client.mts';
import { asObject, type JsonObject } from '../support/sandbox/contract.mts';
import { startOwnService, startTestService } from '../support/sandbox/testService.mts';
import { newAssistant, newTool } from '../support/sandbox/seed.mts';

const service = await startTestService();

const errorFields = (response: ServiceResponse): string[] =>
	Object.keys(asObject(asObject(response.body, 'body').errors, `errors in ${response.text}`));

// contract: Limits, and the constraints of Assistant: writable fields. The last column is the field's name
// in the list operation, if the list shows it.
const numbers: [field: string, min: number, max: number, step: number, shown?: string][] = [
	['endpoint_sensitivity', 0, 5, 0.1, 'endpoint_sensitivity'],
	['interrupt_sensitivity', 0, 5, 0.1, 'interrupt_sensitivity'],
	['ambient_sound_volume', 0, 1, 0.01, 'ambient_sound_volume'],
	['llm_temperature', 0, 1, 0.01, 'llm_temperature'],
	['voice_stability', 0, 1, 0.01, 'voice_stability'],
	['voice_similarity', 0, 1, 0.01, 'voice_similarity'],
	['speech_speed', 0.7, 1.2, 0.01, 'speech_speed'],
	['min_interrupt_words', 0, 10, 1, 'min_interrupt_words'],
	['re_engagement_interval', 7, 600, 1, 'reengagement_interval'],
	['max_call_duration', 20, 1200, 1, 'max_duration'],
	['max_silence_duration', 1, 120, 1, 'max_silence_duration'],
];

describe('numbers of an assistant', () => {
	describe.each(numbers)('%s from %d to %d', (field, min, max, step, shown) => {
		it.each([min, max])('%d is taken, on create and on update', async (value) => {
			const created = await service.alice.post('/user/assistant', {
				...newAssistant,
				[field]: value,
			});
			expect(created.status).toBe(201);
			const updated = await service.alice.put('/user/assistant/1', { [field]: value });
			expect(updated.status).toBe(200);

			const records = rowsOf(await service.alice.get('/user/assistants/get'));
			const values = [1, dataOf(created).id].map((id) =>
				Number(records.find((record) => record.id === id)?.[shown ?? field]),
			);
			expect(values).toEqual([value, value]);
		});

		it.each([min - step, max + step])('%d is refused, on create and on update', async (value) => {
			const created = await service.alice.post('/user/assistant', {
				...newAssistant,
				[field]: value,
			});
			const updated = await service.alice.put('/user/assistant/1', { [field]: value });
			expect([created.status, updated.status]).toEqual([422, 422]);
			expect([errorFields(created), errorFields(updated)]).toEqual([[field], [field]]);
		});
	});

	it.each(numbers.filter(([, , , step]) => step === 1).map(([field, min]) => ({ field, min })))(
		'$field is whole',
		async ({ field, min }) => {
			const response = await service.alice.put('/user/assistant/1', { [field]: min + 0.5 });
			expect(response.status).toBe(422);
			expect(errorFields(response)).toEqual([field]);
		},
	);
});

describe('texts of an assistant', () => {
	const texts: [field: string, max: number][] = [
		['assistant_name', 255],
		['llm_model', 100],
	];
	it.each(texts)('%s takes %d characters and not one more', async (field, max) => {
		for (const character of ['a', 'ß', '📞']) {
			const most = await service.alice.put('/user/assistant/1', { [field]: character.repeat(max) });
			expect(most.status).toBe(200);
			const tooMuch = await service.alice.put('/user/assistant/1', {
				[field]: character.repeat(max + 1),
			});
			expect(tooMuch.status).toBe(422);
			expect(errorFields(tooMuch)).toEqual([field]);
		}
		for (const length of [max, max + 1]) {
			const created = await service.alice.post('/user/assistant', {
				...newAssistant,
				[field]: 'a'.repeat(length),
			});
			expect(created.status).toBe(length === max ? 201 : 422);
		}
	});

	it('language takes 100 characters, where it names an available language', async () => {
		const longest = 'L'.repeat(100);
		await using own = await startOwnService({
			seed: {
				users: [
					{
						token: 'alice-token',
						voices: [{ id: 1, name: 'Anna' }],
						languages: [longest, `${longest}L`],
					},
				],
			},
		});
		const fits = await own.alice.post('/user/assistant', { ...newAssistant, language: longest });
		expect(fits.status).toBe(201);
		const over = await own.alice.post('/user/assistant', {
			...newAssistant,
			language: `${longest}L`,
		});
		expect(over.status).toBe(422);
		expect(errorFields(over)).toEqual(['language']);
	});

	it('end_call_tool.description takes 500 characters and not one more', async () => {
		for (const [length, status] of [
			[500, 200],
			[501, 422],
		] as const) {
			const response = await service.alice.put('/user/assistant/1', {
				end_call_tool: { description: 'x'.repeat(length) },
			});
			expect(response.status).toBe(status);
			if (status === 422) expect(errorFields(response)).toEqual(['end_call_tool.description']);
		}
	});
});

describe('limits of a mid call tool', () => {
	const parameter = { name: 'city', type: 'string', description: 'The city' };
	const table: { what: string; fields: JsonObject; refused?: string }[] = [
		{ what: 'description of 255 characters', fields: { description: 'd'.repeat(255) } },
		{
			what: 'description of 256 characters',
			fields: { description: 'd'.repeat(256) },
			refused: 'description',
		},
		{ what: 'timeout of 1 second', fields: { timeout: 1 } },
		{ what: 'timeout of 30 seconds', fields: { timeout: 30 } },
		{ what: 'timeout of 0 seconds', fields: { timeout: 0 }, refused: 'timeout' },
		{ what: 'timeout of 31 seconds', fields: { timeout: 31 }, refused: 'timeout' },
		{ what: 'timeout of 1.5 seconds', fields: { timeout: 1.5 }, refused: 'timeout' },
		{ what: 'parameter name of 2 characters', fields: { schema: [{ ...parameter, name: 'ci' }] } },
		{
			what: 'parameter name of 32 characters',
			fields: { schema: [{ ...parameter, name: 'c'.repeat(32) }] },
		},
		{
			what: 'parameter name of 1 character',
			fields: { schema: [{ ...parameter, name: 'c' }] },
			refused: 'schema.0.name',
		},
		{
			what: 'parameter name of 33 characters',
			fields: { schema: [{ ...parameter, name: 'c'.repeat(33) }] },
			refused: 'schema.0.name',
		},
		{
			what: 'parameter name with letters and underscores',
			fields: { schema: [{ ...parameter, name: 'City_Name' }] },
		},
		{
			what: 'parameter name starting with an underscore',
			fields: { schema: [{ ...parameter, name: '_city' }] },
			refused: 'schema.0.name',
		},
		{
			what: 'parameter name with a digit',
			fields: { schema: [{ ...parameter, name: 'city2' }] },
			refused: 'schema.0.name',
		},
		{
			what: 'parameter description of 3 characters',
			fields: { schema: [{ ...parameter, description: 'abc' }] },
		},
		{
			what: 'parameter description of 255 characters',
			fields: { schema: [{ ...parameter, description: 'd'.repeat(255) }] },
		},
		{
			what: 'parameter description of 2 characters',
			fields: { schema: [{ ...parameter, description: 'ab' }] },
			refused: 'schema.0.description',
		},
		{
			what: 'parameter description of 256 characters',
			fields: { schema: [{ ...parameter, description: 'd'.repeat(256) }] },
			refused: 'schema.0.description',
		},
		...['string', 'number', 'boolean'].map((type) => ({
			what: `parameter type ${type}`,
			fields: { schema: [{ ...parameter, type }] },
		})),
		{
			what: 'parameter type bool (that one is for post-call fields)',
			fields: { schema: [{ ...parameter, type: 'bool' }] },
			refused: 'schema.0.type',
		},
		{
			what: 'second parameter without a type',
			fields: { schema: [parameter, { name: 'day', description: 'The day' }] },
			refused: 'schema.1.type',
		},
		{
			what: 'header without a value',
			fields: { headers: [{ name: 'X-Key' }] },
			refused: 'headers.0.value',
		},
		{
			what: 'header without a name',
			fields: { headers: [{ value: 'k' }] },
			refused: 'headers.0.name',
		},
		...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
			what: `method ${method}`,
			fields: { method },
		})),
		{ what: 'method get', fields: { method: 'get' }, refused: 'method' },
	];

	it.each(table)('$what: refused field $refused', async ({ fields, refused }) => {
		const created = await service.alice.post('/user/tools', { ...newTool, ...fields });
		const updated = await service.alice.put('/user/tools/1', fields);
		if (refused === undefined) {
			expect([created.status, updated.status]).toEqual([201, 200]);
			expect(dataOf(created)).toMatchObject(fields);
			expect(dataOf(updated)).toMatchObject(fields);
		} else {
			expect([created.status, updated.status]).toEqual([422, 422]);
			expect([errorFields(created), errorFields(updated)]).toEqual([[refused], [refused]]);
		}
	});

	it('timeout is 10 seconds by default', async () => {
		expect(dataOf(await service.alice.post('/user/tools', newTool)).timeout).toBe(10);
	});
});

describe('limits of post-call fields', () => {
	const field = { name: 'booked', type: 'bool', description: 'Whether a table was booked' };
	const table: { what: string; item: JsonObject; refused?: string }[] = [
		...['string', 'number', 'bool'].map((type) => ({
			what: `type ${type}`,
			item: { ...field, type },
		})),
		{
			what: 'type boolean (that one is for tool parameters)',
			item: { ...field, type: 'boolean' },
			refused: 'type',
		},
		{ what: 'name with digits and underscores', item: { ...field, name: '2nd_Choice' } },
		{ what: 'name with a dash', item: { ...field, name: 'second-choice' }, refused: 'name' },
		{ what: 'name with a space', item: { ...field, name: 'second choice' }, refused: 'name' },
		{ what: 'no name', item: { type: 'bool', description: 'd' }, refused: 'name' },
		{ what: 'no type', item: { name: 'booked', description: 'd' }, refused: 'type' },
		{ what: 'no description', item: { name: 'booked', type: 'bool' }, refused: 'description' },
	];
	it.each(table)('$what: refused field $refused', async ({ item, refused }) => {
		const body = { post_call_schema: [item] };
		const created = await service.alice.post('/user/assistant', { ...newAssistant, ...body });
		const updated = await service.alice.put('/user/assistant/1', body);
		if (refused === undefined) {
			expect([created.status, updated.status]).toEqual([201, 200]);
		} else {
			const key = `post_call_schema.0.${refused}`;
			expect([errorFields(created), errorFields(updated)]).toEqual([[key], [key]]);
		}
	});
});

describe('limit of an SMS', () => {
	it.each([
		[1, 200],
		[300, 200],
		[301, 422],
	])('a body of %d characters → %d', async (length, status) => {
		const response = await service.alice.post('/user/sms', {
			from: 1,
			to: '+4915112345699',
			body: 'x'.repeat(length),
		});
		expect(response.status).toBe(status);
		if (status === 422) expect(errorFields(response)).toEqual(['body']);
	});
});

describe('limits of pages', () => {
	it.each([
		['/user/calls', 15],
		['/user/assistants/get', 10],
	])('%s: per_page is %d by default, 1 to 100', async (path, byDefault) => {
		expect((await service.alice.get(path)).body).toMatchObject({
			per_page: byDefault,
			current_page: 1,
		});
		for (const per_page of [1, 100]) {
			const response = await service.alice.get(path, { per_page });
			expect(response.status).toBe(200);
			expect(response.body).toMatchObject({ per_page });
		}
		for (const per_page of [0, 101, -1, 'ten', 1.5, '']) {
			const response = await service.alice.get(path, { per_page });
			expect({ per_page, status: response.status }).toEqual({ per_page, status: 422 });
			expect(errorFields(response)).toEqual(['per_page']);
		}
		for (const page of [0, -1, 'two', 1.5]) {
			const response = await service.alice.get(path, { page });
			expect({ page, status: response.status }).toEqual({ page, status: 422 });
			expect(errorFields(response)).toEqual(['page']);
		}
	});
});
