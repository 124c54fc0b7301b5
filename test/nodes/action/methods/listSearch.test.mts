import { describe, expect, it } from '@jest/globals';
import { loadOptions } from '../../../../nodes/VoiceAssistantCalling/methods/loadOptions.ts';
import { skipWaits } from '../../../support/n8n/time.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { seedWith, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import type { JsonObject } from '../../../support/sandbox/contract.mts';
import { ALICE, newAssistant, newTool } from '../../../support/sandbox/seed.mts';
import { startOwnService } from '../../../support/sandbox/testService.mts';

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

/** A picker of an account with these records. */
async function searchIn<T>(
	records: JsonObject,
	search: (own: ReturnType<typeof n8nWith>) => Promise<T>,
): Promise<T> {
	const account = { assistants: [], tools: [], campaigns: [], leads: [], calls: [], ...records };
	await using service = await startOwnService({ seed: seedWith(account) });
	return await search(n8nWith({ baseUrl: service.url, apiToken: ALICE }));
}

const namesOf = ({ results }: { results: Array<{ name: string }> }) =>
	results.map(({ name }) => name);

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
		expect(last.results.at(-1)).toEqual({
			name: 'Assistant 250 (ID 1250, outbound)',
			value: '1250',
		});
		expect(last.paginationToken).toBeUndefined();
		expect(await pages()).toEqual(['1', '3'].map((page) => ({ page, per_page: '100' })));
	});

	it('tells assistants of one name apart, and shows one without a name', async () => {
		const own = ['Twin', 'Twin', ' '].map((name, index) => ({
			...newAssistant,
			id: 7 + index,
			assistant_name: name,
		}));
		const found = await searchIn({ assistants: own }, (one) => one.listSearch('searchAssistants'));
		expect(namesOf(found)).toEqual([
			'Twin (ID 7, outbound)',
			'Twin (ID 8, outbound)',
			'Unnamed (ID 9, outbound)',
		]);
	});

	it('leaves out what was deleted', async () => {
		const data = [
			{ id: 1, name: 'Old', type: 'inbound', deleted_at: '2026-01-01T00:00:00.000000Z' },
			{ id: 2, name: 'New', type: 'inbound', status: 'inactive', deleted_at: null },
		];
		await fault({ status: 200, body: { data, last_page: 1 } });
		const { results } = await n8n.listSearch('searchAssistants');
		expect(results).toEqual([{ name: 'New (ID 2, inbound, inactive)', value: '2' }]);
	});

	it.each([
		['assistant 20', ['Assistant 20 (ID 1020, outbound)']],
		['  INBOUND ', ['Assistant 1 (ID 1001, inbound)']],
		['7', ['Assistant 7 (ID 1007, outbound)', 'Assistant 17 (ID 1017, outbound)']],
	])('finds by a part of the name: %j', async (filter, expected) => {
		const { results } = await n8n.listSearch('searchAssistants', { filter });
		expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(expected));
		expect(
			results.every(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())),
		).toBe(true);
	});

	it('finds by ID', async () => {
		const { results } = await n8n.listSearch('searchAssistants', { filter: '1102' });
		expect(results).toEqual([{ name: 'Night desk (ID 1102, outbound)', value: '1102' }]);
	});

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
		const first = await n8n.listSearch('searchAssistants', { filter: 'assistant' });
		expect(first.results).toHaveLength(100);
		expect(first.paginationToken).toBe('2');
		expect(await pages()).toHaveLength(1);
		const rest = await n8n.listSearch('searchAssistants', {
			filter: 'assistant',
			paginationToken: '2',
		});
		expect(rest.results).toHaveLength(148);
		expect(rest.paginationToken).toBeUndefined();
	});

	it('finds nothing if no name matches', async () => {
		expect(await n8n.listSearch('searchAssistants', { filter: 'nobody' })).toEqual({ results: [] });
	});

	it('shows one assistant', async () => {
		const own = { assistants: [{ ...newAssistant, id: 3 }] };
		const found = await searchIn(own, (one) => one.listSearch('searchAssistants'));
		expect(found).toEqual({
			results: [{ name: 'Reception (ID 3, outbound)', value: '3' }],
		});
	});

	it('reads on after a failure of the service', async () => {
		await fault({ status: 500 });
		skipWaits();
		expect((await n8n.listSearch('searchAssistants')).results).toHaveLength(100);
	});
});

