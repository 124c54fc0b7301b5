import { describe, expect, it } from '@jest/globals';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const calls = Array.from({ length: 150 }, (_, index) => ({
	id: index + 1,
	assistant_id: 1,
	type: 'outbound',
	status: index === 0 ? 'no-answer' : 'completed',
	duration: index === 0 ? 0 : 61,
	client_phone_number: index === 140 ? '+14155550100' : '+4915112345611',
	created_at: new Date(Date.UTC(2026, 1, 10, 9, 0, 0) - index * 60_000)
		.toJSON()
		.slice(0, 19)
		.replace('T', ' '),
}));
const { n8n, sent } = await startTestEnvironment({ calls });

const search = async (filter?: string, paginationToken?: string) =>
	await n8n.listSearch('searchCalls', { filter, paginationToken });

describe('the picker of calls', () => {
	it('shows when, who and status, and the next page when n8n asks for it', async () => {
		const first = await search();
		expect(first.results).toHaveLength(100);
		expect(first.results.slice(0, 2)).toEqual([
			{ name: '2026-02-10 09:00 · +4915112345611 · no-answer', value: '1' },
			{ name: '2026-02-10 08:59 · +4915112345611 · completed', value: '2' },
		]);
		const last = await search(undefined, first.paginationToken);
		expect(last.results).toHaveLength(50);
		expect(last.paginationToken).toBeUndefined();
		expect((await sent()).map(({ query }) => query)).toEqual(
			['1', '2'].map((page) => ({ page, per_page: '100' })),
		);
	});

	it.each([
		['141', '141'],
		['+1 (415) 555', '141'],
		['4155550100', '141'],
		['NO-ANSWER', '1'],
		['02-10 08:59', '2'],
	])('finds a call by a part of its entry, or by its ID, on any page: %s', async (filter, id) => {
		const { results } = await search(filter);
		expect(results.map(({ value }) => value)).toContain(id);
	});

	it('is empty when nothing matches', async () => {
		expect(await search('nobody')).toEqual({ results: [] });
	});
});
