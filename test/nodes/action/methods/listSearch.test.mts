import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { skipWaits } from '../../../support/n8n/time.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { n8nAt, pageIn, pageOf } from '../../../support/n8n/stubService.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { seedWith, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import type { JsonObject } from '../../../../sandbox/test/support/contract.mts';
import { ALICE, newAssistant, newTool } from '../../../../sandbox/test/support/seed.mts';
import { readAssumeFile } from '../../../../sandbox/src/contract/assumptions.mts';
import { startService, type Service } from '../../../../sandbox/test/support/service.mts';
import { startOwnService } from '../../../../sandbox/test/support/testService.mts';
import { root } from '../../../support/package.mts';
import { sampled } from '../../../support/sample.mts';

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
	['searchAssistants', 'that there is none', {}, [['Your account has no assistants yet.', false]]],
	[
		'searchVoices',
		'voices in the order of their names',
		{ voices: [1, 10, 2].map((id) => ({ id, name: `Voice ${id}` })) },
		[
			['Voice 1 (ID 1, female)', '1'],
			['Voice 2 (ID 2, female)', '2'],
			['Voice 10 (ID 10, female)', '10'],
		],
	],
	['searchTools', 'that there is none', {}, [["There are no tools. Choose 'By ID'.", false]]],
	[
		'searchCampaigns',
		'that there is none',
		{},
		[["There are no campaigns. Choose 'By ID'.", false]],
	],
	[
		'searchSmsPhoneNumbers',
		'that there is none',
		{ phone_numbers: [{ id: 7, phone_number: '+493012345607', sms_capable: false }] },
		[["There are no phone numbers for SMS. Choose 'By ID'.", false]],
	],
])('%s shows %s', async (method, _what, records, entries) => {
	await using started = await startServiceWith(records);
	expect(await started.search(method)).toEqual({ results: toResults(entries) });
});

