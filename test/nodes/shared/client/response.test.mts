import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { ServiceError, type FieldErrors } from '../../../../nodes/shared/client/errors.ts';
import { toServiceError, type Failure } from '../../../../nodes/shared/client/failedRequest.ts';
import { isRecord } from '../../../../nodes/shared/values/json.ts';
import { parseResponse, type Response } from '../../../../nodes/shared/client/response.ts';
import { forAny } from '../../../support/forAny.mts';

const NOT_SENT_AGAIN =
	'The request was not sent again. Check in your account at the provider before you try again.';

/** The statuses below 500 after which the service may have carried out the request: a gateway gave up waiting. */
const GAVE_UP_WAITING = [408, 444, 460, 499];

describe('a response of any kind', () => {
	const responses = fc.record({
		statusCode: fc.oneof(
			fc.integer({ min: 200, max: 599 }),
			fc.constantFrom(...GAVE_UP_WAITING, 425, 429, 503),
		),
		headers: fc.dictionary(
			fc.constantFrom('retry-after', 'location', 'content-type'),
			fc.oneof(
				fc.string(),
				fc.constantFrom('7', '0', '-3', 'soon', 'http://x/'),
				fc.array(fc.string()),
			),
		),
		body: fc.oneof(
			fc.anything(),
			fc.string(),
			fc.record(
				{
					message: fc.oneof(fc.string(), fc.anything()),
					error: fc.oneof(fc.string(), fc.anything()),
					errors: fc.oneof(fc.dictionary(fc.string(), fc.array(fc.string())), fc.anything()),
					success: fc.oneof(fc.boolean(), fc.anything()),
					data: fc.anything(),
					retry_after: fc.oneof(fc.nat(), fc.anything()),
				},
				{ requiredKeys: [] },
			),
		),
	});

	it('is data, or a failure with a message that knows whether the request may be sent again', () =>
		forAny(
			fc.tuple(responses, fc.constantFrom('GET', 'POST', 'PUT')),
			([response, method]) => {
				const { statusCode } = response;
				const outcome = parseResponse(response, '');
				if ('body' in outcome) {
					expect(statusCode).toBeLessThan(300);
					const { body } = response;
					if (Array.isArray(body)) expect(outcome.body).toEqual({ data: body });
					else if (isRecord(body)) expect(outcome.body).toBe(body);
					else {
						expect([202, 204]).toContain(statusCode);
						expect(['', null, undefined]).toContain(body);
						expect(outcome.body).toEqual({ success: true });
					}
					return;
				}
				const { failure } = outcome;
				expect(failure.received).toBe('yes');
				const saysNothing = statusCode >= 500 || GAVE_UP_WAITING.includes(statusCode);
				expect(failure.retryable ?? false).toBe(saysNothing || [425, 429].includes(statusCode));
				if (failure.retryAfterMs !== undefined) {
					expect([429, 503]).toContain(statusCode);
					expect(failure.retryAfterMs).toBeGreaterThanOrEqual(0);
				}

				const error = toServiceError(method, failure);
				expect(error).toBeInstanceOf(ServiceError);
				expect(error.message.trim()).not.toBe('');
				expect(error.message.length).toBeLessThanOrEqual(600);
				expect(error.nextStep.trim()).not.toBe('');
				expect(error.httpCode).toBe(String(statusCode));
				if (method === 'GET') expect(error.outcomeUnknown).toBe(false);
				else if (saysNothing) expect(error.outcomeUnknown).toBe(true);
				else if (statusCode >= 400) expect(error.outcomeUnknown).toBe(false);
				else if (statusCode >= 300) expect(error.outcomeUnknown).toBe(true);
				expect(error.nextStep.includes(NOT_SENT_AGAIN)).toBe(error.outcomeUnknown);
			},
			{ numRuns: 500 },
		));
});

