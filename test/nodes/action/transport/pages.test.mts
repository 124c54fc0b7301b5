import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt, pageIn, pageOf } from '../../../support/n8n/stubService.mts';
import { callsOfThePast, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent, service } = await startTestEnvironment({ calls: callsOfThePast(250) });
const startServer = stubServersPerTest();

const calls = (fields: INodeParameters): INodeParameters => ({
	resource: 'call',
	operation: 'getAll',
	...fields,
});
const ALL = calls({ returnAll: true });

const queries = async () => (await sent()).map(({ query }) => query);
const getIds = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.id);
const rows = (from: number, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: from + index }));

/** Reads all records of a service that responds with an envelope for each page number. */
async function readAll(envelope: (page: number) => IDataObject | IDataObject[], parameters = ALL) {
	const { origin, requests } = await startServer(({ url }) => ({ body: envelope(pageIn(url)) }));
	return { ...(await n8nAt({ origin }).runNode({ parameters })), requests };
}

describe('a list', () => {
	it.each<[string, INodeParameters, number, number, number]>([
		['Return All', { returnAll: true }, 250, 100, 3],
		['no limit', {}, 50, 50, 1],
		['a limit of 30', { limit: 30 }, 30, 30, 1],
		['a limit of 100', { limit: 100 }, 100, 100, 1],
		['a limit of 101', { limit: 101 }, 101, 100, 2],
		['a limit of 150', { limit: 150 }, 150, 100, 2],
	])('with %s is read %j: %i records, by %i in %i requests', async (...row) => {
		const [, fields, count, perPage, requests] = row;
		const { output } = await n8n.runNode({ parameters: calls({ returnAll: false, ...fields }) });
		expect(getIds(output[0])).toEqual(rows(1, count).map(({ id }) => id));
		expect(await queries()).toEqual(
			Array.from({ length: requests }, (_, index) => ({
				page: String(index + 1),
				per_page: String(perPage),
			})),
		);
	});

	it('that was asked for as a whole has pages of one length, the one that the service gives', async () => {
		const all = rows(1, 40);
		const { origin } = await startServer(({ url }) => {
			const size = Number(new URL(url, 'http://any').searchParams.get('per_page') ?? 15);
			const page = pageIn(url) || 1;
			const data = all.slice((page - 1) * size, page * size);
			return { body: { data, current_page: page, last_page: Math.ceil(40 / size), total: 40 } };
		});
		const campaigns = { resource: 'campaign', operation: 'getAll' };
		for (const fields of [{ returnAll: true }, { limit: 30 }]) {
			const parameters = { ...campaigns, ...fields };
			const { output, error } = await n8nAt({ origin }).runNode({ parameters });
			expect(error).toBeUndefined();
			const ids = getIds(output[0]);
			expect(ids).toEqual(rows(1, fields.limit ?? 40).map(({ id }) => id));
		}
	});

	it.each<[string, IDataObject, number]>([
		['in another field', { meta: { last_page: 3 } }, 10],
		['by a cursor', { next_cursor: 'abc' }, 10],
		['by nothing, and is as long as a page', {}, 100],
	])('that tells its last page %s cannot be read, and says which fields came', async (...row) => {
		const [, more, count] = row;
		const { output, error, requests } = await readAll((page) => ({
			data: rows(page, count),
			...more,
		}));
		expect(output[0]).toEqual([]);
		expect(error).toMatchObject({
			message: 'The list cannot be read: the answer does not say how many pages it has',
			description: `The fields of the answer: ${['data', ...Object.keys(more)].join(', ')}. Ask your provider.`,
		});
		expect(requests).toHaveLength(1);
	});

	it.each<[IDataObject | IDataObject[], string]>([
		[{ foo: 1 }, 'The fields of the answer: foo. Ask your provider.'],
		[{}, 'The fields of the answer: none. Ask your provider.'],
		[
			{ message: 'No credit.', data: null, last_page: 1 },
			'The fields of the answer: message, data, last_page. It says: No credit. Ask your provider.',
		],
		[{ data: { id: 1 } }, 'The fields of the answer: data. Ask your provider.'],
		[
			{ data: [5, { id: 1 }], last_page: 1 },
			'The fields of the answer: data, last_page. Ask your provider.',
		],
		[
			{ message: 'Unknown token a-token' },
			'The fields of the answer: message. It says: Unknown token *** Ask your provider.',
		],
		[{ calls: rows(1, 2), total: 2 }, 'The fields of the answer: calls, total. Ask your provider.'],
	])('that is none says which fields came: %j', async (body, description) => {
		const { error, requests } = await readAll(() => body);
		expect(error).toMatchObject({
			message: 'The list cannot be read: the answer has no list of records',
			description,
		});
		expect(requests).toHaveLength(1);
	});

	it.each<[string, IDataObject | IDataObject[]]>([
		['bare', rows(1, 150)],
		['alone in data', { data: rows(1, 150) }],
		['under the name of its kind', { leads: rows(1, 150) }],
		['as an object with numbers for names', { data: { 0: { id: 1 }, 1: { id: 2 } } }],
	])('that comes %s is whole', async (_, body) => {
		const { output, requests } = await readAll(() => body);
		expect(getIds(output[0])).toEqual(rows(1, output[0].length).map(({ id }) => id));
		expect(output[0].length).toBeGreaterThan(1);
		expect(requests).toHaveLength(1);
	});

	it.each<IDataObject>([
		{ assistantId: byId(7) },
		{ phoneNumber: '12345' },
		{ phoneNumber: '+49151' },
		{ status: 'completed', type: 'outbound', dateFrom: '2026-03-01', dateTo: '2026-03-02' },
	])('has each call that the service finds by %j', async (filters) => {
		const data = [
			{ id: 1, assistant_name: 'Sales', client_phone_number: '+4915112345678', status: 'busy' },
			{ id: 2, assistant_name: 'Sales old', type: 'web', created_at: '2026-01-01 09:00:00' },
			{ id: 3 },
		];
		const parameters = calls({ returnAll: true, filters } as INodeParameters);
		const { output, requests } = await readAll(() => pageOf(data), parameters);
		expect(getIds(output[0])).toEqual([1, 2, 3]);
		expect(requests).toHaveLength(1);
	});

	it('of assistants that is missing says where its path is entered', async () => {
		const { origin } = await startServer(() => ({ status: 404, body: { message: 'Not found.' } }));
		const parameters = { resource: 'assistant', operation: 'getAll', returnAll: true };
		const { error } = await n8nAt({ origin }).runNode({ parameters });
		expect(error).toMatchObject({
			message: 'Not found.',
			description: expect.stringMatching(/^Check the Base URL .+ under Use Other List Paths\.$/),
		});
	});

	it('never follows a URL of the response', async () => {
		const other = await startServer(() => ({ body: {} }));
		const { output, requests } = await readAll((page) => ({
			...pageOf(rows(page * 100, 100), { current_page: page, last_page: 2 }),
			next_page_url: page === 1 ? `${other.origin}/api/user/calls?page=2` : null,
		}));
		expect(output[0]).toHaveLength(200);
		expect(requests.map(({ url }) => url)).toEqual([
			'/api/user/calls?page=1&per_page=100',
			'/api/user/calls?page=2&per_page=100',
		]);
		expect(other.requests).toEqual([]);
	});

	it('has the record that has moved to a page before, because one was taken away', async () => {
		let all = rows(1, 250);
		const { output } = await readAll((page) => {
			const total = all.length;
			const data = all.slice((page - 1) * 100, page * 100);
			if (page === 1) all = all.filter(({ id }) => id !== 5);
			return { data, current_page: page, last_page: Math.ceil(total / 100), total };
		});
		expect(getIds(output[0])).toHaveLength(250);
		expect(getIds(output[0])).toContain(101);
	});

	it('ends when the last page is empty because records were deleted', async () => {
		const { output, error, requests } = await readAll((page) => ({
			data: page === 1 ? rows(1, 100) : [],
			current_page: page,
			last_page: 3,
		}));
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(100);
		expect(requests).toHaveLength(2);
	});
});

it('the calls of an assistant are the same after another one has taken its name', async () => {
	const parameters = calls({ returnAll: true, filters: { assistantId: byId(1) } });
	const found = async () => getIds((await n8n.runNode({ parameters })).output[0]);
	const before = await found();
	expect(before).toHaveLength(250);
	await service.alice.put('/user/assistant/1', { assistant_name: 'Caller (old)' });
	await service.alice.put('/user/assistant/2', { assistant_name: 'Caller' });
	expect(await found()).toEqual(before);
});

it('several input items are each paired with their own records, however many', async () => {
	const { output } = await n8n.runNode({
		parameters: calls({
			returnAll: false,
			limit: '={{ $json.limit }}',
			filters: { status: '={{ $json.status }}' },
		}),
		items: [
			{ limit: 3, status: 'completed' },
			{ limit: 5, status: 'busy' },
			{ limit: 2, status: 'completed' },
		],
	});
	expect(output[0].map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
		...[1, 2, 3].map((id) => [id, { item: 0 }]),
		...[1, 2].map((id) => [id, { item: 2 }]),
	]);
});
