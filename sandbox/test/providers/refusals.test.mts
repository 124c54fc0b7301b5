import { describe, expect, it } from '@jest/globals';
import { LEAD_PHONE_NUMBER } from '../support/calls.mts';
import { addLead, ask } from '../support/providers.mts';
import { startOwnService } from '../support/testService.mts';

it.each([
	['PUT', '/user/assistant/{id}', {}],
	['PUT', '/user/tools/{id}', {}],
	['PUT', '/user/leads/{id}', {}],
	['PUT', '/user/leads/1', { campaign_id: '{id}' }],
	['POST', '/user/campaigns/update-status', { campaign_id: '{id}', action: 'stop' }],
	['POST', '/user/assistants/disable-webhook', { assistant_id: '{id}' }],
])('authorization-failures forbidden: %s %s %j', async (method, path, body) => {
	await using own = await startOwnService({ assume: { 'authorization-failures': 'forbidden' } });
	const statusFor = async (id: number) => {
		const json = JSON.parse(JSON.stringify(body).replace('"{id}"', String(id))) as object;
		return (await ask(own, method, path.replace('{id}', String(id)), { ...json })).status;
	};
	// Bob's, nobody's, and her own.
	expect([await statusFor(101), await statusFor(999), await statusFor(1)]).toEqual([403, 404, 200]);
});

const MESSAGE = 'The selected campaign does not exist';
const INVALID = { message: 'Validation failed', errors: { campaign_id: [MESSAGE] } };

it.each([
	['success', { success: false, ...INVALID }],
	['has-error', { hasError: true, ...INVALID }],
	['status', { status: false, message: MESSAGE, data: [] }],
	['error-code', { error_code: 1001, error_message: MESSAGE }],
	['list', [{ error: MESSAGE }]],
])('refusal-form %s', async (form, body) => {
	const assume = { 'validation-status': 200, 'refusal-form': form };
	await using own = await startOwnService({ assume });
	const response = await addLead(own, { campaign_id: 999 });
	expect([response.status, response.body]).toEqual([200, body]);
});

it('lead-duplicate-refusal taken', async () => {
	await using own = await startOwnService({ assume: { 'lead-duplicate-refusal': 'taken' } });
	const { status, body } = await addLead(own, { phone_number: LEAD_PHONE_NUMBER });
	const taken = { phone_number: ['The phone number has already been taken.'] };
	expect({ status, body }).toEqual({
		status: 422,
		body: { message: 'Validation failed', errors: taken },
	});
});

describe('retry-after', () => {
	it.each([
		['seconds', '60', 60],
		['date', 'Mon, 02 Mar 2026 09:01:00 GMT', undefined],
		['none', null, undefined],
	])('%s', async (form, header, seconds) => {
		const assume = { 'rate-limit': { requests: 1, per: 'PT1M' }, 'retry-after': form };
		await using own = await startOwnService({ assume });
		await ask(own, 'GET', '/user/calls');
		const { status, headers, body } = await ask(own, 'GET', '/user/calls');
		expect([status, headers.get('retry-after')]).toEqual([429, header]);
		expect(body).toEqual({
			message: 'Too Many Attempts.',
			...(seconds !== undefined && { retry_after: seconds }),
		});
	});
});
