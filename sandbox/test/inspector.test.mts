import { expect, it } from '@jest/globals';
import { sendRequest } from './support/client.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

it.each([
	['/', /^text\/html/],
	['/assets/inspector.css', /^text\/css/],
	['/assets/app.mjs', /^text\/javascript/],
	['/assets/views/calls.mjs', /^text\/javascript/],
	['/assets/vendor/preact.js', /^text\/javascript/],
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