describe('the picker of tools', () => {
	it('shows the tools that assistants have, each once, with who has them', async () => {
		expect(await n8n.listSearch('searchTools')).toEqual({
			results: [
				{ name: 'book_table (ID 2), used by Assistant 103 and 1 other', value: '2' },
				{ name: 'get_weather (ID 1), used by Assistant 1', value: '1' },
			],
		});
	});

	it.each(['table', '2', 'assistant 103'])('finds by %j', async (filter) => {
		const { results } = await n8n.listSearch('searchTools', { filter });
		expect(results.map(({ value }) => value)).toEqual(['2']);
	});
});

describe('the picker of voices', () => {
	it('shows the voices that assistants use, with who uses them', async () => {
		const voices = [1, 10, 2].map((id) => ({ id, name: `Voice ${id}` }));
		const own = [1, 10, 2, 2, 2].map((voice, index) => ({
			...newAssistant,
			id: index + 1,
			assistant_name: `Caller ${index + 1}`,
			voice_id: voice,
		}));
		const found = await searchIn({ assistants: own, voices }, (one) =>
			one.listSearch('searchVoices'),
		);
		expect(found).toEqual({
			results: [
				{ name: 'Voice 1, used by Caller 1', value: '1' },
				{ name: 'Voice 2, used by Caller 3 and 2 others', value: '2' },
				{ name: 'Voice 10, used by Caller 2', value: '10' },
			],
		});
	});
});

describe('the picker of languages', () => {
	it('shows the languages of assistants first, then usual ones', async () => {
		const { results } = await n8n.listSearch('searchLanguages');
		expect(results[0]).toEqual({
			name: 'English, used by Assistant 1 and 249 others',
			value: 'English',
		});
		expect(results.slice(1)).toContainEqual({ name: 'German', value: 'German' });
		expect(results.filter(({ value }) => value === 'English')).toHaveLength(1);
	});

	it('finds by a part of the name', async () => {
		const { results } = await n8n.listSearch('searchLanguages', { filter: 'germ' });
		expect(results).toEqual([{ name: 'German', value: 'German' }]);
	});
});

describe('the picker of phone numbers', () => {
	/** A call a day after the assistants' records last changed. */
	const call = (id: number, assistant: number, created = '2026-03-03 09:00:00') => ({
		id,
		assistant_id: assistant,
		type: 'outbound',
		status: 'completed',
		client_phone_number: '+4915112345611',
		created_at: created,
	});
	const caller = (id: number, name: string, number?: number) => ({
		...newAssistant,
		id,
		assistant_name: name,
		...(number && { phone_number_id: number }),
	});

	it('shows the numbers of assistants, as far as calls show them', async () => {
		const own = {
			assistants: [
				caller(1, 'Caller', 1),
				caller(2, 'Caller at night', 1),
				caller(3, 'Receiver', 4),
				caller(4, 'Without'),
			],
			calls: [call(1, 1), call(2, 1), call(3, 4)],
		};
		expect(await searchIn(own, (one) => one.listSearch('searchPhoneNumbers'))).toEqual({
			results: [
				{ name: '+4915112345601 (ID 1), used by Caller and 1 other', value: '1' },
				{ name: 'Phone number (ID 4), used by Receiver', value: '4' },
			],
		});
	});

	it('shows no number when assistants of one name have different ones', async () => {
		const own = {
			assistants: [caller(1, 'Twin', 1), caller(2, 'Twin', 4)],
			calls: [call(1, 1), call(2, 2)],
		};
		const found = await searchIn(own, (one) => one.listSearch('searchPhoneNumbers'));
		expect(namesOf(found)).toEqual([
			'Phone number (ID 1), used by Twin',
			'Phone number (ID 4), used by Twin',
		]);
	});

	it('says "Maybe" when the assistant has changed since its calls', async () => {
		const own = { assistants: [caller(1, 'Caller', 1)], calls: [call(1, 1)] };
		await using service = await startOwnService({ seed: seedWith({ ...own, leads: [] }) });
		const one = n8nWith({ baseUrl: service.url, apiToken: ALICE });
		const shown = async () => namesOf(await one.listSearch('searchPhoneNumbers'));
		expect(await shown()).toEqual(['+4915112345601 (ID 1), used by Caller']);

		await service.control.advance('P2D');
		await service.alice.put('/user/assistant/1', { phone_number_id: 4 });
		expect(await shown()).toEqual(['Maybe +4915112345601 (ID 4), used by Caller']);

		await service.control.advance('PT2M');
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		expect(await shown()).toEqual(['+4915112345604 (ID 4), used by Caller']);
	});

	it.each([
		['several', ['+4915112345601', '+4915112345604'], 'Phone number'],
		['one, at an unknown time', ['+4915112345601'], 'Maybe +4915112345601'],
	])('shows no number as certain when calls show %s', async (_, numbers, shown) => {
		const calls = numbers.map((number) => ({
			assistant_name: 'Caller',
			assistant_phone_number: number,
		}));
		const own = { assistants: [caller(1, 'Caller', 1)] };
		await using service = await startOwnService({ seed: seedWith({ ...own, leads: [] }) });
		await service.control.fault({ operation: 'listCalls', status: 200, body: { data: calls } });
		const one = n8nWith({ baseUrl: service.url, apiToken: ALICE });
		expect(namesOf(await one.listSearch('searchPhoneNumbers'))).toEqual([
			`${shown} (ID 1), used by Caller`,
		]);
	});

	it('works without the calls', async () => {
		const own = { assistants: [caller(1, 'Caller', 1)], calls: [call(1, 1)] };
		await using service = await startOwnService({ seed: seedWith({ ...own, leads: [] }) });
		await service.control.fault({ operation: 'listCalls', status: 403, body: { message: 'No.' } });
		const one = n8nWith({ baseUrl: service.url, apiToken: ALICE });
		expect(namesOf(await one.listSearch('searchPhoneNumbers'))).toEqual([
			'Phone number (ID 1), used by Caller',
		]);
	});
});

