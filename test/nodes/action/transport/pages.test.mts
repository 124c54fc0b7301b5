import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { callsOfThePast, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent } = await startTestEnvironment({ calls: callsOfThePast(250) });

const calls = (fields: INodeParameters): INodeParameters => ({
	resource: 'call',
	operation: 'getAll',
	...fields,
});
const ALL = calls({ returnAll: true });

const queries = async () => (await sent()).map(({ query }) => query);
const idsOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.id);
const newest = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const startServer = stubServersPerTest();

/** The page number in a request, counted from 1. */
const pageIn = (url: string) => Number(new URL(url, 'http://host').searchParams.get('page'));

/** Starts a service that responds to a list with an envelope for each page number. */
async function listing(envelope: (page: number) => IDataObject) {
	const server = await startServer(({ url }) => ({ body: envelope(pageIn(url)) }));
	return {
		server,
		n8n: n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'list-token' }),
	};
}

const rows = (from: number, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: from + index }));

describe('a list', () => {
	it('Return All reads every page of 100', async () => {
		const { output } = await n8n.runNode({ parameters: ALL });
		expect(idsOf(output[0])).toEqual(newest(250));
		expect(await queries()).toEqual([
			{ page: '1', per_page: '100' },
			{ page: '2', per_page: '100' },
			{ page: '3', per_page: '100' },
		]);
	});

	it.each([
		[30, 30, 1],
		[100, 100, 1],
		[101, 100, 2],
		[150, 100, 2],
	])(
		'with a limit of %i is read by %i records in %i requests',
		async (limit, perPage, requests) => {
			const { output } = await n8n.runNode({ parameters: calls({ returnAll: false, limit }) });
			expect(idsOf(output[0])).toEqual(newest(limit));
			expect(await queries()).toEqual(
				Array.from({ length: requests }, (_, index) => ({
					page: String(index + 1),
					per_page: String(perPage),
				})),
			);
		},
	);

	it('has 50 records if no limit is set', async () => {
		const { output } = await n8n.runNode({ parameters: calls({}) });
		expect(output[0]).toHaveLength(50);
	});

	it('keeps its filters on every page', async () => {
		const filters = { status: 'completed', dateFrom: '2026-02-10T23:59:59.000+14:00' };
		const { output } = await n8n.runNode({ parameters: calls({ returnAll: true, filters }) });
		expect(output[0]).toHaveLength(250);
		expect(await queries()).toEqual(
			['1', '2', '3'].map((page) => ({
				page,
				per_page: '100',
				status: 'completed',
				date_from: '2026-02-10',
			})),
		);
	});

	it('without records outputs nothing', async () => {
		const filters = { status: 'busy' };
		const { output, error } = await n8n.runNode({
			parameters: calls({ returnAll: true, filters }),
		});
		expect(error).toBeUndefined();
		expect(output[0]).toEqual([]);
		expect(await queries()).toHaveLength(1);
	});

	it('never follows a URL of the response', async () => {
		const other = await startServer(() => ({ body: {} }));
		const { server, n8n } = await listing((page) => ({
			data: rows(page * 100, 100),
			current_page: page,
			last_page: 2,
			next_page_url: page === 1 ? `${other.origin}/api/user/calls?page=2` : null,
		}));
		const { output } = await n8n.runNode({ parameters: ALL });
		expect(output[0]).toHaveLength(200);
		expect(server.requests.map(({ url }) => url)).toEqual([
			'/api/user/calls?page=1&per_page=100',
			'/api/user/calls?page=2&per_page=100',
		]);
		expect(other.requests).toEqual([]);
	});
});

