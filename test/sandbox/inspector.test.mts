import { describe, expect, it } from '@jest/globals';
import { sendRequest } from '../support/sandbox/client.mts';
import { startTestService } from '../support/sandbox/testService.mts';

const service = await startTestService();

describe('the files of the inspector', () => {
	it.each([
		['/', /^text\/html/],
		['/assets/inspector.css', /^text\/css/],
		['/assets/app.mjs', /^text\/javascript/],
		['/assets/views/calls.mjs', /^text\/javascript/],
		['/assets/icon.svg', /^image\/svg/],
	])('%s comes with a policy that runs nothing else', async (path, type) => {
		const { status, headers } = await sendRequest(service.controlUrl + path);
		expect(status).toBe(200);
		expect(headers.get('content-type')).toMatch(type);
		const policy = headers.get('content-security-policy') ?? '';
		expect(policy.split('; ')).toEqual(
			expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
		);
		expect(policy).not.toContain('unsafe');
	});

	it.each(['nothing.mjs', 'tsconfig.json', '%2e%2e/control/routes.mts', '..%2f..%2findex.mts', ''])(
		'there is no /assets/%s',
		async (file) => {
			const { status } = await sendRequest(`${service.controlUrl}/assets/${file}`);
			expect(status).toBe(404);
		},
	);

	it('the address without a slash at its end leads to the page', async () => {
		const { status, headers } = await sendRequest(service.controlUrl);
		expect(status).toBe(303);
		expect(headers.get('location')).toBe('/__sandbox/');
	});
});

describe('the requests by page', () => {
	const page = async (query: string) =>
		(await service.control.request('GET', `/records/requests${query}`)).body;
	const ids = (...all: number[]) => all.map((id): unknown => expect.objectContaining({ id }));

	it('newest first, with a search, and refused ones apart', async () => {
		await service.alice.get('/user/calls');
		await service.alice.post('/user/lead', { campaign_id: 1, phone_number: 'no number_' });
		await service.alice.get('/user/calls');
		expect(await page('?limit=2')).toEqual({ data: ids(3, 2), more: true, total: 3 });
		expect(await page('?limit=2&before=2')).toEqual({ data: ids(1), more: false, total: 3 });
		expect(await page('?search=LISTcalls')).toEqual({ data: ids(3, 1), more: false, total: 2 });
		expect(await page('?search=number_')).toEqual({ data: ids(2), more: false, total: 1 });
		expect(await page('?refused=true')).toEqual({ data: ids(2), more: false, total: 1 });
		expect(await page('?refused=false')).toEqual({ data: ids(3, 1), more: false, total: 2 });
		expect(await page('?refused=true&search=calls')).toEqual({ data: [], more: false, total: 0 });
	});

	it('a wrong query is refused in words', async () => {
		const { status, body } = await service.control.request('GET', '/records/requests?limit=0');
		expect(status).toBe(422);
		expect(body).toMatchObject({ errors: { limit: [expect.any(String)] } });
	});
});
