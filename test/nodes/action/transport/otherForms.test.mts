import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION_AS_TOOL } from '../../../support/n8n/n8n.mts';
import { byId, leadPerItem, operationNamed, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { n8nAt, pageIn } from '../../../support/n8n/stubService.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { watchWarnings } from '../../../support/n8n/watchWarnings.mts';

/** Forms of responses that no preset of the sandbox has. */
const startServer = stubServersPerTest();
afterEach(() => {
	jest.restoreAllMocks();
	useRealTime();
});

const ALL: INodeParameters = { resource: 'call', operation: 'getAll', returnAll: true };

const rows = (from: number, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));

const getIds = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.id);
const idsUpTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

const perPageIn = (url: string) => Number(new URL(url, 'http://host').searchParams.get('per_page'));

/** Reads all records of a service. */
async function readAll(respond: (page: number, perPage: number) => StubResponse, parameters = ALL) {
	const { origin, requests } = await startServer(({ url }) => respond(pageIn(url), perPageIn(url)));
	const outcome = await n8nAt({ origin }).runNode({ parameters });
	const asked = requests.map(({ url }) => [pageIn(url), perPageIn(url)]);
	return { ...outcome, asked };
}

/** A list of 120 records in pages of some size at most. */
const pageOf = (page: number, size: number): StubResponse => ({
	body: {
		current_page: page,
		data: rows((page - 1) * size + 1, Math.max(0, Math.min(size, 120 - (page - 1) * size))),
		per_page: size,
		last_page: Math.ceil(120 / size),
		total: 120,
	},
});

describe('a service that refuses so many records in a page', () => {
	const refusal = (text: string): StubResponse => ({
		status: 422,
		body: { message: 'Validation failed', errors: { per_page: [text] } },
	});

	it.each([
		[
			'The per page field must be between 1 and 40.',
			40,
			[
				[1, 100],
				[1, 40],
				[2, 40],
				[3, 40],
			],
		],
		[
			'Too many.',
			25,
			[
				[1, 100],
				[1, 50],
				[1, 25],
				[2, 25],
				[3, 25],
				[4, 25],
				[5, 25],
			],
		],
	])('is asked for fewer: %s', async (text, most, asked) => {
		const result = await readAll((page, perPage) =>
			perPage > most ? refusal(text) : pageOf(page, perPage),
		);
		expect(result.error).toBeUndefined();
		expect(getIds(result.output[0])).toEqual(idsUpTo(120));
		expect(result.asked).toEqual(asked);
	});

	it('is asked for fewer when only its message names the size', async () => {
		const result = await readAll((page, perPage) =>
			perPage > 60
				? { status: 400, body: { message: 'per_page must not be greater than 60' } }
				: pageOf(page, perPage),
		);
		expect(result.error).toBeUndefined();
		expect(getIds(result.output[0])).toEqual(idsUpTo(120));
	});

	it('is not asked again if it refuses every number', async () => {
		const { error, asked } = await readAll(() => refusal('No pages today.'));
		expect(error?.message).toContain('No pages today.');
		expect(asked.map(([, perPage]) => perPage)).toEqual([100, 50, 25, 10]);
	});

	it('is asked for fewer by the search for one record too', async () => {
		const parameters = { resource: 'call', operation: 'get', callId: byId(110) };
		const respond = (page: number, perPage: number) =>
			perPage > 60 ? refusal('At most 60.') : pageOf(page, perPage);
		const { output, asked } = await readAll(respond, parameters);
		expect(getIds(output[0])).toEqual([110]);
		expect(asked).toEqual([
			[1, 100],
			[1, 60],
			[2, 60],
		]);
	});
});

describe('a service that ignores the number of the page', () => {
	it.each<IDataObject>([
		{ has_more: true },
		{ next_cursor: 'abc' },
		{ pagination: { hasNextPage: true } },
		{ meta: { next_page_token: 7 } },
	])('fails when it says that there is more: %j', async (fields) => {
		const { error } = await readAll(() => ({ body: { data: rows(1, 50), ...fields } }));
		expect(error?.message).toContain('another page when asked for page 2');
		expect(error?.description).toContain('ask your provider whether its lists have pages');
	});

	it.each<[string, number, IDataObject]>([
		['as many records as it was asked for', 100, {}],
		['a page that it calls full', 50, { per_page: 50 }],
		['the first page by its number', 50, { per_page: 50, current_page: 1 }],
	])('is told to have perhaps more behind %s', async (_what, count, fields) => {
		const warnings = watchWarnings();
		const { output, error } = await readAll(() => ({ body: { data: rows(1, count), ...fields } }));
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(count);
		expect(warnings.join()).toContain('The list may be longer');
	});

	it.each<[number, IDataObject]>([
		[50, {}],
		[50, { has_more: false }],
		[100, { next_cursor: null }],
		[100, { has_more: 'false' }],
		[100, { has_more: 'N' }],
	])('has its whole list in %i records with %j', async (count, fields) => {
		const warnings = watchWarnings();
		const { output, error } = await readAll(() => ({ body: { data: rows(1, count), ...fields } }));
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(count);
		expect(warnings.join()).not.toContain('longer');
	});

	it('has no call that is missing, when it says that there is more', async () => {
		const parameters = { resource: 'call', operation: 'get', callId: byId(110) };
		const respond = () => ({ body: { data: rows(1, 50), has_more: true } });
		const { error } = await readAll(respond, parameters);
		expect(error?.message).toContain('another page when asked for page 2');
	});
});

