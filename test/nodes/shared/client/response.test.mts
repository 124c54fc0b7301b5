import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError, type FieldErrors } from '../../../../nodes/shared/client/errors.ts';
import { toServiceError, type Failure } from '../../../../nodes/shared/client/failedRequest.ts';
import {
	parseCreated,
	parseResponse,
	type ReceivedResponse,
} from '../../../../nodes/shared/client/response.ts';
import { isRecord } from '../../../../nodes/shared/values/json.ts';
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
		content: fc.oneof(
			fc.string().map((body) => ({ body, isJson: false })),
			fc
				.oneof(
					fc.jsonValue(),
					fc.record(
						{
							message: fc.jsonValue(),
							error: fc.jsonValue(),
							errors: fc.oneof(fc.dictionary(fc.string(), fc.array(fc.string())), fc.jsonValue()),
							success: fc.oneof(fc.boolean(), fc.jsonValue()),
							data: fc.jsonValue(),
							retry_after: fc.oneof(fc.nat(), fc.jsonValue()),
						},
						{ requiredKeys: [] },
					),
				)
				.map((body) => ({ body, isJson: true })),
		),
	});

	it('is data, or a failure with a message that knows whether the request may be sent again', () =>
		forAny(
			fc.tuple(responses, fc.constantFrom('GET', 'POST', 'PUT')),
			([{ content, ...begun }, method]) => {
				const { statusCode } = begun;
				const { body, isJson } = content;
				const isRead = method === 'GET';
				const outcome = parseResponse({ ...begun, ...content, isRead }, '');
				if ('body' in outcome) {
					expect(statusCode).toBeLessThan(300);
					if (isJson) expect(outcome.body).toEqual(isRecord(body) ? body : { data: body });
					else {
						expect([typeof body === 'string' ? body.trim() : '', isRead]).toEqual(['', false]);
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
				if (statusCode < 300) expect(isJson).toBe(false);
				expect(error.nextStep.trim()).not.toBe('');
				expect(error.httpCode).toBe(String(statusCode));
				if (isRead) expect(error.outcomeUnknown).toBe(false);
				else if (saysNothing) expect(error.outcomeUnknown).toBe(true);
				else if (statusCode >= 400) expect(error.outcomeUnknown).toBe(false);
				else expect(error.outcomeUnknown).toBe(true);
				expect(error.nextStep.includes(NOT_SENT_AGAIN)).toBe(error.outcomeUnknown);
			},
			{ numRuns: 500 },
		));
});

/** The failure of a response. */
function getFailure(
	response: Partial<ReceivedResponse> & { statusCode: number },
	secret = 'a-token',
): Failure {
	const { body = '' } = response;
	const isJson = typeof body !== 'string';
	const outcome = parseResponse({ headers: {}, isJson, ...response, body }, secret);
	if ('body' in outcome) throw new Error('The response is a success');
	return outcome.failure;
}