describe('the picker of campaigns', () => {
	const path = '/api/user/campaigns/get';

	it('shows the campaigns, where the service lists them', async () => {
		const data = [
			{ id: 7, name: 'Spring', status: 'in-progress' },
			{ id: 8, name: 'Spring' },
			{ id: 9, name: null, status: 'stopped' },
			{ id: null, name: 'No ID' },
		];
		await fault({ status: 200, body: { data, last_page: 1 } });
		expect(await n8n.listSearch('searchCampaigns')).toEqual({
			results: [
				{ name: 'Spring (ID 7, in-progress)', value: '7' },
				{ name: 'Spring (ID 8)', value: '8' },
				{ name: 'Unnamed (ID 9, stopped)', value: '9' },
			],
		});
		expect(await sent()).toMatchObject([{ path }]);
	});

	const notListed = {
		results: [{ name: "The service does not list campaigns. Choose 'By ID'.", value: false }],
	};

	it('says that the service does not list them, and what to do', async () => {
		expect(await n8n.listSearch('searchCampaigns')).toEqual(notListed);
		expect(await sent()).toMatchObject([{ path, status: 404 }]);
	});

	it.each<[string, unknown]>([
		['a web page', '<html>Welcome</html>'],
		['nothing', ''],
		['an empty object', {}],
		['one record instead of a list', { data: { id: 7, name: 'Spring' } }],
		['another list', { campaigns: [{ id: 7 }], last_page: 3 }],
	])('says so, too, when the path answers with %s', async (_, body) => {
		await fault({ status: 200, body });
		expect(await n8n.listSearch('searchCampaigns', { filter: 'spring' })).toEqual(notListed);
		expect(await sent()).toMatchObject([{ path, status: 200 }]);
	});

	it.each([402, 429, 500])('says what is wrong when the path answers with %i', async (status) => {
		await fault({ status, times: 4, body: { message: 'Not now' } });
		skipWaits();
		await expect(n8n.listSearch('searchCampaigns')).rejects.toThrow(/Not now.*'By ID'\.$/);
	});

	it('says that there are none where the list is empty', async () => {
		await fault({ status: 200, body: { data: [], last_page: 1 } });
		expect(await n8n.listSearch('searchCampaigns')).toEqual({
			results: [{ name: "There are no campaigns. Choose 'By ID'.", value: false }],
		});
	});

	it('reads the path of the credential', async () => {
		n8n.credential = { ...n8n.credential, campaignListPath: '/user/all-campaigns' };
		await n8n.listSearch('searchCampaigns');
		n8n.credential = { ...n8n.credential, campaignListPath: 'https://other.example.com/' };
		await expect(n8n.listSearch('searchCampaigns')).rejects.toThrow(
			'The Campaign List Path of the credential is not a path. Enter a path such as /user/campaigns/get.',
		);
		expect(await sent()).toMatchObject([{ path: '/api/user/all-campaigns' }]);
	});
});

