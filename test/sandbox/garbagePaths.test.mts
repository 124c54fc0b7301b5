import { describe, expect, it } from '@jest/globals';
import { expectRefused, startUnchangedService } from '../support/sandbox/unchangedService.mts';

const { raw } = await startUnchangedService();

describe('paths', () => {
	const ids = [
		'abc',
		'0',
		'-1',
		'+1',
		'1.0',
		'1.5',
		'1e3',
		'1e0',
		'0x1',
		'01',
		'%201',
		'1%20',
		'1,2',
		'1;2',
		'1%00',
		'null',
		'undefined',
		'NaN',
		'Infinity',
		'true',
		'[1]',
		'%E2%82%81',
		'99999999999999999999',
		'9007199254740993',
		'1%0A',
		"1'--",
		'1%27%20OR%201=1',
		'$1',
		'%2e%2e',
	];
	it.each([
		['/user/assistant/', 'Assistant not found'],
		['/user/leads/', 'Lead not found'],
		['/user/tools/', 'Tool not found'],
	])('%s and an id that is none → 404 %s', async (path, message) => {
		for (const id of ids) {
			const response = await raw('PUT', path + id, '{}');
			expectRefused(id, response, 404);
			expect({ id, body: response.body }).toEqual({ id, body: { message } });
		}
	});

	it('that only look like one of the service’s → an error in the service’s shape', async () => {
		for (const path of [
			'/user/assistant/../leads/1',
			'/user/assistant/1/../../leads/1',
			'/user/assistant/..',
			'/user/assistant/../',
			'/user/assistant/./1',
			'/user/assistant/1/',
			'/user/assistant/1/2',
			'/user/assistant/1%2f2',
			'/user/assistant/%2e%2e%2fleads%2f1',
			'/user/assistant/',
			'/user/assistant//1',
			'/user/assistant/%',
			'/user/assistant/%zz',
			'/user/assistant/%c0%af',
			'/user//assistant/1',
			'/../api/user/assistant/1',
			`/user/assistant/${'1'.repeat(5000)}`,
			'/user/Assistant/1',
			'/USER/assistant/1',
		]) {
			expectRefused(
				path,
				await raw('PUT', path, '{"assistant_name":"Reached"}'),
				400,
				404,
				405,
				414,
			);
		}
	});

	it('that there are none of → 404', async () => {
		for (const path of [
			'/',
			'',
			'/user',
			'/user/calls/1',
			'/user/assistants',
			'/user/leads',
			'/nothing',
			'/__sandbox/health',
		]) {
			expectRefused(path, await raw('GET', path), 404);
		}
		expectRefused(
			'enable webhook',
			await raw('POST', '/user/assistants/enable-webhook', '{}'),
			404,
		);
	});

	it('with a method that they do not have → 405', async () => {
		for (const [method, path] of [
			['GET', '/user/lead'],
			['DELETE', '/user/leads/1'],
			['PATCH', '/user/leads/1'],
			['GET', '/user/leads/1'],
			['POST', '/user/leads/1'],
			['GET', '/user/assistant'],
			['GET', '/user/assistant/1'],
			['DELETE', '/user/assistant/1'],
			['GET', '/user/tools'],
			['POST', '/user/calls'],
			['PUT', '/user/calls'],
			['GET', '/user/sms'],
			['POST', '/user/assistants/get'],
			['GET', '/user/campaigns/update-status'],
		] as const) {
			expectRefused(
				`${method} ${path}`,
				await raw(method, path, method === 'GET' ? '' : '{}'),
				405,
			);
		}
	});

	it('without a token are no secret, and no crash', async () => {
		expectRefused('/nothing', await raw('GET', '/nothing', '', { Authorization: '' }), 401, 404);
	});
});