describe('what the service says', () => {
	const NOTHING = 'The service refused the request (status 400)';
	const NO_TOKEN = 'The service did not accept the API token';
	const WEB_PAGE = 'The service answered with a web page instead of data (status 400)';

	it.each<[string, number, unknown, string]>([
		['as plain text', 400, 'The campaign is closed.', 'The campaign is closed.'],
		['as text in several lines', 400, ' The\n\tcampaign\r\nis closed. ', 'The campaign is closed.'],
		['as XML', 422, '<error><code>7</code></error>', '<error><code>7</code></error>'],
		['as a message', 422, { message: 'No.' }, 'No.'],
		['as an error', 409, { error: 'Already there.' }, 'Already there.'],
		['as a message and an error', 500, { message: 'No', error: 'Carrier' }, 'No. Carrier.'],
		['as a message that the error repeats', 400, { message: 'No', error: 'No' }, 'No'],
		['as an error where the message is empty', 400, { message: ' ', error: 'Bad.' }, 'Bad.'],
		['about the token', 401, { error: 'Expired.' }, `${NO_TOKEN}: Expired.`],
		['about too many requests', 429, 'Slow.', 'The service is receiving too many requests: Slow.'],
		['as nothing', 400, '', NOTHING],
		['as an empty object', 400, {}, NOTHING],
		['as an empty list', 400, [], NOTHING],
		['as null', 400, null, NOTHING],
		['as a number', 400, 7, NOTHING],
		['as a number for a message', 400, { message: 7 }, `${NOTHING}: {"message":7}`],
		['in other fields', 400, { msg: 'No.', code: 7 }, `${NOTHING}: {"msg":"No.","code":7}`],
		['as a list', 400, [{ error: 'No.' }], `${NOTHING}: [{"error":"No."}]`],
		[
			'in another form',
			400,
			{ error: { message: 'No.' } },
			`${NOTHING}: {"error":{"message":"No."}}`,
		],
		['in a long body', 400, { x: 'y'.repeat(999) }, `${NOTHING}: {"x":"${'y'.repeat(194)}…`],
		['broken', 503, undefined, 'The service could not process the request (status 503)'],
		['as a web page', 400, ' <html>Bad Request</html>', WEB_PAGE],
		['as a web page of XML', 400, '<?xml version="1.0"?><!DOCTYPE html><html>No</html>', WEB_PAGE],
	])('%s is shown', (_how, statusCode, body, message) => {
		expect(getFailure({ statusCode, body }).message).toBe(message);
	});

	it.each<[string, unknown, FieldErrors | undefined]>([
		['by field', { name: ['Too long.', 'Taken.'] }, { name: ['Too long.', 'Taken.'] }],
		['by field, each as one text', { name: 'Too long.' }, { name: ['Too long.'] }],
		[
			'by field, in another form',
			{ name: [{ code: 7 }, null], variables: { email: ['Wrong.'] } },
			{ name: ['{"code":7}', 'null'], variables: ['{"email":["Wrong."]}'] },
		],
		[
			'by fields named as those of prototypes',
			JSON.parse('{"constructor":["No."],"toString":"No.","__proto__":["No."]}'),
			JSON.parse('{"constructor":["No."],"toString":["No."],"__proto__":["No."]}'),
		],
		['as a list', [{ field: 'name', message: 'Too long.' }], undefined],
		['as nothing', {}, undefined],
		['as null', null, undefined],
	])('about wrong fields, %s, is shown by field', (_how, errors, told) => {
		const advice = told
			? `Correct ${Object.keys(told).length === 1 ? 'this field' : 'these fields'}, then try again.`
			: 'Fix the problem that the service reports, then try again.';
		const failure = getFailure({ statusCode: 422, body: { message: 'Wrong.', errors } });
		expect(failure).toMatchObject({ message: 'Wrong.', advice });
		expect(failure.errors).toEqual(told);
	});

	it('about 50,000 fields is cut to 20 messages, and says how many more there are', () => {
		const names = Array.from({ length: 50_000 }, (_, index) => `field_${index}`);
		const errors = Object.fromEntries(names.map((name) => [name, ['No.']]));
		const failure = getFailure({ statusCode: 422, body: { message: 'Wrong.', errors } });
		expect(Object.values(failure.errors ?? {}).flat()).toEqual(Array(20).fill('No.'));
		expect(failure).toMatchObject({
			omittedErrors: 49_980,
			advice: 'Correct these fields, then try again. The service reports 49,980 more.',
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
		const response = { statusCode: 200, headers: {}, body, isJson: true };
		expect(parseResponse(response, TOKEN)).toEqual({ body });
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

/** What a success becomes. */
const success = (body: unknown, more: Partial<ReceivedResponse> = {}, parse = parseResponse) =>
	parse({ statusCode: 200, headers: {}, body, isJson: true, ...more }, 'a-token');

/** The failure of a success, as the user sees it. */
function failureOf(method: 'GET' | 'POST', outcome: ReturnType<typeof success>) {
	if ('body' in outcome) throw new Error('The response is a success');
	return toServiceError(method, outcome.failure);
}

it.each<unknown>([
	{ success: false, message: 'No credit.' },
	{ error: 'Backend down', errors: 2, data: [] },
	{ status: 'failed', message: 'The export has failed.', progress: 40 },
	{ code: '404', message: 'Lead updated successfully' },
	{ message: 'No records found', status: false, data: [] },
	{ errors: { phone_number: ['Bad'] } },
])('no word of a body decides whether it is a success: %j', (body) => {
	expect(success(body)).toEqual({ body });
	expect(success(body, { isRead: true })).toEqual({ body });
});

describe('a success that is no JSON', () => {
	it.each([
		['<html>Hello a-token</html>', '<html>Hello ***</html>'],
		['x'.repeat(999), `${'x'.repeat(200)}…`],
	])('leaves the outcome of a write unknown, and is shown: %s', (body, shown) => {
		expect(failureOf('POST', success(body, { isJson: false }))).toMatchObject({
			message:
				'The service answered with a web page or text instead of data (status 200); the request may have been carried out',
			nextStep: `The answer begins: ${shown} ${NOT_SENT_AGAIN}`,
			outcomeUnknown: true,
		});
	});
});

describe('the response to a create', () => {
	const WITHOUT =
		'The service answered without the record that it should have created (status 200)';

	it.each<[unknown, string, string]>([
		[{ message: 'Insufficient balance', data: null }, ': Insufficient balance', '{"message":'],
		[{ data: [{ id: 1 }, { id: 2 }] }, '', '{"data":[{"id":1},{"id":2}]}'],
		[{ id: 1 }, '', '{"id":1}'],
		[[], '', '[]'],
	])('has an unknown outcome without one: %j', (body, words, shown) => {
		const { message, nextStep, outcomeUnknown } = failureOf(
			'POST',
			success(body, {}, parseCreated),
		);
		expect(message).toBe(`${WITHOUT}${words}; the request may have been carried out`);
		expect(nextStep).toContain(`The answer begins: ${shown}`);
		expect(outcomeUnknown).toBe(true);
	});
});
