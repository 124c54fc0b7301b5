import { expect, it } from '@jest/globals';
import { startCall } from '../support/calls.mts';
import { ask } from '../support/providers.mts';
import { startOwnService } from '../support/testService.mts';

const ASSISTANTS = '/user/assistants/get';
const CALLS = '/user/calls';

it('page-envelope meta: data, links and meta, with nothing else at the top', async () => {
	await using own = await startOwnService({ assume: { 'page-envelope': 'meta' } });
	const url = `${own.url}${ASSISTANTS}?per_page=1&page=`;
	const { body } = await ask(own, 'GET', `${ASSISTANTS}?per_page=1`);
	expect(body).toEqual({
		data: [expect.objectContaining({ id: 1 })],
		links: { first: `${url}1`, last: `${url}2`, prev: null, next: `${url}2` },
		meta: {
			...{ current_page: 1, from: 1, last_page: 2, per_page: 1, to: 1, total: 2 },
			path: `${own.url}${ASSISTANTS}`,
			links: expect.arrayContaining([{ url: `${url}2`, label: '2', active: false }]),
		},
	});
});

it.each([
	['in-data', { data: { data: [{ id: 1 }], total: 2, last_page: 2 } }],
	['has-more', { data: [{ id: 1 }], has_more: true, next_cursor: '1' }],
	['bare', [{ id: 1 }]],
])('page-envelope %s', async (envelope, page) => {
	await using own = await startOwnService({ assume: { 'page-envelope': envelope } });
	expect((await ask(own, 'GET', `${ASSISTANTS}?per_page=1`)).body).toMatchObject(page);
});

it.each(['flat', 'meta'])('missing-fields of a page that is %s', async (envelope) => {
	const page = ['total', 'last_page', 'last_page_url', 'links'];
	await using own = await startOwnService({
		assume: { 'missing-fields': { page }, 'page-envelope': envelope },
	});
	const { body } = await ask(own, 'GET', `${ASSISTANTS}?per_page=1`);
	const url = `${own.url}${ASSISTANTS}?per_page=1&page=`;
	const meta = { current_page: 1, from: 1, path: `${own.url}${ASSISTANTS}`, per_page: 1, to: 1 };
	const data = [expect.objectContaining({ id: 1 })];
	expect(body).toEqual(
		envelope === 'meta'
			? { data, links: { first: `${url}1`, prev: null, next: `${url}2` }, meta }
			: { data, ...meta, first_page_url: `${url}1`, prev_page_url: null, next_page_url: `${url}2` },
	);
});

it('largest-page refused: the standard is no larger than it', async () => {
	const assume = { 'largest-page': { size: 5, above: 'refused' } };
	await using own = await startOwnService({ assume });
	expect((await ask(own, 'GET', CALLS)).body).toMatchObject({ per_page: 5 });
});

it.each([ASSISTANTS, CALLS])('largest-page capped: %s gives fewer', async (path) => {
	const assume = {
		'largest-page': { size: 1, above: 'capped' },
	};
	await using own = await startOwnService({ assume });
	await startCall(own);
	for (const wanted of [1, 100, 101]) {
		const { body, status } = await ask(own, 'GET', `${path}?per_page=${wanted}`);
		expect({ status, body }).toMatchObject({ status: 200, body: { per_page: 1, to: 1 } });
	}
	expect((await ask(own, 'GET', `${path}?per_page=0`)).status).toBe(422);
});

it('page-beyond-the-last not-found: not for the first page of an empty list', async () => {
	await using own = await startOwnService({ assume: { 'page-beyond-the-last': 'not-found' } });
	expect((await ask(own, 'GET', CALLS)).status).toBe(200);
	expect((await ask(own, 'GET', `${CALLS}?page=2`)).status).toBe(404);
});

it('the path of a list cannot be that of another one', async () => {
	const assume = { 'list-assistants-path': '/user/calls' };
	await expect(startOwnService({ assume })).rejects.toThrow(/^Another operation is GET \/user/);
});

it.each(['/assistants', '/user/lead'])('list-assistants-path %s', async (path) => {
	await using own = await startOwnService({ assume: { 'list-assistants-path': path } });
	expect((await ask(own, 'GET', path)).body).toMatchObject({
		data: [{ id: 1 }, { id: 2 }],
		path: `${own.url}${path}`,
		first_page_url: `${own.url}${path}?page=1`,
	});
	expect((await ask(own, 'GET', ASSISTANTS)).status).toBe(404);
	// What else has this path is still there.
	expect((await ask(own, 'POST', '/user/lead', {})).status).toBe(422);
});
