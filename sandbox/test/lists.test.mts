import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getCalls } from './support/calls.mts';
import { sendRequest, getRows, type ServiceResponse } from './support/client.mts';
import { asObject, getObjects, type JsonObject } from './support/contract.mts';
import { expectInvalid } from './support/responses.mts';
import { startTestService } from './support/testService.mts';
import { ALICE, BOB, newAssistant } from './support/seed.mts';
import { sampledRuns } from '../../test/support/sample.mts';

const UNFINISHED = ['initiated', 'ringing', 'in-progress'];
const FINAL = [
	...['busy', 'no-answer', 'failed', 'ended', 'completed'],
	...['ended_by_customer', 'ended_by_assistant'],
];
const TYPES = ['inbound', 'outbound', 'web'] as const;
const PHONES = ['+4915112345611', '+4915112345612', '+14155552671'] as const;
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-02-28'] as const;
const TIMES = ['00:00:00', '12:30:00', '23:59:59'] as const;

const pick = <T,>(values: readonly T[], index: number): T => {
	const [value] = values.slice(index % values.length);
	return value as T;
};

// 40 finished calls that combine the values of all filters.
const calls = Array.from({ length: 40 }, (_, index) => ({
	id: index + 1,
	assistant_id: (index % 3) + 1,
	campaign_id: pick([1, 2, undefined], Math.floor(index / 2)),
	type: pick(TYPES, Math.floor(index / 3)),
	status: pick(FINAL, index),
	client_phone_number: pick(PHONES, Math.floor(index / 5)),
	created_at: `${pick(DAYS, Math.floor(index / 3))} ${pick(TIMES, index)}`,
}));

