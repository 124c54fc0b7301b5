import { describe, expect, it } from '@jest/globals';
import { assistantRecord } from './support/calls.mts';
import { getData, getId } from './support/client.mts';
import { expectInvalidFields, expectResponse } from './support/responses.mts';
import { startTestService } from './support/testService.mts';
import { newAssistant, newTool, schemaField } from './support/seed.mts';

const service = await startTestService();

const create = (fields: object = {}) =>
	service.alice.post('/user/tools', { ...newTool, ...fields });
const update = (fields: object, id = 1) => service.alice.put(`/user/tools/${id}`, fields);

const headers = [
	{ name: 'X-Api-Key', value: 'k' },
	{ name: 'Accept', value: '' },
];
const CITY = schemaField('city', 'string', 'The city');
const schema = [CITY, schemaField('days', 'number', 'How many days')];
const TIME = '2026-03-02T09:00:00.000000Z';

it('a tool is answered as a whole, defaults filled in', async () => {
	expectResponse(await create(), 201, {
		message: 'Tool created successfully',
		data: {
			...newTool,
			id: expect.any(Number),
			timeout: 10,
			headers: [],
			schema: [],
			created_at: TIME,
			updated_at: TIME,
		},
	});
});

it('the endpoint is a web address, with nothing in it that an address cannot have', async () => {
	const endpoint = 'HTTPS://Example.com/hook';
	for (const send of [create, update]) {
		for (const wrong of ['http://a.com/%zz', 'http://a.com/ä', 'http://a.com/"']) {
			expectInvalidFields(await send({ endpoint: wrong }), 'endpoint');
		}
		expect(getData(await send({ endpoint }))).toMatchObject({ endpoint });
	}
});

describe('the tool quota', () => {
	it('is used up by created tools only; then the sentence has its number, after wrong fields', async () => {
		for (let attempt = 0; attempt < 6; attempt += 1) {
			expect((await create({ timeout: 99 })).status).toBe(422);
			expect((await update({ timeout: 5 })).status).toBe(200);
		}
		const ids: number[] = [];
		for (let free = 0; free < 3; free += 1) ids.push(getId(await create()));
		for (let attempt = 0; attempt < 2; attempt += 1) {
			expectResponse(await create(), 422, {
				message:
					'You have reached your plan limit of 5 mid call tools. Please upgrade your plan to create more tools.',
			});
		}
		expect((await update({}, Math.max(...ids) + 1)).status).toBe(404);
		expectInvalidFields(await create({ method: 'FETCH' }), 'method');
	});

	it('belongs to the user, who may have tools of the same names', async () => {
		expect((await service.bob.post('/user/tools', newTool)).status).toBe(201);
		expectResponse(await service.bob.post('/user/tools', newTool), 422, {
			message: expect.stringMatching(/\b2\b/),
		});
		expect((await create()).status).toBe(201);
	});
});

describe('update a tool', () => {
	it('changes only the given fields, and updated_at', async () => {
		const id = getId(await create({ headers, schema }));
		await service.control.advance('PT1M');
		const changes = { description: 'New words', method: 'POST' };
		expectResponse(await update(changes, id), 200, {
			message: 'Tool updated successfully',
			data: {
				...newTool,
				...changes,
				id,
				timeout: 10,
				headers,
				schema,
				created_at: TIME,
				updated_at: '2026-03-02T09:01:00.000000Z',
			},
		});
	});

	it('replaces all headers and the whole schema when they are given', async () => {
		const id = getId(await create({ headers, schema }));
		const one = { headers: [{ name: 'X-Other', value: 'o' }] };
		const other = { schema: [{ ...CITY, type: 'boolean' }] };
		const none = { headers: [], schema: [] };
		expect(getData(await update(one, id))).toMatchObject({ ...one, schema });
		expect(getData(await update(other, id))).toMatchObject({ ...one, ...other });
		expect(getData(await update(none, id))).toMatchObject(none);
	});

	it('changes nothing when one field is refused', async () => {
		await update({ name: 'renamed', timeout: 99 });
		expect(getData(await update({}))).toMatchObject({ name: 'get_weather', timeout: 10 });
	});
});

describe('tools of an assistant', () => {
	it('are attached by tool_ids on create, in their order, as whole records', async () => {
		await update({ timeout: 3 });
		const newOne = { ...newAssistant, tool_ids: [2, 1] };
		const id = getId(await service.alice.post('/user/assistant', newOne));
		const { tools } = await assistantRecord(service.alice, id);
		expect(tools).toEqual([
			expect.objectContaining({ id: 2, name: 'book_table', method: 'POST', timeout: 10 }),
			expect.objectContaining({ id: 1, name: 'get_weather', method: 'GET', timeout: 3 }),
		]);
	});

	it('are replaced on update; an empty array removes all; other updates leave them', async () => {
		for (const [fields, ids] of [
			[{}, [1]],
			[{ tool_ids: [2] }, [2]],
			[{ assistant_name: 'Renamed' }, [2]],
			[{ tool_ids: [] }, []],
		] as const) {
			await service.alice.put('/user/assistant/1', fields);
			const { tools } = await assistantRecord(service.alice, 1);
			expect(tools).toMatchObject(ids.map((id) => ({ id })));
		}
	});
});