// n8n ignores a click on an entry whose value is a boolean.
describe('an account without assistants', () => {
	it.each([
		['searchAssistants', 'Your account has no assistants yet.'],
		['searchTools', "No assistant has a tool. Choose 'By ID'."],
		['searchVoices', "No assistant has a voice. Choose 'By ID'."],
		['searchPhoneNumbers', "No assistant has a phone number. Choose 'By ID'."],
	] as const)('%s says so in an entry that cannot be picked', async (method, name) => {
		const found = await searchIn({}, (one) => one.listSearch(method));
		expect(found).toEqual({ results: [{ name, value: false }] });
	});

	it('searchLanguages shows the usual ones', async () => {
		const { results } = await searchIn({}, (one) => one.listSearch('searchLanguages'));
		expect(results).toContainEqual({ name: 'English', value: 'English' });
	});
});

describe('a long list', () => {
	const envelope = (url: string, total: number) => {
		const page = Number(new URL(url, 'http://localhost').searchParams.get('page'));
		const data = Array.from({ length: 100 }, (_, index) => {
			const id = (page - 1) * 100 + index + 1;
			return { id, name: `Assistant ${id}`, type: 'inbound', voice_id: id, language: 'English' };
		});
		return { body: { data, total, per_page: 100, current_page: page, last_page: total / 100 } };
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
		const own = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' });
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
		const own = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' });
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
			const own = n8nWith({
				baseUrl: `${server.origin}/api`,
				apiToken: 'a-token',
				campaignListPath: '/user/campaigns',
			});
			await own.listSearch(method, { filter: 'nobody' });
			expect(server.requests).toHaveLength(20);
			expect(own.credentialReads).toBe(1);
		},
	);
});

it('searchLanguages shows the usual ones when the assistants cannot be read', async () => {
	await fault({ status: 401 });
	const { results } = await n8n.listSearch('searchLanguages', { filter: 'germ' });
	expect(results).toEqual([{ name: 'German', value: 'German' }]);
});

describe.each([
	['searchAssistants', "You can also choose 'By ID'."],
	['searchTools', "You can also choose 'By ID'."],
	['searchVoices', "You can also choose 'By ID'."],
	['searchPhoneNumbers', "You can also choose 'By ID'."],
] as const)('%s says what is wrong', (method, wayOut) => {
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
		await expect(n8n.listSearch(method)).rejects.toThrow(`${words} ${wayOut}`);
		expect(await sent()).toHaveLength(1);
	});
});

describe.each(['searchAssistants', 'searchCampaigns', 'searchVoices'] as const)(
	'%s says what is wrong, too,',
	(method) => {
		it('with a host that cannot be reached', async () => {
			skipWaits();
			const nowhere = n8nWith({ baseUrl: 'http://127.0.0.1:1/api', apiToken: 'lost-token' });
			await expect(nowhere.listSearch(method)).rejects.toThrow(
				"The service could not be reached: its host refused the connection. Check the Base URL in the credential, and whether this n8n can reach that host. You can also choose 'By ID'.",
			);
		});

		it('with the Base URL', async () => {
			n8n.credential = { ...n8n.credential, baseUrl: 'calls.example.com' };
			await expect(n8n.listSearch(method)).rejects.toThrow(
				/^The Base URL of the credential does not start with https:\/\/ or http:\/\/\./,
			);
		});
	},
);

describe('the list of time zones', () => {
	it('holds names in the form Area/City only', async () => {
		const zones = await loadOptions.getTimezones();
		expect(zones.length).toBeGreaterThan(300);
		expect(zones).toContainEqual({ name: 'Europe/Berlin', value: 'Europe/Berlin' });
		for (const { name, value } of zones) {
			expect(name).toBe(value);
			expect(value).toMatch(/^[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z_'-]+)+$/);
		}
	});
});
