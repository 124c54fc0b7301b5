import { describe, expect, it } from '@jest/globals';
import { dataOf, rowsOf } from '../support/sandbox/client.mts';
import type { JsonObject } from '../support/sandbox/contract.mts';
import { expectInvalidFields } from '../support/sandbox/responses.mts';
import { startOwnService, startTestService } from '../support/sandbox/testService.mts';
import { newAssistant, newTool } from '../support/sandbox/seed.mts';

const service = await startTestService();

const create = (fields: JsonObject, user = service.alice) =>
	user.post('/user/assistant', { ...newAssistant, ...fields });
const update = (fields: JsonObject) => service.alice.put('/user/assistant/1', fields);

/** Fields, and the one of them that is refused, if any. */
interface Row {
	readonly what: string;
	readonly fields: JsonObject;
	readonly refused?: string;
}

const row = (what: string, fields: JsonObject, refused?: string): Row => ({
	what,
	fields,
	...(refused !== undefined && { refused }),
});

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
			const created = await create({ [field]: value });
			expect(created.status).toBe(201);
			const updated = await update({ [field]: value });
			expect(updated.status).toBe(200);

			const records = rowsOf(await service.alice.get('/user/assistants/get'));
			const values = [1, dataOf(created).id].map((id) =>
				Number(records.find((record) => record.id === id)?.[shown ?? field]),
			);
			expect(values).toEqual([value, value]);
		});

		it.each([min - step, max + step])('%d is refused, on create and on update', async (value) => {
			const created = await create({ [field]: value });
			const updated = await update({ [field]: value });
			for (const response of [created, updated]) expectInvalidFields(response, field);
		});
	});

	it.each(numbers.filter(([, , , step]) => step === 1).map(([field, min]) => ({ field, min })))(
		'$field is whole',
		async ({ field, min }) => {
			const response = await update({ [field]: min + 0.5 });
			expectInvalidFields(response, field);
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
			const most = await update({ [field]: character.repeat(max) });
			expect(most.status).toBe(200);
			const tooMuch = await update({ [field]: character.repeat(max + 1) });
			expectInvalidFields(tooMuch, field);
		}
		for (const length of [max, max + 1]) {
			const created = await create({ [field]: 'a'.repeat(length) });
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
		const fits = await create({ language: longest }, own.alice);
		expect(fits.status).toBe(201);
		const over = await create({ language: `${longest}L` }, own.alice);
		expectInvalidFields(over, 'language');
	});

	it('end_call_tool.description takes 500 characters and not one more', async () => {
		for (const [length, status] of [
			[500, 200],
			[501, 422],
		] as const) {
			const response = await update({ end_call_tool: { description: 'x'.repeat(length) } });
			expect(response.status).toBe(status);
			if (status === 422) expectInvalidFields(response, 'end_call_tool.description');
		}
	});
});

describe('limits of a mid call tool', () => {
	const parameter = { name: 'city', type: 'string', description: 'The city' };
	const withParameter = (fields: JsonObject) => ({ schema: [{ ...parameter, ...fields }] });
	const table = [
		row('description of 255 characters', { description: 'd'.repeat(255) }),
		row('description of 256 characters', { description: 'd'.repeat(256) }, 'description'),
		row('timeout of 1 second', { timeout: 1 }),
		row('timeout of 30 seconds', { timeout: 30 }),
		row('timeout of 0 seconds', { timeout: 0 }, 'timeout'),
		row('timeout of 31 seconds', { timeout: 31 }, 'timeout'),
		row('timeout of 1.5 seconds', { timeout: 1.5 }, 'timeout'),
		row('parameter name of 2 characters', withParameter({ name: 'ci' })),
		row('parameter name of 32 characters', withParameter({ name: 'c'.repeat(32) })),
		row('parameter name of 1 character', withParameter({ name: 'c' }), 'schema.0.name'),
		row(
			'parameter name of 33 characters',
			withParameter({ name: 'c'.repeat(33) }),
			'schema.0.name',
		),
		row('parameter name with letters and underscores', withParameter({ name: 'City_Name' })),
		row(
			'parameter name starting with an underscore',
			withParameter({ name: '_city' }),
			'schema.0.name',
		),
		row('parameter name with a digit', withParameter({ name: 'city2' }), 'schema.0.name'),
		row('parameter description of 3 characters', withParameter({ description: 'abc' })),
		row('parameter description of 255 characters', withParameter({ description: 'd'.repeat(255) })),
		row(
			'parameter description of 2 characters',
			withParameter({ description: 'ab' }),
			'schema.0.description',
		),
		row(
			'parameter description of 256 characters',
			withParameter({ description: 'd'.repeat(256) }),
			'schema.0.description',
		),
		...['string', 'number', 'boolean'].map((type) =>
			row(`parameter type ${type}`, withParameter({ type })),
		),
		row(
			'parameter type bool (that one is for post-call fields)',
			withParameter({ type: 'bool' }),
			'schema.0.type',
		),
		row(
			'second parameter without a type',
			{ schema: [parameter, { name: 'day', description: 'The day' }] },
			'schema.1.type',
		),
		row('header without a value', { headers: [{ name: 'X-Key' }] }, 'headers.0.value'),
		row('header without a name', { headers: [{ value: 'k' }] }, 'headers.0.name'),
		...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
			row(`method ${method}`, { method }),
		),
		row('method get', { method: 'get' }, 'method'),
	];

	it.each(table)('$what: refused field $refused', async ({ fields, refused }) => {
		const created = await service.alice.post('/user/tools', { ...newTool, ...fields });
		const updated = await service.alice.put('/user/tools/1', fields);
		if (refused === undefined) {
			expect([created.status, updated.status]).toEqual([201, 200]);
			expect(dataOf(created)).toMatchObject(fields);
			expect(dataOf(updated)).toMatchObject(fields);
		} else {
			for (const response of [created, updated]) expectInvalidFields(response, refused);
		}
	});

	it('timeout is 10 seconds by default', async () => {
		expect(dataOf(await service.alice.post('/user/tools', newTool)).timeout).toBe(10);
	});
});

describe('limits of post-call fields', () => {
	const field = { name: 'booked', type: 'bool', description: 'Whether a table was booked' };
	const table = [
		...['string', 'number', 'bool'].map((type) => row(`type ${type}`, { ...field, type })),
		row('type boolean (that one is for tool parameters)', { ...field, type: 'boolean' }, 'type'),
		row('name with digits and underscores', { ...field, name: '2nd_Choice' }),
		row('name with a dash', { ...field, name: 'second-choice' }, 'name'),
		row('name with a space', { ...field, name: 'second choice' }, 'name'),
		row('no name', { type: 'bool', description: 'd' }, 'name'),
		row('no type', { name: 'booked', description: 'd' }, 'type'),
		row('no description', { name: 'booked', type: 'bool' }, 'description'),
	];
	it.each(table)('$what: refused field $refused', async ({ fields, refused }) => {
		const body = { post_call_schema: [fields] };
		const created = await create(body);
		const updated = await update(body);
		if (refused === undefined) {
			expect([created.status, updated.status]).toEqual([201, 200]);
		} else {
			for (const response of [created, updated]) {
				expectInvalidFields(response, `post_call_schema.0.${refused}`);
			}
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
		if (status === 422) expectInvalidFields(response, 'body');
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
			expectInvalidFields(response, 'per_page');
		}
		for (const page of [0, -1, 'two', 1.5]) {
			const response = await service.alice.get(path, { page });
			expect({ page, status: response.status }).toEqual({ page, status: 422 });
			expectInvalidFields(response, 'page');
		}
	});
});