/** The failure of a response. */
function getFailure(
	response: Partial<Response> & { statusCode: number },
	secret = 'a-token',
): Failure {
	const outcome = parseResponse({ headers: {}, body: undefined, ...response }, secret);
	if ('body' in outcome) throw new Error('The response is a success');
	return outcome.failure;
}

describe('what the service says', () => {
	const NOTHING = 'The service refused the request (status 400)';
	const NO_TOKEN = 'The service did not accept the API token';
	const WEB_PAGE = 'The service answered with a web page instead of data (status 400)';
	const WRONG = { message: 'Wrong', errors: 'Bad date' };

	it.each<[string, number, unknown, string]>([
		['as plain text', 400, 'The campaign is closed.', 'The campaign is closed.'],
		['as text in several lines', 400, ' The\n\tcampaign\r\nis closed. ', 'The campaign is closed.'],
		['as a message', 422, { message: 'No.' }, 'No.'],
		['as an error', 409, { error: 'Already there.' }, 'Already there.'],
		['as the message of an error', 400, { error: { message: 'Bad date.' } }, 'Bad date.'],
		['as a message before an error', 400, { message: 'No.', error: 'bad_request' }, 'No.'],
		['as an error where the message is empty', 400, { message: ' ', error: 'Bad.' }, 'Bad.'],
		['as a list of texts', 400, { errors: ['First.', 'Second'] }, 'First. Second.'],
		['as a list of one text', 400, { errors: ['First'] }, 'First'],
		['as one text for all errors', 422, WRONG, 'Wrong. Bad date.'],
		[
			'as a message before a list of texts',
			422,
			{ message: 'Validation failed', errors: ['First.', ' ', 'Second.'] },
			'Validation failed. First. Second.',
		],
		[
			'as a message that the list repeats',
			422,
			{ message: 'First.', errors: ['First.', 'Second.'] },
			'First. Second.',
		],
		['with a failure of its own', 500, { error: { message: 'It broke.' } }, 'It broke.'],
		['about the token', 401, { error: 'Expired.' }, `${NO_TOKEN}: Expired.`],
		['about too many requests', 429, 'Slow.', 'The service is receiving too many requests: Slow.'],
		['as a short message', 400, { msg: 'No.' }, 'No.'],
		['as a detail', 403, { title: 'Forbidden', detail: 'Not yours.' }, 'Not yours.'],
		[
			'beside the code of an error',
			403,
			{ error: 'forbidden', error_description: 'Not yours.' },
			'Not yours.',
		],
		[
			'as a list of errors with codes',
			400,
			{ errors: [{ code: 12, title: 'Closed', detail: 'The campaign is closed.' }] },
			'The campaign is closed.',
		],
		['as nothing', 400, '', NOTHING],
		['as a number', 400, { message: 7 }, NOTHING],
		['broken', 503, undefined, 'The service could not process the request (status 503)'],
		['as a web page', 400, ' <html>Bad Request</html>', WEB_PAGE],
	])('%s is shown', (_how, statusCode, body, message) => {
		expect(getFailure({ statusCode, body }).message).toBe(message);
	});

	const tooLong = (message: unknown) => ({ field: 'name', message });

	it.each<[string, unknown, FieldErrors | undefined]>([
		['by field', { name: ['Too long.', 'Taken.'] }, { name: ['Too long.', 'Taken.'] }],
		['by field, each as one text', { name: 'Too long.' }, { name: ['Too long.'] }],
		[
			'by field inside of objects',
			{ variables: { email: ['Wrong.'], address: { city: 'Unknown.' } } },
			{ 'variables.email': ['Wrong.'], 'variables.address.city': ['Unknown.'] },
		],
		[
			'by field inside of lists',
			{ schema: [{ description: ['Empty.'] }] },
			{ 'schema.description': ['Empty.'] },
		],
		[
			'as a list of fields with messages',
			[tooLong('Too long.'), { field: 'email', message: 'Wrong.' }],
			{ name: ['Too long.'], email: ['Wrong.'] },
		],
		[
			'as a list of fields with several messages',
			[tooLong(['Too long.', 'Taken.'])],
			{ name: ['Too long.', 'Taken.'] },
		],
		['as a list of fields with codes', [{ field: 'name', code: 7 }], { 'name.code': ['7'] }],
		[
			'as messages about a field with the name message',
			{ schema: [{ message: ['Empty.'], field: ['Odd.'] }] },
			{ 'schema.message': ['Empty.'], 'schema.field': ['Odd.'] },
		],
		['as nothing', {}, undefined],
		['as null', null, undefined],
	])('about wrong fields, %s, is shown by field', (_how, errors, told) => {
		const advice = told
			? 'Correct the fields named above, then try again.'
			: 'Fix the problem that the service reports, then try again.';
		const failure = getFailure({ statusCode: 422, body: { message: 'Wrong.', errors } });
		expect(failure).toMatchObject({ message: 'Wrong.', advice });
		expect(failure.errors).toEqual(told);
	});

	it.each<[string, unknown, FieldErrors]>([
		[
			'with its place in the request',
			{ detail: [{ loc: ['body', 'contacts', 0, 'email'], msg: 'Wrong.', type: 'value' }] },
			{ 'contacts.0.email': ['Wrong.'] },
		],
		[
			'with a pointer to it',
			{ errors: [{ detail: 'Wrong.', source: { pointer: '/data/attributes/email' } }] },
			{ email: ['Wrong.'] },
		],
	])('about a field, %s, is shown by field', (_how, body, errors) => {
		expect(getFailure({ statusCode: 422, body }).errors).toEqual(errors);
	});

	it('about 50,000 fields is cut to 20 messages, and says how many more there are', () => {
		const names = Array.from({ length: 50_000 }, (_, index) => `field_${index}`);
		const errors = Object.fromEntries(names.map((name) => [name, ['No.']]));
		const failure = getFailure({ statusCode: 422, body: { message: 'Wrong.', errors } });
		expect(Object.values(failure.errors ?? {}).flat()).toEqual(Array(20).fill('No.'));
		expect(failure).toMatchObject({
			omittedErrors: 49_980,
			advice: 'Correct the fields named above, then try again. The service reports 49,980 more.',
		});
	});
});