describe('pages that change while they are read', () => {
	it('give each record once when new ones push old ones onto the next page', async () => {
		// Ten new calls arrive between two requests.
		const { n8n } = await listing((page) => ({
			data: rows(1 + (page - 1) * 90, 100),
			current_page: page,
			last_page: 3,
		}));
		const { output } = await n8n.runNode({ parameters: ALL });
		expect(idsOf(output[0])).toEqual(rows(1, 280).map(({ id }) => id));
	});

	it('end when the last page is empty because records were deleted', async () => {
		const { n8n, server } = await listing((page) => ({
			data: page === 1 ? rows(1, 100) : [],
			current_page: page,
			last_page: 3,
		}));
		const { output, error } = await n8n.runNode({ parameters: ALL });
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(100);
		expect(server.requests).toHaveLength(2);
	});

	it.each<[string, (page: number) => IDataObject]>([
		['by its rows', () => ({ data: rows(1, 100), last_page: 5 })],
		['by its number', (page) => ({ data: rows(page * 100, 100), current_page: 1, last_page: 5 })],
	])('end with an error if the service repeats a page, as seen %s', async (_how, envelope) => {
		const { n8n, server } = await listing(envelope);
		const { error } = await n8n.runNode({ parameters: ALL });
		expect(error).toMatchObject({
			message: 'The list cannot be read: the service sent another page when asked for page 2',
			description: 'Try again later. If it fails again, ask your provider.',
		});
		expect(server.requests).toHaveLength(2);
	});

	it('are read to the end if the service sends only the total, and pages are smaller than requested', async () => {
		const { n8n, server } = await listing((page) => ({
			data: rows(1 + (page - 1) * 40, page === 4 ? 10 : 40),
			total: 130,
		}));
		const { output, error } = await n8n.runNode({ parameters: ALL });
		expect(error).toBeUndefined();
		expect(idsOf(output[0])).toEqual(newest(130));
		expect(server.requests).toHaveLength(4);
	});

	it.each([{}, { data: null }, { data: { id: 1 } }, { data: 'none', current_page: 1 }])(
		'end with an error if the response %j is not a list',
		async (envelope) => {
			const { n8n } = await listing(() => envelope);
			const { error } = await n8n.runNode({ parameters: ALL });
			expect(error?.message).toBe('The list cannot be read: the answer has no records');
		},
	);
});

describe('more than 100,000 records', () => {
	const endless = (page: number) => ({
		data: rows(1 + (page - 1) * 2000, 2000),
		current_page: page,
		last_page: 1_000,
	});

	it('end with an error that says how to get fewer', async () => {
		const { n8n, server } = await listing(endless);
		const { error } = await n8n.runNode({ parameters: ALL });
		expect(error).toMatchObject({
			message: 'The list has more than 100,000 records, too many to read at once',
			description: 'Narrow the list with filters, such as a range of dates, or set a limit.',
		});
		expect(server.requests).toHaveLength(51);
	});

	it('end with the same error if the service repeats its pages without end', async () => {
		const { n8n } = await listing((page) => ({
			data: rows(page % 2 ? 1 : 5001, 5000),
			current_page: page,
			last_page: 1_000_000,
		}));
		const { error } = await n8n.runNode({ parameters: ALL });
		expect(error?.message).toMatch(/^The list has more than 100,000 records/);
	});

	it('are an error, but exactly 100,000 records are read', async () => {
		const { n8n } = await listing((page) => ({ ...endless(page), last_page: 50 }));
		const { output } = await n8n.runNode({ parameters: ALL });
		expect(output[0]).toHaveLength(100_000);
	});

	it('are an error with a limit, too', async () => {
		const { n8n } = await listing(endless);
		const { error } = await n8n.runNode({
			parameters: calls({ returnAll: false, limit: 150_000 }),
		});
		expect(error?.message).toMatch(/^The list has more than 100,000 records/);
	});
});

describe('several input items', () => {
	it('are each paired with their own records, however many', async () => {
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
			[1, { item: 0 }],
			[2, { item: 0 }],
			[3, { item: 0 }],
			[1, { item: 2 }],
			[2, { item: 2 }],
		]);
	});

	it('keep what went through when one of them fails', async () => {
		const { output } = await n8n.runNode({
			parameters: calls({ returnAll: true, filters: { assistantId: '={{ $json.assistant }}' } }),
			items: [{ assistant: '../1' }, { assistant: 1 }],
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0]).toHaveLength(250);
		expect(new Set(output[0].map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(
			new Set(['{"item":1}']),
		);
		expect(output[1]).toEqual([
			{
				json: expect.objectContaining({ assistant: '../1', error: expect.any(Object) }),
				pairedItem: { item: 0 },
			},
		]);
	});
});
