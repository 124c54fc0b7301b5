import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt, pageIn } from '../../../support/n8n/stubService.mts';
import { callsOfThePast, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent } = await startTestEnvironment({ calls: callsOfThePast(250) });
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
async function readAll(envelope: (page: number) => IDataObject, parameters = ALL) {
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

	it('that does not tell where it ends is read until a page is not full', async () => {
		const { output, requests } = await readAll((page) => ({
			data: rows(page * 100, page < 3 ? 100 : 50),
			pagination: { total_pages: 3 },
		}));
		expect(output[0]).toHaveLength(250);
		expect(requests).toHaveLength(3);
	});

	it.each([
		['nothing', () => ({})],
		['null', () => ({ total: null, last_page: null })],
		['words', () => ({ total: '60 calls', last_page: 'third' })],
	])(
		'with smaller pages than asked for is read to its end where that is told by %s',
		async (_, tell) => {
			const { output, requests } = await readAll((page) => ({
				data: rows(page * 25, page < 3 ? 25 : 10),
				...tell(),
			}));
			expect(output[0]).toHaveLength(60);
			expect(requests).toHaveLength(3);
		},
	);

	it.each([
		['another page', { body: { data: [], current_page: 1 } }],
		['a refusal', { status: 422, body: { message: 'No such page.' } }],
		['a refusal in its body', { body: { status: false, message: 'No such page.', data: [] } }],
	])('that tells no end is over where a page behind it gives %s', async (_, behind) => {
		const server = await startServer(({ url }) =>
			new URL(url, 'http://x').searchParams.get('page') === '1'
				? { body: { data: rows(1, 3), current_page: 1 } }
				: behind,
		);
		const parameters = { resource: 'call', operation: 'getAll', returnAll: true };
		const { output, error } = await n8nAt(server).runNode({ parameters });
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(3);
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
			data: rows(page * 100, 100),
			current_page: page,
			last_page: 2,
			next_page_url: page === 1 ? `${other.origin}/api/user/calls?page=2` : null,
		}));
		expect(output[0]).toHaveLength(200);
		expect(requests.map(({ url }) => url)).toEqual([
			'/api/user/calls?page=1&per_page=100',
			'/api/user/calls?page=2&per_page=100',
		]);
		expect(other.requests).toEqual([]);
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
