import { describe, expect, it } from '@jest/globals';
import { assistantRecord } from '../support/sandbox/calls.mts';
import { dataOf, idOf } from '../support/sandbox/client.mts';
import { objectsOf } from '../support/sandbox/contract.mts';
import { expectInvalid, expectResponse } from '../support/sandbox/responses.mts';
import { startTestService } from '../support/sandbox/testService.mts';
import { newAssistant, newTool } from '../support/sandbox/seed.mts';

const service = await startTestService();

const headers = [
	{ name: 'X-Api-Key', value: 'k' },
	{ name: 'Accept', value: '' },
];
const schema = [
	{ name: 'city', type: 'string', description: 'The city' },
	{ name: 'days', type: 'number', description: 'How many days ahead' },
];
const TIME = '2026-03-02T09:00:00.000000Z';

describe('create a tool', () => {
	it('answers with the whole tool, defaults filled in', async () => {
		const response = await service.alice.post('/user/tools', newTool);
		expectResponse(response, 201, {
			message: 'Tool created successfully',
			data: {
				id: expect.any(Number),
				name: 'get_weather',
				description: 'Use it when the caller asks for the weather.',
				endpoint: 'https://tools.example.com/weather',
				method: 'GET',
				timeout: 10,
				headers: [],
				schema: [],
				created_at: TIME,
				updated_at: TIME,
			},
		});
	});

	it('keeps headers and schema in their order', async () => {
		const data = dataOf(
			await service.alice.post('/user/tools', { ...newTool, headers, schema, timeout: 30 }),
		);
		expect(data).toMatchObject({ headers, schema, timeout: 30 });
	});

	it.each(Object.keys(newTool))('needs %s', async (field) => {
		const body = Object.fromEntries(Object.entries(newTool).filter(([name]) => name !== field));
		const response = await service.alice.post('/user/tools', body);
		expectInvalid(response, { [field]: [`The ${field} field is required.`] });
	});

	it('refuses fields it does not know, each by name', async () => {
		const response = await service.alice.post('/user/tools', {
			...newTool,
			colour: 'blue',
			headers: [{ name: 'A', value: 'b', secret: true }],
			id: 77,
		});
		expectInvalid(response, {
			colour: [expect.any(String)],
			id: [expect.any(String)],
			'headers.0.secret': [expect.any(String)],
		});
	});
});

describe('the tool quota', () => {
	it('is not used up by refused requests, nor by updates', async () => {
		for (let attempt = 0; attempt < 6; attempt += 1) {
			expect((await service.alice.post('/user/tools', { ...newTool, timeout: 99 })).status).toBe(
				422,
			);
			expect((await service.alice.put('/user/tools/1', { timeout: 5 })).status).toBe(200);
		}
		for (let free = 0; free < 3; free += 1) {
			expect((await service.alice.post('/user/tools', newTool)).status).toBe(201);
		}
	});

	it('when reached: the sentence with the number, no errors, and nothing is created', async () => {
		const ids: number[] = [];
		for (let free = 0; free < 3; free += 1)
			ids.push(idOf(await service.alice.post('/user/tools', newTool)));
		for (let attempt = 0; attempt < 2; attempt += 1) {
			const response = await service.alice.post('/user/tools', newTool);
			expectResponse(response, 422, {
				message: 'Your plan allows 5 mid call tools. Please upgrade your plan to create more.',
			});
		}
		expect((await service.alice.put(`/user/tools/${Math.max(...ids) + 1}`, {})).status).toBe(404);
	});

	it('reports wrong fields before the quota', async () => {
		for (let free = 0; free < 3; free += 1) await service.alice.post('/user/tools', newTool);
		const response = await service.alice.post('/user/tools', { ...newTool, method: 'FETCH' });
		expect(response.body).toMatchObject({ errors: { method: [expect.any(String)] } });
	});
});

