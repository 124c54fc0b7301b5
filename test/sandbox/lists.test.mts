import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { callsOf } from '../support/sandbox/calls.mts';
import { sendRequest, rowsOf, type ServiceResponse } from '../support/sandbox/client.mts';
import { asObject, objectsOf, type JsonObject } from '../support/sandbox/contract.mts';
import { expectInvalid } from '../support/sandbox/responses.mts';
import { startTestService } from '../support/sandbox/testService.mts';
import { ALICE, BOB, newAssistant } from '../support/sandbox/seed.mts';

const STATUSES = [
	'initiated',
	'ringing',
	'busy',
	'in-progress',
	'ended',
	'completed',
	'ended_by_customer',
	'ended_by_assistant',
	'no-answer',
	'failed',
] as const;
const FINAL = STATUSES.filter(
	(status) => !['initiated', 'ringing', 'in-progress'].includes(status),
);
const TYPES = ['inbound', 'outbound', 'web'] as const;
const PHONES = ['+4915112345611', '+4915112345612', '+14155552671'] as const;
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-02-28'] as const;
const TIMES = ['00:00:00', '12:30:00', '23:59:59'] as const;

interface SeedCall {
	readonly id: number;
	readonly assistant_id: number;
	readonly campaign_id: number | undefined;
	readonly type: string;
	readonly status: string;
	readonly client_phone_number: string;
	readonly created_at: string;
}

const pick = <T,>(values: readonly T[], index: number): T => {
	const [value] = values.slice(index % values.length);
	return value as T;
};