const newestFirst = [...calls].sort(
	(a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id,
);

const alice = {
	token: ALICE,
	voices: [{ id: 1, name: 'Anna' }],
	languages: ['English'],
	assistants: Array.from({ length: 23 }, (_, index) => ({
		...newAssistant,
		id: index + 1,
		assistant_name: `No. ${index + 1}`,
	})),
	campaigns: [
		{ id: 1, name: 'Spring', assistant_id: 1 },
		{ id: 2, name: 'Autumn', assistant_id: 2 },
	],
	calls,
};
const service = await startTestService({ seed: { users: [alice, { token: BOB }] } });

/** Alice's response from a URL that a page holds. */
const follow = (url: string) => sendRequest(url, { headers: { Authorization: `Bearer ${ALICE}` } });
const ids = (response: ServiceResponse): unknown[] => getRows(response).map((row) => row.id);

/** The page at a URL, and all that follow it. */
async function pagesFrom(url: unknown): Promise<JsonObject[]> {
	if (typeof url !== 'string') return [];
	const page = asObject((await follow(url)).body, 'page');
	return [page, ...(await pagesFrom(page.next_page_url))];
}
const idsOnPages = (pages: JsonObject[]): unknown[] =>
	pages.flatMap((page) => getObjects(page.data)).map((row) => row.id);

describe.each([
	{ path: '/user/calls', expected: newestFirst.map((call) => call.id), perPage: 15 },
	{
		path: '/user/assistants/get',
		expected: Array.from({ length: 23 }, (_, index) => index + 1),
		perPage: 10,
	},
])('the envelope of $path', ({ path, expected, perPage }) => {
	const total = expected.length;
	const own = service.url + path;

	/** A page as it must be; its address has these parameters. */
	const getPage = (number: number, size: number, parameters = '') => {
		const last = Math.ceil(total / size);
		const address = (page: number) =>
			page < 1 || page > last ? null : `${own}?${parameters}page=${page}`;
		const link = (page: number, label = String(page)) => ({
			url: address(page),
			label,
			active: label === String(number),
		});
		const rows = expected.slice((number - 1) * size, number * size);
		return {
			current_page: number,
			data: rows.map((id) => expect.objectContaining({ id })),
			first_page_url: address(1),
			last_page_url: address(last),
			path: own,
			next_page_url: address(number + 1),
			prev_page_url: address(number - 1),
			from: (number - 1) * size + 1,
			to: (number - 1) * size + rows.length,
			last_page: last,
			per_page: size,
			total,
			// Those of many pages have a test of their own.
			links:
				last > 10
					? expect.any(Array)
					: [
							link(number - 1, '&laquo; Previous'),
							...Array.from({ length: last }, (_, index) => link(index + 1)),
							link(number + 1, 'Next &raquo;'),
						],
		};
	};

	it('is whole on the first page with the defaults', async () => {
		const response = await service.alice.get(path);
		expect(response.body).toEqual(getPage(1, perPage));
		expect(response.text).not.toContain(ALICE);
	});

	it.each([1, 5, 7, 10, 100])(
		'with %d per page gives every record exactly once, following next_page_url',
		async (size) => {
			const parameters = `per_page=${size}&`;
			const pages = await pagesFrom(`${own}?per_page=${size}`);
			expect(pages).toEqual(pages.map((_, index) => getPage(index + 1, size, parameters)));
			expect(idsOnPages(pages)).toEqual(expected);
		},
	);

	it('a page beyond the end is empty, and an empty list is one empty page', async () => {
		const empty = { data: [], from: 0, to: 0, next_page_url: null };
		const beyond = await service.alice.get(path, { page: 99 });
		expect(beyond.body).toMatchObject({ ...empty, current_page: 99, total });
		const bobs = { ...empty, current_page: 1, total: 0, last_page: 1, prev_page_url: null };
		expect((await service.bob.get(path)).body).toMatchObject(bobs);
	});

	it('ignores unknown parameters', async () => {
		const response = await service.alice.get(path, { colour: 'blue' });
		expect(ids(response)).toEqual(expected.slice(0, perPage));
	});
});

it.each([
	[1, '1 2 3 4 5 6 7 8 9 10 ... 22 23'],
	[7, '1 2 3 4 5 6 7 8 9 10 ... 22 23'],
	[8, '1 2 ... 5 6 7 8 9 10 11 ... 22 23'],
	[16, '1 2 ... 13 14 15 16 17 18 19 ... 22 23'],
	[17, '1 2 ... 14 15 16 17 18 19 20 21 22 23'],
	[99, '1 2 ... 14 15 16 17 18 19 20 21 22 23'],
])('of many pages, page %d links those around it and at both ends', async (page, labels) => {
	const response = await service.alice.get('/user/assistants/get', { per_page: 1, page });
	const links = getObjects(asObject(response.body, 'page').links).slice(1, -1);
	expect(links.map(({ label }) => label).join(' ')).toBe(labels);
	for (const { label, url, active } of links) {
		expect(active).toBe(label === String(page));
		expect(url === null).toBe(label === '...');
	}
});

type Filters = Record<string, string | number>;

/** Whether a call has what a filter asks for. */
const FILTERS: Record<string, (call: (typeof calls)[number], value: string | number) => boolean> = {
	status: (call, value) => call.status === value,
	type: (call, value) => call.type === value,
	phone_number: (call, value) => call.client_phone_number === value,
	assistant_id: (call, value) => call.assistant_id === value,
	campaign_id: (call, value) => call.campaign_id === value,
	date_from: (call, value) => call.created_at.slice(0, 10) >= value,
	date_to: (call, value) => call.created_at.slice(0, 10) <= value,
};

const matching = (filters: Filters): number[] =>
	newestFirst
		.filter((call) =>
			Object.entries(filters).every(([name, value]) => FILTERS[name]?.(call, value) === true),
		)
		.map((call) => call.id);

const filtered = async (filters: Filters): Promise<unknown[]> =>
	(await getCalls(service.alice, filters)).map((call) => call.id);

const values: Record<string, ReadonlyArray<string | number>> = {
	status: [...UNFINISHED, ...FINAL],
	type: TYPES,
	phone_number: [...PHONES, '+4915112345699'],
	assistant_id: [1, 2, 3, 4, 999],
	campaign_id: [1, 2, 999],
	date_from: [...DAYS, '2025-12-31', '2026-03-01'],
	date_to: [...DAYS, '2025-12-31', '2026-03-01'],
};

describe('the filters of the calls list', () => {
	it('in any combination', async () => {
		const all = Object.entries(values).map(([name, choices]) =>
			fc.constantFrom(...choices).map((value) => [name, value] as const),
		);
		const some = fc.tuple(...all).chain((chosen) => fc.subarray(chosen));
		await fc.assert(
			fc.asyncProperty(some, async (chosen) => {
				const filters = Object.fromEntries(chosen);
				expect(await filtered(filters)).toEqual(matching(filters));
			}),
			{ numRuns: sampledRuns(100) },
		);
	});

	it('a phone number is found however it is written', async () => {
		expect(await filtered({ phone_number: '0049 151 123456 11' })).toEqual(
			matching({ phone_number: '+4915112345611' }),
		);
	});

	it('the links of a filtered page carry the filters', async () => {
		const filters = { phone_number: '+4915112345611', type: 'inbound' };
		const expected = matching(filters);
		expect(expected.length).toBeGreaterThan(2);
		const query = new URLSearchParams({ ...filters, per_page: '1' });
		const pages = await pagesFrom(`${service.url}/user/calls?${query.toString()}`);
		expect(idsOnPages(pages)).toEqual(expected);
	});

	it.each<[name: string, ...values: Array<string | number>]>([
		['per_page', 0, 101, -1, 'ten', 1.5, ''],
		['page', 0, -1, 'two', 1.5],
		['status', 'finished', 'Completed'],
		['type', 'phone'],
		['assistant_id', 'first', '1.5'],
		['campaign_id', 'spring'],
		['date_from', '2026-1-1', '01.01.2026', '2026-02-30'],
		['date_to', '2026-01-01T00:00:00Z', 'today'],
	])('%s is refused by its name with: %j', async (name, ...wrong) => {
		const paths = ['/user/calls', ...(name.endsWith('page') ? ['/user/assistants/get'] : [])];
		for (const path of paths) {
			for (const value of wrong) {
				const response = await service.alice.get(path, { [name]: value });
				expectInvalid(response, { [name]: [expect.any(String)] });
			}
		}
	});

	it('a filter given twice is refused or counted once, never an accident', async () => {
		const response = await service.alice.request('GET', '/user/calls?status=completed&status=busy');
		expect(response.status).toBe(422);
	});
});