it('pages that say that there is more are read on by their number', async () => {
	const respond = (page: number) => ({
		body: { data: rows(page * 10, page === 2 ? 5 : 10), has_more: page < 3 },
	});
	const { output } = await readAll(respond);
	expect(output[0]).toHaveLength(25);
});

describe('a service that has no page behind the last', () => {
	const notFound: StubResponse = { status: 404, body: { message: 'Page not found' } };

	it('gives all records of a list that becomes shorter while it is read', async () => {
		let reads = 0;
		const { output, error, asked } = await readAll((page) => {
			const total = ++reads === 1 ? 205 : 200;
			if (page > Math.ceil(total / 100)) return notFound;
			const data = rows((page - 1) * 100 + 1, 100);
			return { body: { current_page: page, data, last_page: Math.ceil(total / 100), total } };
		});
		expect(error).toBeUndefined();
		expect(getIds(output[0])).toEqual(idsUpTo(200));
		// Page 2 shows a shorter list than page 1, so it is read again. The other time it stands in for page 3.
		expect(asked.map(([page]) => page).sort()).toEqual([1, 2, 2, 2, 3]);
	});

	it('gives all records of a full page that does not tell the end', async () => {
		const { output, error } = await readAll((page) =>
			page === 1 ? { body: { data: rows(1, 100) } } : notFound,
		);
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(100);
	});

	it('loses nothing silently: a page that must be there is missed', async () => {
		const { error } = await readAll((page) => {
			if (page === 2) return notFound;
			return { body: { current_page: page, data: rows(page * 100, 100), last_page: 3 } };
		});
		expect(error?.message).toContain('Page not found');
	});
});

it('records whose IDs are numbers and texts by turns are one record', async () => {
	const { output } = await readAll((page) => ({
		body: {
			current_page: page,
			data: page === 1 ? [{ id: 1 }, { id: '2' }] : [{ id: '1' }, { id: 3 }],
			last_page: 2,
		},
	}));
	expect(getIds(output[0])).toEqual([1, 2, 3]);
});

it('records without an ID are all there', async () => {
	const { output } = await readAll(() => ({
		body: { data: [{ status: 'busy' }, { status: 'busy' }] },
	}));
	expect(output[0]).toHaveLength(2);
});

it('what many records lack is named in one warning of the run', async () => {
	const lines = watchWarnings();
	const { origin } = await startServer(() => ({
		body: { message: 'Lead created successfully', data: { id: 7, phone_number: '+4915112346000' } },
	}));
	const { output } = await n8nAt({ origin }).runNode({ parameters: leadPerItem, items: people(5) });
	expect(output[0]).toHaveLength(5);
	expect(output[0][0]?.json).toEqual({
		result: 'created',
		id: 7,
		phone_number: '+4915112346000',
		campaign_id: null,
		variables: {},
		status: '',
		created_at: '',
		updated_at: '',
		campaign: {},
		secondary_contacts: [],
	});
	expect(lines).toEqual([
		'The service left out fields that its description promises, so they are empty in the items: campaign_id, variables, status, created_at, updated_at, campaign, secondary_contacts. Ask your provider about them.',
	]);
});

it('a 429 that names no wait is outlasted', async () => {
	skipWaits();
	const startedAt = Date.now();
	const server = await startServer(() =>
		Date.now() - startedAt < 30_000
			? { status: 429, body: { message: 'Too Many Attempts.' } }
			: { body: { message: 'Lead created successfully', data: { id: 7 } } },
	);
	const { error } = await n8nAt(server).runNode({ parameters: leadPerItem, items: people(1) });
	expect(error).toBeUndefined();
	// After 1, 2, 4, 8 and 16 seconds.
	expect(server.requests).toHaveLength(6);
});