it.each<[Method, string, string[]]>([
	['searchTools', 'table', ['2']],
	['searchTools', '2', ['2']],
	['searchPhoneNumbers', '+49 1511 234', ['1', '3', '4']],
	['searchModels', 'MINI', ['gpt-4o-mini']],
	['searchLanguages', 'engl', ['English']],
	['searchLanguages', 'pol', []],
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

const CURRENT = join(root, 'sandbox/presets/current.yaml');

/** What each list shows of Alice, by the path that it reads and the fields of the form. */
const LISTS: Array<[Method, paths: string[], form: INodeParameters, Entry[]]> = [
	[
		'searchCampaigns',
		['/user/campaigns'],
		{},
		[
			['Autumn (ID 2)', '2'],
			['Spring (ID 1)', '1'],
		],
	],
	[
		'searchTools',
		['/user/tools'],
		{},
		[
			['book_table (ID 2)', '2'],
			['get_weather (ID 1)', '1'],
		],
	],
	[
		'searchPhoneNumbers',
		['/user/phone-numbers/all'],
		{},
		[
			['+493012345602 (ID 2)', '2'],
			['+4915112345601 (ID 1)', '1'],
			['+4915112345603 (ID 3)', '3'],
			['+4915112345604 (ID 4)', '4'],
		],
	],
	[
		'searchSmsPhoneNumbers',
		['/user/phone-numbers/all'],
		{},
		[
			['+4915112345601 (ID 1)', '1'],
			['+4915112345603 (ID 3)', '3'],
			['+4915112345604 (ID 4)', '4'],
		],
	],
	[
		'searchLanguages',
		['/user/assistants/languages'],
		{},
		[
			['English', 'English'],
			['German', 'German'],
		],
	],
	[
		'searchVoices',
		['/user/assistants/voices'],
		{},
		[
			['Anna (ID 1, female)', '1'],
			['Ben (ID 2, male)', '2'],
			['Cem (ID 3, male)', '3'],
		],
	],
	[
		'searchVoices',
		['/user/assistants/languages', '/user/assistants/voices?mode=pipeline&language_id=2'],
		{ engineType: 'pipeline', language: { __rl: true, mode: 'name', value: 'german' } },
		[['Ben (ID 2, male)', '2']],
	],
	[
		'searchVoices',
		['/user/assistants/languages', '/user/assistants/voices?mode=multimodal'],
		{ updateFields: { engineType: 'multimodal', language: 'Klingon' } },
		[['Cem (ID 3, male)', '3']],
	],
	[
		'searchVoices',
		['/user/assistants/voices'],
		{ engineType: '={{ $json.mode }}', language: '' },
		[
			['Anna (ID 1, female)', '1'],
			['Ben (ID 2, male)', '2'],
			['Cem (ID 3, male)', '3'],
		],
	],
	[
		'searchModels',
		['/user/assistants/models?type=llm'],
		{ engineType: 'pipeline' },
		[
			['gpt-4o', 'gpt-4o'],
			['gpt-4o-mini', 'gpt-4o-mini'],
		],
	],
	[
		'searchModels',
		['/user/assistants/models?type=multimodal'],
		{ updateFields: { engineType: 'multimodal' } },
		[['Realtime A', 'Realtime A']],
	],
	[
		'searchModels',
		['/user/assistants/models?type=llm', '/user/assistants/models?type=multimodal'],
		{},
		[
			['gpt-4o', 'gpt-4o'],
			['gpt-4o-mini', 'gpt-4o-mini'],
			['Realtime A', 'Realtime A'],
		],
	],
];

/** What a provider without the lists shows. */
const NO_LIST: Partial<Record<Method, string>> = {
	searchLanguages: "Your provider has no such list. Choose 'By Name'.",
	searchModels: "Your provider has no such list. Choose 'By Name'.",
};

const VOICES = [
	{ id: 1, name: 'Anna', language_id: 1, modes: ['pipeline'] },
	{ id: 2, name: 'Ben', language_id: 2, modes: ['pipeline'], gender: 'male' },
	{ id: 3, name: 'Cem', language_id: 2, modes: ['multimodal'], gender: 'male' },
];

const PRESETS = ['contract', 'current'];

describe.each(PRESETS)('at the service as in %s', (preset) => {
	let service: Service;
	beforeAll(async () => {
		const assume = preset === 'contract' ? {} : await readAssumeFile(CURRENT);
		service = await startService({ assume, seed: seedWith({ voices: VOICES }) });
	});
	afterAll(() => service.close());

	it.each(sampled(LISTS, 2, PRESETS.indexOf(preset)))(
		'%s reads %j with %j',
		async (method, paths, parameters, entries) => {
			await service.control.reset();
			const own = n8nWith({ baseUrl: service.url, apiToken: ALICE });
			const found = await own.listSearch(method, { parameters });
			expect(found).toEqual({ results: toResults(entries) });
			const requests = await service.control.requests();
			const asked = requests.map(({ path, query }) => {
				const given = new URLSearchParams(query as Record<string, string>).toString();
				return path.replace(/^\/api/, '') + (given && `?${given}`);
			});
			expect(new Set(asked)).toEqual(new Set(paths));
			expect(own.credentialReads).toBe(1);
		},
	);

	it.each([...new Set(LISTS.map(([method]) => method))])(
		'%s says it in one line where the provider has no list',
		async (method) => {
			const own = n8nWith({ baseUrl: service.url, apiToken: ALICE });
			const sentence = NO_LIST[method] ?? "Your provider has no such list. Choose 'By ID'.";
			for (const status of [404, 405]) {
				await service.control.reset();
				await service.control.fault({ status, times: 2, body: { message: 'No' } });
				expect(await own.listSearch(method)).toEqual({ results: toResults([[sentence, false]]) });
			}
		},
	);
});

it('the pickers of phone numbers show those of assistants where there is no list of all', async () => {
	const lines = [
		{ id: 45, phone_number: '+14155550100', country_code: 'US', type_label: 'Normal' },
		{ id: 46, phone_number: '+14155550101', country_code: 'US', type_label: 'Caller ID' },
	];
	for (const method of ['searchPhoneNumbers', 'searchSmsPhoneNumbers'] as const) {
		await fault({ path: '/api/user/phone-numbers/all', status: 404, body: { message: 'No' } });
		await fault({ path: '/api/user/assistants/phone-numbers', status: 200, body: lines });
		expect(await n8n.listSearch(method)).toEqual({
			results: toResults([
				['+14155550100 (ID 45)', '45'],
				['+14155550101 (ID 46)', '46'],
			]),
		});
	}
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
	[
		'searchVoices',
		[
			{ id: 8, name: 'Alma', gender: 'female', accent: 'British' },
			{ id: 9, name: 'Bo', gender: null, accent: null },
			{ id: 10, name: 'Older' },
		],
		[
			['Alma (ID 8, female, British)', '8'],
			['Bo (ID 9)', '9'],
			['Older (ID 10)', '10'],
		],
	],
	[
		'searchSmsPhoneNumbers',
		[
			{ id: 1, phone_number: '+14155550100', nickname: 'Sales', sms_capable: true },
			{ id: 2, phone_number: '+14155550101', nickname: null },
			{ id: 3, phone_number: '+14155550102', sms_capable: false },
		],
		[
			['+14155550101 (ID 2)', '2'],
			['Sales +14155550100 (ID 1)', '1'],
		],
	],
	[
		'searchLanguages',
		[{ id: 1, name: ' ' }],
		[["There are no languages. Choose 'By Name'.", false]],
	],
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

	it('reads a list that comes in pages to its end', async () => {
		const page = { ...pageOf(SPRING), last_page: 2 };
		await fault({ path, status: 200, body: page });
		await fault({ path, status: 200, body: { ...page, data: [{ id: 8, name: 'Autumn' }] } });
		const { results } = await n8n.listSearch('searchCampaigns');
		expect(results.map(({ value }) => value)).toEqual(['8', '7']);
		expect(await sent()).toMatchObject([{ query: {} }, { query: { page: '2' } }]);
	});
});

describe('a long list', () => {
	const envelope = (url: string, total: number) => {
		const page = pageIn(url);
		const data = Array.from({ length: 100 }, (_, index) => {
			const id = (page - 1) * 100 + index + 1;
			return { id, name: `Assistant ${id}`, type: 'inbound' };
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

	it('of more assistants is read to a limit', async () => {
		const server = await startServer(({ url }) => envelope(url, 1_000_000));
		const { results, paginationToken } = await n8nAt(server).listSearch('searchAssistants', {
			filter: 'nobody',
		});
		expect(results).toEqual([
			{ name: "Not among the first 10,000. Choose 'By ID'.", value: false },
		]);
		expect(paginationToken).toBeUndefined();
		expect(server.requests).toHaveLength(100);
	});

	it.each(['searchAssistants', 'searchCalls'] as const)(
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

it('the picker of assistants says what is wrong with the path', async () => {
	await fault({ status: 404, body: '<html>Not Found</html>' });
	await expect(n8n.listSearch('searchAssistants')).rejects.toThrow(
		"The service has no list of assistants at /user/assistants/get. Check the Base URL in the credential. If it is right, ask your provider for the path of the list. Enter it in the credential under Use Other List Paths. You can also choose 'By ID'.",
	);
});

it('the picker of assistants reads the path of the credential', async () => {
	n8n.credential = { ...n8n.credential, assistantListPath: 'https://other.example.com/' };
	await expect(n8n.listSearch('searchAssistants')).rejects.toThrow(
		'The Assistant List Path of the credential is not a path. Enter a path such as /user/assistants/get.',
	);
	expect(await sent()).toEqual([]);
});

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