describe('an API token that the service repeats', () => {
	const TOKEN = 'sk-Very.secret+$0815';

	it('as a host to which it redirects is not shown', () => {
		const headers = { location: 'https://sk-VERY.example.com:8443/' };
		const failure = getFailure({ statusCode: 302, headers }, 'sk-very');
		expect(failure.message).toBe(
			'The service redirected the request to another address (***.example.com:8443)',
		);
	});

	it('where the text is cut is not shown in part', () => {
		const body = { message: 'x'.repeat(490) + TOKEN };
		const { message } = getFailure({ statusCode: 422, body }, TOKEN);
		expect(message).toBe(`${'x'.repeat(490)}***`);
	});

	it('in data stays', () => {
		const body = { data: { name: TOKEN } };
		expect(parseResponse({ statusCode: 200, headers: {}, body }, TOKEN)).toEqual({ body });
	});

	it('is nowhere in a failure of any kind', async () => {
		const text = fc.constantFrom(TOKEN, `x ${TOKEN} y`, 'other');
		const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 3 },
				text,
				fc.array(tie('tree'), { maxLength: 3 }),
				fc.dictionary(
					fc.oneof(text, fc.constantFrom('message', 'error', 'errors', 'field')),
					tie('tree'),
				),
			),
		}));
		const statuses = fc.constantFrom(302, 400, 401, 422, 429, 500);
		await forAny(fc.tuple(statuses, tree, text), ([statusCode, body, url]) => {
			const headers = { location: `https://${url}/`, 'retry-after': url };
			const failure = getFailure({ statusCode, headers, body }, TOKEN);
			expect(JSON.stringify(failure)).not.toMatch(/sk-very/i);
		});
	});
});