describe('turns of a transcript', () => {
	const turns = [{ sender: 'bot', text: 'Hello.' }];
	const call = { id: 5, status: 'completed', transcript: turns };
	const page = () => ({ body: { data: [call], total: 1 } });

	it.each([{}, { simplify: false }])('are there beside the text: %j', async (fields) => {
		const { output } = await readAll(page, { ...ALL, ...fields });
		const [item] = output[0];
		expect(item?.json).toMatchObject({
			transcript: 'Assistant: Hello.',
			transcript_entries: turns,
		});
	});

	it('are too long for an agent that does not select them', async () => {
		const { origin } = await startServer(page);
		const { output } = await n8nAt({ origin }).runNode({ parameters: ALL, type: ACTION_AS_TOOL });
		expect(output[0][0]?.json).not.toHaveProperty('transcript_entries');
	});
});

describe('a list', () => {
	it.each<[string, unknown]>([
		['without an envelope', [{ id: 1 }, { id: 2 }]],
		['whose keys are numbers', { data: { 5: { id: 1 }, 9: { id: 2 } }, total: 2 }],
		['as JSON in JSON', JSON.stringify({ data: [{ id: 1 }, { id: 2 }], total: 2 })],
		['in data twice', { data: { data: [{ id: 1 }, { id: 2 }], total: 2 } }],
	])('is read %s', async (_how, body) => {
		const { output, error } = await readAll(() => ({ body }));
		expect(error).toBeUndefined();
		expect(getIds(output[0])).toEqual([1, 2]);
	});

	it.each<unknown>([{ data: {} }, { data: null, total: 0 }, []])('is empty: %j', async (body) => {
		const { output, error } = await readAll(() => ({ body }));
		expect([error, output[0]]).toEqual([undefined, []]);
	});

	it.each<unknown>([
		{ calls: [{ id: 1 }] },
		{ data: 'none' },
		{ data: [[1, 'completed']], total: 1 },
		{ message: 'Done' },
	])('is none in %j, and a picker says so too', async (body) => {
		const { error } = await readAll(() => ({ body }));
		expect(error?.message).toContain('The list cannot be read');
		const { origin } = await startServer(() => ({ body }));
		for (const picker of ['searchAssistants', 'searchCalls', 'searchTools'] as const) {
			await expect(n8nAt({ origin }).listSearch(picker)).rejects.toThrow('The list cannot be read');
		}
	});

	it('has all records whose ID is null', async () => {
		const warnings = watchWarnings();
		const records = [1, 2, 3].map((duration) => ({ id: null, duration }));
		const { output } = await readAll(() => ({ body: { data: records, total: 3 } }));
		expect(output[0].map(({ json }) => json.duration)).toEqual([1, 2, 3]);
		expect(warnings.join()).toMatch(/empty in the items: id,/);
	});

	it('has only assistants that are not deleted', async () => {
		const data = ['2026-01-01 10:00:00', '', null, 'N/A'].map((deleted_at, index) => ({
			id: index + 1,
			name: `Assistant ${index + 1}`,
			deleted_at,
		}));
		const { origin } = await startServer(() => ({ body: { data, total: 4 } }));
		const parameters = { resource: 'assistant', operation: 'getAll', returnAll: true };
		const { output } = await n8nAt({ origin }).runNode({ parameters });
		expect(getIds(output[0])).toEqual([2, 3, 4]);
		const { results } = await n8nAt({ origin }).listSearch('searchAssistants');
		expect(results.map(({ value }) => value)).toEqual(['2', '3', '4']);
	});
});

it.each([202, 204])('a change that is answered with %i and no content succeeds', async (status) => {
	const { origin, requests } = await startServer(() => ({ status, text: '' }));
	for (const name of ['lead: update', 'campaign: start', 'sms: send', 'assistant: update']) {
		const { parameters } = operationNamed(name);
		const { output, error } = await n8nAt({ origin }).runNode({ parameters });
		expect(error).toBeUndefined();
		expect(output[0]).toMatchObject([{ json: { success: true } }]);
	}
	expect(requests).toHaveLength(4);
});

it('an item has what came beside a missing record', async () => {
	const body = { status: 'success', message: 'Lead created successfully', lead_id: 7 };
	const { origin } = await startServer(() => ({ body }));
	const { output } = await n8nAt({ origin }).runNode({ parameters: leadPerItem, items: people(1) });
	expect(output[0][0]?.json).toEqual({ result: 'created', ...body });
});

it('null in a number stays null, because 0 is an answer', async () => {
	const { output } = await readAll(() => ({
		body: { data: [{ id: 1, duration: null }], total: 1 },
	}));
	expect(output[0][0]?.json).toMatchObject({ id: 1, duration: null });
});
