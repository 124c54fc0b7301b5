import { describe, expect, it } from '@jest/globals';
import { skipWaits } from '../../../support/n8n/time.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { n8nAt, pageIn, pageOf } from '../../../support/n8n/stubService.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { seedWith, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import type { JsonObject } from '../../../../sandbox/test/support/contract.mts';
import { ALICE, newAssistant, newTool } from '../../../../sandbox/test/support/seed.mts';
import { startOwnService } from '../../../../sandbox/test/support/testService.mts';

const assistants = Array.from({ length: 250 }, (_, index) => ({
	...newAssistant,
	id: 1001 + index,
	assistant_name: [101, 201].includes(index) ? 'Night desk' : `Assistant ${index + 1}`,
	calls_direction: index === 0 ? 'receive' : 'make',
	tool_ids: index === 0 ? [1] : index === 102 || index === 249 ? [2] : [],
}));
const tools = [
	{ ...newTool, id: 1 },
	{ ...newTool, id: 2, name: 'book_table' },
];
const { n8n, sent, fault } = await startTestEnvironment({
	assistants,
	tools,
	campaigns: [],
	leads: [],
	calls: [],
});

const startServer = stubServersPerTest();

const pages = async () => (await sent()).map(({ query }) => query);

type Method = Parameters<typeof n8n.listSearch>[0];

const NO_RECORDS = { assistants: [], tools: [], campaigns: [], leads: [], calls: [] };

/** Starts a service with these records only. */
async function startServiceWith(records: JsonObject) {
	const service = await startOwnService({ seed: seedWith({ ...NO_RECORDS, ...records }) });
	const own = n8nWith({ baseUrl: service.url, apiToken: ALICE });
	return {
		service,
		search: async (method: Method) => await own.listSearch(method),
		[Symbol.asyncDispose]: async () => await service[Symbol.asyncDispose](),
	};
}

const getNames = ({ results }: { results: Array<{ name: string }> }) =>
	results.map(({ name }) => name);

type Entry = [name: string, value: string | false];
const toResults = (entries: Entry[]) => entries.map(([name, value]) => ({ name, value }));

const assistant = (id: number, assistant_name: string, fields: JsonObject = {}) => ({
	...newAssistant,
	id,
	assistant_name,
	...fields,
});

const withNumber = (phone_number_id: number) => ({ phone_number_id });

// n8n ignores a click on an entry whose value is a boolean.
it.each<[Method, string, JsonObject, Entry[]]>([
	[
		'searchAssistants',
		'assistants of one name, and one without a name',
		{ assistants: [assistant(7, 'Twin'), assistant(8, 'Twin'), assistant(9, ' ')] },
		[
			['Twin (ID 7, outbound)', '7'],
			['Twin (ID 8, outbound)', '8'],
			['Unnamed (ID 9, outbound)', '9'],
		],
	],
	[
		'searchVoices',
		'the voices of assistants, with who uses them',
		{
			voices: [1, 10, 2].map((id) => ({ id, name: `Voice ${id}` })),
			assistants: [1, 10, 2, 2, 2].map((voice_id, index) =>
				assistant(index + 1, `Caller ${index + 1}`, { voice_id }),
			),
		},
		[
			['Voice 1, used by Caller 1', '1'],
			['Voice 2, used by Caller 3 and 2 others', '2'],
			['Voice 10, used by Caller 2', '10'],
		],
	],
	[
		'searchPhoneNumbers',
		'the phone numbers of assistants by ID, whatever these are called',
		{
			assistants: [
				assistant(1, 'Twin', withNumber(1)),
				assistant(2, 'Caller', withNumber(1)),
				assistant(3, 'Twin', withNumber(4)),
				assistant(4, 'Without'),
			],
		},
		[
			['Phone number 1, used by Twin and 1 other', '1'],
			['Phone number 4, used by Twin', '4'],
		],
	],
	[
		'searchLanguages',
		'the languages of assistants',
		{ assistants: [assistant(1, 'Caller', { language: 'German' }), assistant(2, 'Receiver')] },
		[
			['English, used by Receiver', 'English'],
			['German, used by Caller', 'German'],
		],
	],
	['searchAssistants', 'that there is none', {}, [['Your account has no assistants yet.', false]]],
	['searchTools', 'that there is none', {}, [["No assistant has a tool. Choose 'By ID'.", false]]],
	[
		'searchVoices',
		'that there is none',
		{},
		[["No assistant has a voice. Choose 'By ID'.", false]],
	],
	[
		'searchPhoneNumbers',
		'that there is none',
		{},
		[["No assistant has a phone number. Choose 'By ID'.", false]],
	],
	[
		'searchLanguages',
		'that there is none',
		{},
		[["No assistant has a language. Choose 'By Name'.", false]],
	],
])('%s shows %s', async (method, _what, records, entries) => {
	await using started = await startServiceWith(records);
	expect(await started.search(method)).toEqual({ results: toResults(entries) });
});

it.each<[Method, string, string[]]>([
	['searchTools', 'table', ['2']],
	['searchTools', '2', ['2']],
	['searchTools', 'assistant 103', ['2']],
	['searchLanguages', 'engl', ['English']],
	['searchLanguages', 'germ', []],
])('%s finds by %j', async (method, filter, found) => {
	const { results } = await n8n.listSearch(method, { filter });
	expect(results.map(({ value }) => value)).toEqual(found);
});

describe('the picker of assistants', () => {
	it('shows a page, and the next ones when n8n asks for them', async () => {
		const first = await n8n.listSearch('searchAssistants');
		expect(first.results).toHaveLength(100);
		expect(first.results.slice(0, 2)).toEqual([
			{ name: 'Assistant 1 (ID 1001, inbound)', value: '1001' },
			{ name: 'Assistant 2 (ID 1002, outbound)', value: '1002' },
		]);
		expect(first.paginationToken).toBe('2');

		const last = await n8n.listSearch('searchAssistants', { paginationToken: '3' });
		expect(last.results).toHaveLength(50);
		expect(last.results.at(-1)?.value).toBe('1250');
		expect(last.paginationToken).toBeUndefined();
		expect(await pages()).toEqual(['1', '3'].map((page) => ({ page, per_page: '100' })));
	});

	it.each(['assistant 20', '  INBOUND ', '7', 'night desk', '1102', 'nobody'])(
		'finds by a part of the entry, or by ID: %j',
		async (filter) => {
			const entries = assistants.map(
				({ id, assistant_name, calls_direction }) =>
					`${assistant_name} (ID ${id}, ${calls_direction === 'make' ? 'outbound' : 'inbound'})`,
			);
			const found = await n8n.listSearch('searchAssistants', { filter });
			expect(getNames(found)).toEqual(
				entries.filter((entry) => entry.toLowerCase().includes(filter.trim().toLowerCase())),
			);
		},
	);

	// n8n does not ask for the next page of a search whose results do not fill the list.
	it('finds the records of all pages', async () => {
		const { results, paginationToken } = await n8n.listSearch('searchAssistants', {
			filter: '49',
		});
		expect(results.map(({ value }) => value)).toEqual(['1049', '1149', '1249']);
		expect(paginationToken).toBeUndefined();
		expect(await pages()).toHaveLength(3);
	});

	it('stops a search when the list is full, and goes on when n8n asks', async () => {
		const search = { filter: 'assistant' };
		const first = await n8n.listSearch('searchAssistants', search);
		expect(first.results).toHaveLength(100);
		expect(first.paginationToken).toBe('2');
		expect(await pages()).toHaveLength(1);
		const rest = await n8n.listSearch('searchAssistants', { ...search, paginationToken: '2' });
		expect(rest.results).toHaveLength(148);
		expect(rest.paginationToken).toBeUndefined();
	});
});

it('the picker of tools shows the tools that assistants have, each once, with who has them', async () => {
	expect(await n8n.listSearch('searchTools')).toEqual({
		results: toResults([
			['book_table (ID 2), used by Assistant 103 and 1 other', '2'],
			['get_weather (ID 1), used by Assistant 1', '1'],
		]),
	});
});

it.each<[Method, JsonObject[], Entry[]]>([
	[
		'searchAssistants',
		[
			{ id: 1, name: 'Old', type: 'inbound', deleted_at: '2026-01-01T00:00:00.000000Z' },
			{ id: 2, name: 'New', type: 'inbound', status: 'inactive', deleted_at: null },
		],
		[['New (ID 2, inbound)', '2']],
	],
	[
		'searchCampaigns',
		[
			{ id: 7, name: 'Spring', status: 'in-progress' },
			{ id: 8, name: 'Spring' },
			{ id: 9, name: null, status: 'stopped' },
			{ id: null, name: 'No ID' },
		],
		[
			['Spring (ID 7)', '7'],
			['Spring (ID 8)', '8'],
			['Unnamed (ID 9)', '9'],
		],
	],
	['searchCampaigns', [], [["There are no campaigns. Choose 'By ID'.", false]]],
])('%s shows of %j what can be picked', async (method, data, entries) => {
	await fault({ status: 200, body: pageOf(data) });
	expect(await n8n.listSearch(method)).toEqual({ results: toResults(entries) });
});

describe('the picker of campaigns', () => {
	const path = '/api/user/campaigns';
	const SPRING = [{ id: '7', name: 'Spring' }];

	it.each<[string, unknown]>([
		['a bare list', SPRING],
		['a page', pageOf(SPRING)],
		['a list under its name', { campaigns: SPRING }],
	])('reads %s', async (_what, body) => {
		await fault({ path, status: 200, body });
		expect(await n8n.listSearch('searchCampaigns')).toEqual({
			results: toResults([['Spring (ID 7)', '7']]),
		});
		expect(await sent()).toMatchObject([{ path }]);
	});

	it.each([404, 405])('says that there is no list when it answers with %i', async (status) => {
		await fault({ path, status, body: { message: 'No' } });
		expect(await n8n.listSearch('searchCampaigns')).toEqual({
			results: toResults([["Your provider has no list of campaigns. Choose 'By ID'.", false]]),
		});
	});

	it.each<[unknown, string]>([
		['<html>Welcome</html>', 'web page or text instead of data'],
		[{ data: SPRING, meta: { last_page: 3 } }, 'The fields of the answer: data, meta.'],
	])('says what came in place of the list: %j', async (body, words) => {
		await fault({ path, status: 200, times: 4, body });
		skipWaits();
		const search = n8n.listSearch('searchCampaigns');
		await expect(search).rejects.toThrow(words);
		await expect(search).rejects.toThrow(/'By ID'\.$/);
	});

	it.each([402, 429, 500])('says what is wrong when the path answers with %i', async (status) => {
		await fault({ status, times: 4, body: { message: 'Not now' } });
		skipWaits();
		await expect(n8n.listSearch('searchCampaigns')).rejects.toThrow(/Not now.*'By ID'\.$/);
	});

	it('reads the path of the credential', async () => {
		n8n.credential = { ...n8n.credential, campaignListPath: '/user/all-campaigns' };
		await n8n.listSearch('searchCampaigns');
		n8n.credential = { ...n8n.credential, campaignListPath: 'https://other.example.com/' };
		await expect(n8n.listSearch('searchCampaigns')).rejects.toThrow(
			'The Campaign List Path of the credential is not a path. Enter a path such as /user/campaigns.',
		);
		expect(await sent()).toMatchObject([{ path: '/api/user/all-campaigns' }]);
	});
});

describe('a long list', () => {
	const envelope = (url: string, total: number) => {
		const page = pageIn(url);
		const data = Array.from({ length: 100 }, (_, index) => {
			const id = (page - 1) * 100 + index + 1;
			return { id, name: `Assistant ${id}`, type: 'inbound', voice_id: id, language: 'English' };
		});
		return { body: pageOf(data, { total, current_page: page, last_page: total / 100 }) };
	};

	it('of 10,000 assistants is searched to its end, five pages at a time', async () => {
		let waiting: Array<() => void> = [];
		let most = 0;
		// Answers when five requests wait, or those for the last four pages.
		const server = await startServer(async ({ url }, index) => {
			if (index > 0) {
				await new Promise<void>((resolve) => {
					waiting.push(resolve);
					most = Math.max(most, waiting.length);
					if (waiting.length < 5 && index < 99) return;
					for (const answer of waiting) answer();
					waiting = [];
				});
			}
			return envelope(url, 10_000);
		});
		const own = n8nAt(server);
		const { results } = await own.listSearch('searchAssistants', { filter: 'assistant 10000' });
		expect(results).toEqual([{ name: 'Assistant 10000 (ID 10000, inbound)', value: '10000' }]);
		expect(server.requests).toHaveLength(100);
		expect(most).toBe(5);
	});

	it.each([
		['searchVoices', 10_001, 'From your first 10,000 assistants. Others: By ID.'],
		['searchAssistants', 1, "Not among the first 10,000. Choose 'By ID'."],
	] as const)('of more assistants is read to a limit by %s', async (method, count, sentence) => {
		const server = await startServer(({ url }) => envelope(url, 1_000_000));
		const own = n8nAt(server);
		const filter = method === 'searchVoices' ? '' : 'nobody';
		const { results, paginationToken } = await own.listSearch(method, { filter });
		expect(results).toHaveLength(count);
		expect(results.at(-1)).toEqual({ name: sentence, value: false });
		expect(paginationToken).toBeUndefined();
		expect(server.requests).toHaveLength(100);
	});

	it.each(['searchAssistants', 'searchTools', 'searchCalls', 'searchCampaigns'] as const)(
		'needs the credential once for all pages: %s',
		async (method) => {
			const server = await startServer(({ url }) => envelope(url, 2_000));
			const own = n8nAt(server);
			await own.listSearch(method, { filter: 'nobody' });
			expect(server.requests).toHaveLength(20);
			expect(own.credentialReads).toBe(1);
		},
	);
});

describe.each(['searchAssistants', 'searchTools', 'searchVoices', 'searchPhoneNumbers'] as const)(
	'%s says what is wrong',
	(method) => {
		it.each<[string, Record<string, unknown>, string]>([
			[
				'with the token',
				{ status: 401 },
				'The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
			],
			[
				'with the path',
				{ status: 404, body: '<html>Not Found</html>' },
				'The service has no list of assistants at /user/assistants/get. Check the Base URL in the credential. If it is right, ask your provider for the path of the list. Enter it in the credential under Use Other List Paths.',
			],
			[
				'with the address',
				{ status: 200, body: '<html>Welcome</html>' },
				'The service answered with a web page or text instead of data (status 200). Check the Base URL in the credential: it must be the address of the API and end in /api.',
			],
			[
				'with a redirect',
				{ status: 302, headers: { Location: 'https://login.example.com/' } },
				'The service redirected the request to another address (login.example.com). The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.',
			],
		])('%s', async (_what, rule, words) => {
			await fault(rule);
			await expect(n8n.listSearch(method)).rejects.toThrow(`${words} You can also choose 'By ID'.`);
			expect(await sent()).toHaveLength(1);
		});
	},
);

/** They read different lists. */
const METHODS: Method[] = ['searchAssistants', 'searchCampaigns', 'searchCalls', 'searchVoices'];

it.each<[string, Partial<typeof n8n.credential>, string]>([
	[
		'a host that cannot be reached',
		{ baseUrl: 'http://127.0.0.1:1/api' },
		'The service could not be reached: its host refused the connection. Check the Base URL in the credential, and whether this n8n can reach that host.',
	],
	[
		'a Base URL without https',
		{ baseUrl: 'calls.example.com' },
		'The Base URL of the credential does not start with https:// or http://. Enter the address that your provider gives you, such as https://calls.example.com/api.',
	],
	[
		'an expression that needs an item',
		{ apiToken: '={{ $json.token }}' },
		'The credential has an expression that needs an item, such as {{ $json.token }}, but triggers and lists to choose from have none. Choose a credential with fixed values.',
	],
])('a credential with %s is named', async (_what, credential, words) => {
	skipWaits();
	Object.assign(n8n.credential, credential);
	for (const method of METHODS) {
		await expect(n8n.listSearch(method)).rejects.toThrow(`${words} You can also choose 'By ID'.`);
	}
});