it.each(GAVE_UP_WAITING)('a gateway that gives up waiting is named: %i', (statusCode) => {
	const { message } = getFailure({ statusCode, body: { message: 'Request timed out.' } });
	expect(message).toBe(
		`The service did not answer in time (status ${statusCode}): Request timed out.`,
	);
});

it('a service in maintenance names a pause', () => {
	const headers = { 'retry-after': '7' };
	expect(getFailure({ statusCode: 503, headers }).retryAfterMs).toBe(7_000);
	expect(getFailure({ statusCode: 502, headers }).retryAfterMs).toBeUndefined();
});

it.each<[unknown, string]>([
	['<html>413</html>', 'The service refused the request because it is too large'],
	['', 'The service refused the request because it is too large'],
	[{ message: 'Too many contacts.' }, 'Too many contacts.'],
])('a request that is too large is named for the body %j', (body, message) => {
	const advice = 'Shorten the values, then try again.';
	const failure = getFailure({ statusCode: 413, body });
	expect(failure).toMatchObject({ message, advice });
	expect(toServiceError('POST', failure).nextStep).toBe(advice);
});

it('a status from 300 to 399 without an address is no redirect', () => {
	const failure = getFailure({ statusCode: 304 });
	expect(failure.message).toBe('The service answered without data (status 304)');
	const nextStep =
		'Check the Base URL in the credential: it must be the address of the API and end in /api.';
	expect(toServiceError('GET', failure).nextStep).toBe(nextStep);
	expect(toServiceError('POST', failure).nextStep).toBe(`${nextStep} ${NOT_SENT_AGAIN}`);
});

it.each<[number, string]>([
	[404, 'Check the Base URL'],
	[405, 'Check the Base URL'],
	[403, 'A firewall or gateway'],
	[409, 'A firewall or gateway'],
	[440, 'A firewall or gateway'],
])('a web page with status %i has the advice: %s', (statusCode, advice) => {
	const failure = getFailure({ statusCode, body: '<html>No</html>' });
	expect(failure.advice).toMatch(new RegExp(`^${advice}`));
});

it.each([
	[
		'<?xml version="1.0"?><error><code>7</code><message>No credit.</message></error>',
		'7 No credit.',
	],
	['<problem><title>No credit.</title><detail>Top up</detail></problem>', 'No credit. Top up'],
	['<p:error><![CDATA[No credit.]]></p:error>', 'No credit.'],
	['<error/>', 'The service refused the request (status 422)'],
])('a refusal in XML has the words in it: %s', (body, message) => {
	expect(getFailure({ statusCode: 422, body }).message).toBe(message);
});

it.each([
	'<?xml version="1.0"?><!DOCTYPE html><html>No</html>',
	'<pre>Cannot GET /ap/user/calls</pre>',
	'<h2>Not Found</h2>',
	'<script>location="/login"</script>',
])('a refusal is a web page: %s', (body) => {
	const { message, advice } = getFailure({ statusCode: 404, body });
	expect([message, advice]).toEqual([
		'The service answered with a web page instead of data (status 404)',
		expect.stringMatching(/^Check the Base URL/),
	]);
});

/** A read, or a write, that is answered with an empty list, or with other fields. */
const parseEmpty = (isRead: boolean, fields: IDataObject) =>
	parseResponse(
		{ statusCode: 200, headers: {}, isRead, body: { status: false, data: [], ...fields } },
		'token',
	);

it.each(['No records found', 'There are no results.', 'No more data', 'No calls found.'])(
	'an empty list is one that says: %s',
	(message) => {
		expect(parseEmpty(true, { message })).toHaveProperty('body');
		expect(parseEmpty(false, { message })).toMatchObject({ failure: { message } });
	},
);

it.each<IDataObject>([
	{ message: 'No account found for this API token.' },
	{ message: 'No valid API token found' },
	{ message: 'No permission to read the data.' },
	{ message: 'No records found', code: 401 },
	{ message: 'No records found', success: false, data: [{ error: 'x' }] },
])('a refusal is no empty list: %j', (fields) => {
	expect(parseEmpty(true, fields)).toHaveProperty('failure');
});