describe('update a tool', () => {
	it('changes only the given fields, and updated_at', async () => {
		const id = idOf(await service.alice.post('/user/tools', { ...newTool, headers, schema }));
		await service.control.advance('PT1M');
		const response = await service.alice.put(`/user/tools/${id}`, {
			description: 'New words',
			method: 'POST',
		});
		expectResponse(response, 200, {
			message: 'Tool updated successfully',
			data: {
				...newTool,
				id,
				description: 'New words',
				method: 'POST',
				timeout: 10,
				headers,
				schema,
				created_at: TIME,
				updated_at: '2026-03-02T09:01:00.000000Z',
			},
		});
	});

	it('replaces all headers and the whole schema when they are given', async () => {
		const id = idOf(await service.alice.post('/user/tools', { ...newTool, headers, schema }));
		const one = [{ name: 'X-Other', value: 'o' }];
		expect(dataOf(await service.alice.put(`/user/tools/${id}`, { headers: one }))).toMatchObject({
			headers: one,
			schema,
		});
		const parameter = [{ name: 'when', type: 'boolean', description: 'Whether now' }];
		expect(
			dataOf(await service.alice.put(`/user/tools/${id}`, { schema: parameter })),
		).toMatchObject({ headers: one, schema: parameter });
		expect(
			dataOf(await service.alice.put(`/user/tools/${id}`, { headers: [], schema: [] })),
		).toMatchObject({ headers: [], schema: [] });
	});

	it('changes nothing when one field is refused', async () => {
		await service.alice.put('/user/tools/1', { name: 'renamed', timeout: 99 });
		expect(dataOf(await service.alice.put('/user/tools/1', {}))).toMatchObject({
			name: 'get_weather',
			timeout: 10,
		});
	});

	it.each(['0', '-1', '1.0', 'abc', '1e0'])('answers id %s as not found', async (id) => {
		const response = await service.alice.put(`/user/tools/${id}`, {});
		expectResponse(response, 404, { message: 'Tool not found' });
	});
});

describe('tools of an assistant', () => {
	const attached = async (id: number) =>
		objectsOf((await assistantRecord(service.alice, id)).tools).map((tool) => tool.id);

	it('are attached by tool_ids on create, in their order, as whole records', async () => {
		const id = idOf(
			await service.alice.post('/user/assistant', { ...newAssistant, tool_ids: [2, 1] }),
		);
		const { tools } = await assistantRecord(service.alice, id);
		expect(tools).toEqual([
			expect.objectContaining({ id: 2, name: 'book_table', method: 'POST', timeout: 10 }),
			expect.objectContaining({ id: 1, name: 'get_weather', method: 'GET', timeout: 10 }),
		]);
	});

	it('are replaced on update; an empty array removes all; other updates leave them', async () => {
		expect(await attached(1)).toEqual([1]);
		await service.alice.put('/user/assistant/1', { tool_ids: [2] });
		expect(await attached(1)).toEqual([2]);
		await service.alice.put('/user/assistant/1', { assistant_name: 'Renamed' });
		expect(await attached(1)).toEqual([2]);
		await service.alice.put('/user/assistant/1', { tool_ids: [] });
		expect(await attached(1)).toEqual([]);
	});

	it('show their newest state', async () => {
		await service.alice.put('/user/tools/1', { timeout: 3 });
		expect((await assistantRecord(service.alice, 1)).tools).toEqual([
			expect.objectContaining({ id: 1, timeout: 3 }),
		]);
	});

	it.each([999, 101])(
		'cannot be tool %d, which is not mine; the old ones stay',
		async (foreign) => {
			const tool_ids = [1, foreign];
			for (const response of [
				await service.alice.post('/user/assistant', { ...newAssistant, tool_ids }),
				await service.alice.put('/user/assistant/1', { tool_ids }),
			]) {
				expectInvalid(response, { 'tool_ids.1': [expect.any(String)] });
			}
			expect(await attached(1)).toEqual([1]);
		},
	);
});