// 40 finished calls that combine the values of all filters.
const calls: SeedCall[] = Array.from({ length: 40 }, (_, index) => ({
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

const service = await startTestService({
	seed: {
		users: [
			{
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
				calls: calls.map(({ campaign_id, ...call }) => ({
					...call,
					...(campaign_id === undefined ? {} : { campaign_id }),
				})),
			},
			{ token: BOB },
		],
	},
});

/** Alice's response from a URL that a page holds. */
const follow = (url: string) => sendRequest(url, { headers: { Authorization: `Bearer ${ALICE}` } });
const ids = (response: ServiceResponse): unknown[] => rowsOf(response).map((row) => row.id);

describe.each([
	{ path: '/user/calls', expected: newestFirst.map((call) => call.id), perPage: 15 },
	{
		path: '/user/assistants/get',
		expected: Array.from({ length: 23 }, (_, index) => index + 1),
		perPage: 10,
	},
])('the envelope of $path', ({ path, expected, perPage }) => {
	const total = expected.length;
	const own = () => service.url + path;

	it('is whole on the first page with the defaults', async () => {
		const response = await service.alice.get(path);
		const lastPage = Math.ceil(total / perPage);
		const page = (number: number) => `${own()}?page=${number}`;
		expect(response.body).toEqual({
			current_page: 1,
			data: expect.any(Array),
			first_page_url: page(1),
			last_page_url: page(lastPage),
			path: own(),
			next_page_url: page(2),
			prev_page_url: null,
			from: 1,
			to: perPage,
			last_page: lastPage,
			per_page: perPage,
			total,
			links: [
				{ url: null, label: '&laquo; Previous', active: false },
				...Array.from({ length: lastPage }, (_, index) => ({
					url: page(index + 1),
					label: String(index + 1),
					active: index === 0,
				})),
				{ url: page(2), label: 'Next &raquo;', active: false },
			],
		});
		expect(ids(response)).toEqual(expected.slice(0, perPage));
	});

	it.each([1, 7, 10, 100])(
		'with %d per page gives every record exactly once, following next_page_url',
		async (per_page) => {
			const seen: unknown[] = [];
			let url: unknown = `${own()}?per_page=${per_page}`;
			for (let number = 1; typeof url === 'string'; number += 1) {
				const response = await follow(url);
				const rows = ids(response);
				expect(response.body).toMatchObject({
					current_page: number,
					per_page,
					total,
					last_page: Math.ceil(total / per_page),
					from: seen.length + 1,
					to: seen.length + rows.length,
				});
				seen.push(...rows);
				url = asObject(response.body, 'page').next_page_url;
			}
			expect(seen).toEqual(expected);
		},
	);

	it('every other link leads where it says', async () => {
		const middle = asObject((await service.alice.get(path, { per_page: 5, page: 3 })).body, 'page');
		const pageOf = async (url: unknown) => (await follow(String(url))).body;
		expect(await pageOf(middle.first_page_url)).toMatchObject({
			current_page: 1,
			per_page: 5,
			prev_page_url: null,
		});
		expect(await pageOf(middle.last_page_url)).toMatchObject({
			current_page: middle.last_page,
			next_page_url: null,
		});
		expect(await pageOf(middle.prev_page_url)).toMatchObject({ current_page: 2 });
		expect(await pageOf(middle.next_page_url)).toMatchObject({ current_page: 4 });
		for (const link of objectsOf(middle.links)) {
			if (!/^\d+$/.test(String(link.label))) continue;
			expect(await pageOf(link.url)).toMatchObject({ current_page: Number(link.label) });
			expect(link.active).toBe(link.label === '3');
		}
	});

	it('the links do not carry the token', async () => {
		expect((await service.alice.get(path)).text).not.toContain(ALICE);
	});

	it('a page beyond the end is empty', async () => {
		const response = await service.alice.get(path, { page: 99 });
		expect(response.body).toMatchObject({
			current_page: 99,
			data: [],
			from: 0,
			to: 0,
			total,
			next_page_url: null,
		});
	});

	it('an empty list is one empty page', async () => {
		const response = await service.bob.get(path);
		expect(response.body).toMatchObject({
			current_page: 1,
			data: [],
			from: 0,
			to: 0,
			total: 0,
			last_page: 1,
			next_page_url: null,
			prev_page_url: null,
		});
	});

	it('unknown query parameters are ignored', async () => {
		expect(ids(await service.alice.get(path, { colour: 'blue' }))).toEqual(
			expected.slice(0, perPage),
		);
	});

	it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is not a way to ask for it', async (method) => {
		const response = await service.alice.request(
			method,
			path,
			method === 'DELETE' ? {} : { json: {} },
		);
		expect([404, 405]).toContain(response.status);
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
	const links = objectsOf(asObject(response.body, 'page').links).slice(1, -1);
	expect(links.map(({ label }) => label).join(' ')).toBe(labels);
	for (const { label, url, active } of links) {
		expect(active).toBe(label === String(page));
		expect(url === null).toBe(label === '...');
	}
});

interface Filters {
	status?: string;
	type?: string;
	phone_number?: string;
	assistant_id?: number;
	campaign_id?: number;
	date_from?: string;
	date_to?: string;
}

const matching = (filters: Filters): number[] =>
	newestFirst
		.filter(
			(call) =>
				(filters.status === undefined || call.status === filters.status) &&
				(filters.type === undefined || call.type === filters.type) &&
				(filters.phone_number === undefined || call.client_phone_number === filters.phone_number) &&
				(filters.assistant_id === undefined || call.assistant_id === filters.assistant_id) &&
				(filters.campaign_id === undefined || call.campaign_id === filters.campaign_id) &&
				(filters.date_from === undefined || call.created_at.slice(0, 10) >= filters.date_from) &&
				(filters.date_to === undefined || call.created_at.slice(0, 10) <= filters.date_to),
		)
		.map((call) => call.id);

const filtered = async (filters: Filters): Promise<unknown[]> =>
	(await callsOf(service.alice, filters)).map((call) => call.id);

const values: { [Name in keyof Required<Filters>]: readonly Required<Filters>[Name][] } = {
	status: STATUSES,
	type: TYPES,
	phone_number: [...PHONES, '+4915112345699'],
	assistant_id: [1, 2, 3, 4, 999],
	campaign_id: [1, 2, 999],
	date_from: [...DAYS, '2025-12-31', '2026-03-01'],
	date_to: [...DAYS, '2025-12-31', '2026-03-01'],
};

describe('the filters of the calls list', () => {
	const single = Object.entries(values).flatMap(([name, all]) =>
		all.map((value) => ({ name, value })),
	);
	it.each(single)('$name=$value alone', async ({ name, value }) => {
		expect(await filtered({ [name]: value })).toEqual(matching({ [name]: value }));
	});

	it('every one of them leaves something out and something in', () => {
		for (const [name, all] of Object.entries(values)) {
			const counts = all.map((value) => matching({ [name]: value }).length);
			expect(counts.some((count) => count > 0 && count < calls.length)).toBe(true);
		}
	});

	it('in any combination', async () => {
		const some = fc.record(
			{
				status: fc.constantFrom(...values.status),
				type: fc.constantFrom(...values.type),
				phone_number: fc.constantFrom(...values.phone_number),
				assistant_id: fc.constantFrom(...values.assistant_id),
				campaign_id: fc.constantFrom(...values.campaign_id),
				date_from: fc.constantFrom(...values.date_from),
				date_to: fc.constantFrom(...values.date_to),
			},
			{ requiredKeys: [] },
		);
		await fc.assert(
			fc.asyncProperty(some, async (filters) => {
				expect(await filtered(filters)).toEqual(matching(filters));
			}),
			{ numRuns: 100 },
		);
	});

	it('dates include their whole day, from the first second to the last', async () => {
		expect(await filtered({ date_from: '2026-01-02', date_to: '2026-01-02' })).toEqual(
			newestFirst.filter((call) => call.created_at.startsWith('2026-01-02')).map((call) => call.id),
		);
		const times = (
			await callsOf(service.alice, { date_from: '2026-01-02', date_to: '2026-01-02' })
		).map((call) => String(call.created_at).slice(11));
		expect(times).toEqual(expect.arrayContaining(['00:00:00', '23:59:59']));
	});

	it('a range that ends before it begins is empty', async () => {
		expect(await filtered({ date_from: '2026-01-03', date_to: '2026-01-01' })).toEqual([]);
	});

	it('a phone number is found however it is written', async () => {
		expect(await filtered({ phone_number: '0049 151 123456 11' })).toEqual(
			matching({ phone_number: '+4915112345611' }),
		);
	});

	it('the links of a filtered page carry the filters', async () => {
		const query = { phone_number: '+4915112345611', type: 'inbound', per_page: 1 };
		const expected = matching({ phone_number: '+4915112345611', type: 'inbound' });
		expect(expected.length).toBeGreaterThan(2);
		const seen: unknown[] = [];
		let page: JsonObject = asObject((await service.alice.get('/user/calls', query)).body, 'page');
		for (;;) {
			seen.push(...objectsOf(page.data).map((call) => call.id));
			if (typeof page.next_page_url !== 'string') break;
			page = asObject((await follow(page.next_page_url)).body, 'page');
		}
		expect(seen).toEqual(expected);
	});

	it.each([
		['status', 'finished'],
		['status', 'Completed'],
		['type', 'phone'],
		['assistant_id', 'first'],
		['assistant_id', '1.5'],
		['campaign_id', 'spring'],
		['date_from', '2026-1-1'],
		['date_from', '01.01.2026'],
		['date_from', '2026-02-30'],
		['date_to', '2026-01-01T00:00:00Z'],
		['date_to', 'today'],
	])('%s=%s → 422 naming the parameter', async (name, value) => {
		const response = await service.alice.get('/user/calls', { [name]: value });
		expectInvalid(response, { [name]: [expect.any(String)] });
	});

	it('a filter given twice is refused or counted once, never an accident', async () => {
		const response = await service.alice.request('GET', '/user/calls?status=completed&status=busy');
		expect(response.status).toBe(422);
	});
});

describe('the records of the calls list', () => {
	it('show what the seed said, and empty values where it said nothing', async () => {
		const [newest] = await callsOf(service.alice);
		const seeded = newestFirst[0];
		expect(newest).toEqual({
			id: seeded?.id,
			assistant_name: `No. ${seeded?.assistant_id}`,
			...(seeded?.campaign_id === undefined
				? {}
				: { campaign_name: seeded.campaign_id === 1 ? 'Spring' : 'Autumn' }),
			type: seeded?.type,
			duration: expect.any(Number),
			assistant_phone_number: expect.any(String),
			client_phone_number: seeded?.client_phone_number,
			status: seeded?.status,
			transcript: expect.any(String),
			variables: expect.any(Object),
			evaluation: expect.any(Object),
			webhook_response: {},
			carrier_cost: expect.any(Number),
			total_cost: expect.any(Number),
			answered_by: expect.any(String),
			created_at: seeded?.created_at,
			updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
		});
	});

	it('name a campaign only where one applies', async () => {
		for (const call of await callsOf(service.alice)) {
			const seeded = calls.find(({ id }) => id === call.id);
			expect('campaign_name' in call).toBe(seeded?.campaign_id !== undefined);
		}
	});
});