const success = (body: unknown) => parseResponse({ statusCode: 200, headers: {}, body }, 'token');

it.each([
	{ success: 'false' },
	{ success: 0, message: 'No credit.' },
	{ success: 'no', error: 'No credit.' },
	{ ok: false },
	{ error: 'Backend down', data: [] },
	{ error: { message: 'No credit.' } },
	{ errors: { phone_number: ['Bad'] } },
	{ status: 'error', message: 'No credit.' },
	{ status: 'fail', message: 'No credit.' },
	{ status: 'failed', msg: 'No credit.' },
	{ result: 'error', message: 'No credit.', data: null },
	{ status: 'fail', data: { phone_number: 'Bad' } },
	{ code: 402, message: 'No credit.', data: null },
	{ status: '404', message: 'No such campaign.' },
	{ status: false, message: 'No credit.', data: [] },
	{ status: '0', msg: 'No credit.' },
	{ status: 'NOK', message: 'No credit.' },
	{ type: 'error', message: 'No credit.' },
	{ error_code: 21211, error_message: 'No credit.' },
	{ isSuccess: false, message: 'No credit.' },
	{ success: 'N' },
	[{ error: 'No credit.' }],
])('a success that says no in its body is a refusal: %j', (body) => {
	expect(success(body)).toMatchObject({ failure: { refused: true, retryable: false } });
});

it.each([
	{ id: 7, error: 'busy', status: 'error' },
	{ data: { id: 7, status: 'failed' }, error: null, errors: {} },
	{ success: true, error: 'Nothing.' },
	{ success: 1, errors: 0 },
	{ message: 'Saved.', error: 0 },
	{ message: 'Saved.', error: 'none' },
	{ total: 12, success: 0, failed: 12 },
	{ message: 'Done.', error: false, errors: [] },
	{ status: 'failed' },
	{ status: 'failed', data: { id: 7 } },
	{ code: 402, data: null },
	{ code: 1042, message: 'Saved.' },
	{ status: 0, message: 'Saved.', data: { id: 7 } },
	{ error_code: 0, error_message: null, message: 'Saved.' },
	{ code: 402, message: 'Paid.', data: { id: 7 } },
	{ created: false, updated: true, message: 'Saved.', lead: { id: 7 } },
	{ created: 0, updated: 12, message: '12 leads updated.' },
	{ succeeded: 0, pending: 3, message: '3 queued.' },
	{ status: 'off', message: 'Campaign stopped.', campaign_id: 4 },
	{ id: 7, is_successful: false, isSuccess: false },
	{ isSuccess: false, data: { id: 7 } },
	{ id: 7, code: 402, status: 'failed', message: 'Saved.' },
])('a record with an error of its own is none: %j', (body) => {
	expect(success(body)).toEqual({ body });
});

it.each([
	[[{ id: 7, status: 'failed', error: 'busy' }]],
	[[{ sid: 'SM1', body: 'Hi', error_code: 30003 }]],
	[[{ to: '+4915112345678', status: 'failed', message: 'Hi Ada' }]],
	[[{ error: 'No credit.' }, { error: 'No credit.' }]],
])('a list of records with errors of their own is no refusal: %j', (rows) => {
	expect(success(rows)).toEqual({ body: { data: rows } });
});

it.each<[unknown, Partial<Failure>]>([
	[
		{ status: 'fail', data: { phone_number: 'Bad' } },
		{ httpCode: '200', errors: { phone_number: ['Bad'] } },
	],
	[
		{ code: 402, message: 'No credit.' },
		{ httpCode: '402', message: 'No credit.' },
	],
	[{ error_code: 21211, error_message: 'No credit.' }, { message: 'No credit.' }],
	[
		{ success: false, status: 503, message: 'Down.' },
		{ refused: false, retryable: true },
	],
])('a success that says no in its body says what is wrong: %j', (body, failure) => {
	expect(success(body)).toMatchObject({ failure });
});
