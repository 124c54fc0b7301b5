import { describe, expect, it } from '@jest/globals';
import { loadOptions } from '../../../../nodes/VoiceAssistantCalling/methods/loadOptions.ts';
import { skipWaits } from '../../../support/n8n/time.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { newAssistant, newTool } from '../../../support/sandbox/seed.mts';

const assistants = Array.from({ length: 103 }, (_, index) => ({
	...newAssistant,
	id: 1001 + index,
	assistant_name: index === 101 ? 'Night desk' : `Assistant ${index + 1}`,
	calls_direction: index === 0 ? 'receive' : 'make',
	tool_ids: index === 0 ? [1] : index === 102 ? [2] : [],
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

const pages = async () => (await sent()).map(({ query }) => query);

describe('the picker of assistants', () => {
	it('shows a page, and the next ones when n8n asks for them', async () => {
		const first = await n8n.listSearch('searchAssistants');
		expect(first.results).toHaveLength(100);
		expect(first.results.slice(0, 2)).toEqual([
			{ name: 'Assistant 1 (inbound)', value: '1001' },
			{ name: 'Assistant 2 (outbound)', value: '1002' },
		]);
		expect(first.paginationToken).toBe('2');

		const last = await n8n.listSearch('searchAssistants', { paginationToken: '2' });
		expect(last.results).toEqual([
			{ name: 'Assistant 101 (outbound)', value: '1101' },
			{ name: 'Night desk (outbound)', value: '1102' },
			{ name: 'Assistant 103 (outbound)', value: '1103' },
		]);
		expect(last.paginationToken).toBeUndefined();
		expect(await pages()).toEqual(['1', '2'].map((page) => ({ page, per_page: '100' })));
	});

	it.each([
		['assistant 20', ['Assistant 20 (outbound)']],
		['  INBOUND ', ['Assistant 1 (inbound)']],
		['7', ['Assistant 7 (outbound)', 'Assistant 17 (outbound)']],
	])('finds by a part of the name: %j', async (filter, expected) => {
		const { results } = await n8n.listSearch('searchAssistants', { filter });
		expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(expected));
		expect(
			results.every(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())),
		).toBe(true);
	});

	it('finds by ID', async () => {
		const { results } = await n8n.listSearch('searchAssistants', { filter: '1102' });
		expect(results).toEqual([{ name: 'Night desk (outbound)', value: '1102' }]);
	});

	it('finds a record on a later page', async () => {
		const { results, paginationToken } = await n8n.listSearch('searchAssistants', {
			filter: 'night',
		});
		expect(results).toEqual([{ name: 'Night desk (outbound)', value: '1102' }]);
		expect(paginationToken).toBeUndefined();
		expect(await pages()).toHaveLength(2);
	});

	it('finds nothing if no name matches', async () => {
		expect(await n8n.listSearch('searchAssistants', { filter: 'nobody' })).toEqual({ results: [] });
	});

	it('reads on after a failure of the service', async () => {
		await fault({ status: 500 });
		skipWaits();
		expect((await n8n.listSearch('searchAssistants')).results).toHaveLength(100);
	});
});

describe('the picker of tools', () => {
	it('shows the tools that assistants have, each once', async () => {
		const first = await n8n.listSearch('searchTools');
		expect(first).toEqual({ results: [{ name: 'get_weather', value: '1' }], paginationToken: '2' });
		const rest = await n8n.listSearch('searchTools', { paginationToken: '2' });
		expect(rest).toEqual({ results: [{ name: 'book_table', value: '2' }] });
	});

	it('finds by name', async () => {
		const { results } = await n8n.listSearch('searchTools', { filter: 'table' });
		expect(results).toEqual([{ name: 'book_table', value: '2' }]);
	});
});

describe.each(['searchAssistants', 'searchTools'] as const)('%s says what is wrong', (method) => {
	const BY_ID = "You can also choose 'By ID'.";

	it.each<[string, Record<string, unknown>, string]>([
		[
			'with the token',
			{ status: 401 },
			'The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
		],
		[
			'with the path',
			{ status: 404, body: '<html>Not Found</html>' },
			'The service has no list of assistants at /user/assistants/get. Check the Base URL in the credential. If it is right, ask your provider for the path of the list and enter it as Assistant List Path in the credential.',
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
		await expect(n8n.listSearch(method)).rejects.toThrow(`${words} ${BY_ID}`);
		expect(await sent()).toHaveLength(1);
	});

	it('with a host that cannot be reached', async () => {
		skipWaits();
		const nowhere = n8nWith({ baseUrl: 'http://127.0.0.1:1/api', apiToken: 'lost-token' });
		await expect(nowhere.listSearch(method)).rejects.toThrow(
			`The service could not be reached: its host refused the connection. Check the Base URL in the credential, and whether this n8n can reach that host. ${BY_ID}`,
		);
	});

	it('with the Base URL', async () => {
		n8n.credential = { ...n8n.credential, baseUrl: 'calls.example.com' };
		await expect(n8n.listSearch(method)).rejects.toThrow(
			/^The Base URL of the credential does not start with https:\/\/ or http:\/\/\./,
		);
	});
});

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
