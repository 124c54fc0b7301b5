import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import {
	isRead,
	leadPerItem,
	OPERATIONS,
	operationNamed,
	people,
	READS,
	WRITES,
	type OperationCase,
} from '../../../support/n8n/operations.mts';
import { skipWaits } from '../../../support/n8n/time.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent, fault } = await startTestEnvironment();

const NOT_SENT_AGAIN =
	'The service may have carried out the request, so it was not sent again. Check in your account at the provider before you try again.';

afterEach(() => {
	jest.restoreAllMocks();
});

/** Chooses each wait before another try: 0 for the longest, and almost 1 for half of it. */
const chooseWaits = (random: number) => jest.spyOn(Math, 'random').mockReturnValue(random);

/** Runs an operation. @returns the error of its item */
async function errorOf({ parameters }: OperationCase) {
	const { output } = await n8n.runNode({
		parameters,
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output[0]).toEqual([]);
	expect(output[1]).toHaveLength(1);
	return output[1][0]?.json.error;
}

const statuses = async () => (await sent()).map(({ status }) => status);

describe.each(OPERATIONS)('$name', (operation) => {
	const { operationId, parameters, output } = operation;
	const succeeds = async () => {
		const outcome = await n8n.runNode({ parameters });
		expect(outcome.error).toBeUndefined();
		expect(outcome.output[0][0]?.json).toEqual(expect.objectContaining(output));
	};

	it('shows every field of a validation error', async () => {
		const errors = { one: ['First.', 'Second.'], 'two.0.name': ['Third.'] };
		await fault({ status: 422, body: { message: 'Validation failed', errors } });
		expect(await errorOf(operation)).toEqual({
			result: 'refused',
			message: "'one': First.",
			description:
				"'one': First.\n'one': Second.\n'two.0.name': Third.\nCorrect the fields named above, then try again.",
			httpCode: '422',
			errors,
		});
		expect(await statuses()).toEqual([422]);
	});

	it('waits as long as a rate limit asks, and then sends once more', async () => {
		await fault({ operation: operationId, status: 429, headers: { 'Retry-After': '7' } });
		skipWaits();
		const start = Date.now();
		await succeeds();
		expect(Date.now() - start).toBe(7_000);
		expect(await statuses()).toEqual([429, expect.any(Number)]);
	});

	it('treats a web page as an error', async () => {
		await fault({ status: 200, body: '<!DOCTYPE html><title>Welcome</title>' });
		expect(await errorOf(operation)).toEqual({
			result: isRead(operation) ? 'failed' : 'unknown',
			message: 'The service answered with a web page or text instead of data (status 200)',
			description: `Check the Base URL in the credential: it must be the address of the API and end in /api.${isRead(operation) ? '' : ` ${NOT_SENT_AGAIN}`}`,
			httpCode: '200',
			errors: {},
		});
		expect(await statuses()).toEqual([200]);
	});

	it('treats an empty response as an error', async () => {
		await fault({ status: 200, body: '' });
		expect(await errorOf(operation)).toEqual({
			result: isRead(operation) ? 'failed' : 'unknown',
			message: 'The service answered without content (status 200)',
			description: isRead(operation)
				? 'Try again later. If it fails again, ask your provider.'
				: NOT_SENT_AGAIN,
			httpCode: '200',
			errors: {},
		});
		expect(await statuses()).toEqual([200]);
	});

	it('does not follow a redirect', async () => {
		await fault({ status: 302, headers: { Location: `${n8n.credential.baseUrl}/user/calls` } });
		expect(await errorOf(operation)).toMatchObject({ httpCode: '302' });
		expect(await statuses()).toEqual([302]);
	});
});

/** Faults after which it is unknown whether the service executed the request. */
const UNCERTAIN = [
	{ drop: 'before' },
	{ drop: 'after' },
	{ status: 500 },
	{ status: 502, body: '<html>Bad Gateway</html>' },
	{ status: 503, headers: { 'Retry-After': '1' } },
	{ status: 200, body: '' },
	{ status: 200, body: '<html>Welcome</html>' },
	{ status: 302, headers: { Location: '/api/user/calls' } },
];

describe.each(WRITES)('$name, a write', (operation) => {
	it.each(['before', 'after'])(
		'is sent once when the connection closes %s it is done',
		async (drop) => {
			await fault({ drop });
			expect(await errorOf(operation)).toEqual({
				result: 'unknown',
				message: 'The connection to the service was closed before it answered',
				description: NOT_SENT_AGAIN,
				httpCode: 'ECONNRESET',
				errors: {},
			});
			expect(await sent()).toHaveLength(1);
		},
	);

	it.each([500, 502, 503])('is sent once when the service fails with %i', async (status) => {
		await fault({ status });
		expect(await errorOf(operation)).toMatchObject({
			description: NOT_SENT_AGAIN,
			httpCode: String(status),
		});
		expect(await statuses()).toEqual([status]);
	});

	it.each(UNCERTAIN)('is not sent again by Retry On Fail after %j', async (rule) => {
		await fault(rule);
		const { error } = await n8n.runNode({
			parameters: operation.parameters,
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(error).toBeDefined();
		expect(await sent()).toHaveLength(1);
	});

	it('is sent again by Retry On Fail when it was refused', async () => {
		await fault({ status: 422 });
		const { output, error } = await n8n.runNode({
			parameters: operation.parameters,
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(1);
		expect(await sent()).toHaveLength(2);
	});
});

describe.each(READS)('$name, a read', (operation) => {
	const { parameters, output } = operation;

	it.each([{ drop: 'before' }, { drop: 'after' }, { status: 500 }, { status: 503 }])(
		'is repeated after %j',
		async (rule) => {
			await fault(rule);
			skipWaits();
			const outcome = await n8n.runNode({ parameters });
			expect(outcome.error).toBeUndefined();
			expect(outcome.output[0][0]?.json).toEqual(expect.objectContaining(output));
			expect(await sent()).toHaveLength(2);
		},
	);

	it('is given up after four tries, with waits of 0.5, 1 and 2 seconds', async () => {
		await fault({ status: 500, times: 10 });
		skipWaits();
		chooseWaits(0);
		const start = Date.now();
		expect(await errorOf(operation)).toEqual({
			result: 'failed',
			message: 'Server Error',
			description: 'Try again later. If it fails again, ask your provider.',
			httpCode: '500',
			errors: {},
		});
		expect(Date.now() - start).toBe(3_500);
		expect(await statuses()).toEqual([500, 500, 500, 500]);
	});
});

describe('reads that fail at the same moment', () => {
	const { parameters } = operationNamed('call: getAll');

	it('come back at different moments, after half of the longest waits at least', async () => {
		await fault({ status: 500, times: 100 });
		skipWaits();
		const waits: number[] = [];
		for (let run = 0; run < 10; run++) {
			const start = Date.now();
			expect((await n8n.runNode({ parameters })).error).toBeDefined();
			waits.push(Date.now() - start);
		}
		for (const ms of waits) {
			expect(ms).toBeGreaterThanOrEqual(1_750);
			expect(ms).toBeLessThanOrEqual(3_500);
		}
		expect(new Set(waits).size).toBeGreaterThan(1);
	});
});

describe('other responses', () => {
	const lead = operationNamed('lead: create');

	it.each<[number, unknown, string, string]>([
		[
			401,
			{ message: 'Unauthenticated.' },
			'The service did not accept the API token: Unauthenticated.',
			'Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
		],
		[
			401,
			'<html>Login</html>',
			'The service did not accept the API token',
			'Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
		],
		[
			402,
			{ message: 'Insufficient balance.' },
			'Insufficient balance.',
			'Top up the account at your provider, then try again.',
		],
		[
			403,
			{},
			'The service refused the request (status 403)',
			'Ask the owner of the account for the permission, or use another API token.',
		],
		[
			404,
			'<html>Not Found</html>',
			'The service answered with a web page instead of data (status 404)',
			'Check the Base URL in the credential: it must be the address of the API and end in /api.',
		],
		[
			422,
			{ message: 'Your plan allows 10 mid call tools. Please upgrade your plan.' },
			'Your plan allows 10 mid call tools. Please upgrade your plan.',
			'Fix the problem that the service reports, then try again.',
		],
		[418, { message: 'No coffee here.' }, 'No coffee here.', 'Change the request and try again.'],
		[
			200,
			{ success: false, message: 'The campaign has no leads.' },
			'The campaign has no leads.',
			'Change the request and try again.',
		],
	])('%i with %j has a message', async (status, body, message, description) => {
		await fault({ status, body });
		expect(await errorOf(lead)).toEqual({
			result: 'refused',
			message,
			description,
			httpCode: String(status),
			errors: {},
		});
		expect(await statuses()).toEqual([status]);
	});

	it('a wrong token gives a message after one request', async () => {
		n8n.credential = { ...n8n.credential, apiToken: 'mistyped' };
		expect(await errorOf(lead)).toMatchObject({
			message: 'The service did not accept the API token: Unauthenticated.',
			httpCode: '401',
		});
		expect(await statuses()).toEqual([401]);
	});

	it('a refused connection has another message than a closed connection', async () => {
		n8n.credential = { ...n8n.credential, baseUrl: 'http://127.0.0.1:1/api' };
		expect(await errorOf(lead)).toEqual({
			result: 'failed',
			message: 'The service could not be reached: its host refused the connection',
			description:
				'Check the Base URL in the credential, and whether this n8n can reach that host.',
			httpCode: 'ECONNREFUSED',
			errors: {},
		});
	});
});

describe('a rate limit', () => {
	const { parameters } = operationNamed('lead: create');

	it.each<[string, { [key: string]: unknown }, number]>([
		['the header in seconds', { headers: { 'Retry-After': '3' } }, 3_000],
		['the body', { body: { message: 'Slow down', retry_after: 4 } }, 4_000],
		[
			'the header before the body',
			{ headers: { 'Retry-After': '2' }, body: { retry_after: 9 } },
			2_000,
		],
		['the default of half a second', {}, 500],
	])('is waited for as long as %s says', async (_what, rule, wait) => {
		await fault({ status: 429, ...rule });
		skipWaits();
		chooseWaits(0);
		const start = Date.now();
		expect((await n8n.runNode({ parameters })).error).toBeUndefined();
		expect(Date.now() - start).toBe(wait);
	});

	it('is waited for until the date in the header', async () => {
		skipWaits();
		const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 5_000);
		await fault({ status: 429, headers: { 'Retry-After': until.toUTCString() } });
		expect((await n8n.runNode({ parameters })).error).toBeUndefined();
		expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
		expect(Date.now()).toBeLessThan(until.getTime() + 500);
	});

	it('ends the item after four tries', async () => {
		await fault({ status: 429, headers: { 'Retry-After': '1' }, times: 10 });
		skipWaits();
		expect(await errorOf(operationNamed('lead: create'))).toEqual({
			result: 'refused',
			message: 'The service is receiving too many requests: Too Many Attempts.',
			description: 'Try again later, or send fewer requests at once.',
			httpCode: '429',
			errors: {},
		});
		expect(await statuses()).toEqual([429, 429, 429, 429]);
	});

	it.each(['1e308', '0x10', '-3', '1,5', 'soon'])(
		'of %s is none, so the default is waited for',
		async (header) => {
			await fault({ status: 429, headers: { 'Retry-After': header } });
			skipWaits();
			chooseWaits(0);
			const start = Date.now();
			expect((await n8n.runNode({ parameters })).error).toBeUndefined();
			expect(Date.now() - start).toBe(500);
		},
	);

	it.each(['9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
		'of %s is told as more than a day, also to items that were not sent',
		async (header) => {
			await fault({ status: 429, headers: { 'Retry-After': header } });
			const { output, run } = await n8n.runNode({
				parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
				items: people(2),
				settings: { onError: 'continueErrorOutput' },
			});
			for (const { json } of output[1]) {
				expect(json.error).toMatchObject({
					description: expect.stringMatching(/^It asks you to wait more than a day\. /),
				});
			}
			expect(output[1]).toHaveLength(2);
			expect(JSON.stringify(run)).toContain('asked for a pause, more than a day in total.');
			expect(await statuses()).toEqual([429]);
		},
	);

	it('of more than a minute is an error instead of a wait', async () => {
		await fault({ status: 429, headers: { 'Retry-After': '61' } });
		expect(await errorOf(operationNamed('lead: create'))).toMatchObject({
			description: expect.stringMatching(/^It asks you to wait 2 minutes\. Try again later/),
		});
		expect(await statuses()).toEqual([429]);
	});
});

describe('what happens next', () => {
	it('without continue on fail: the workflow stops, with the fields in the description', async () => {
		const errors = { phone_number: ['Invalid phone number'] };
		await fault({ status: 422, body: { message: 'Validation failed', errors } });
		const { error, run } = await n8n.runNode({ parameters: leadPerItem, items: people(1) });
		expect(run.status).toBe('error');
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: "'Phone Number': Invalid phone number",
			description:
				'The phone number was sent as +4915112346000.\nCorrect the fields named above, then try again.',
			httpCode: '422',
			context: { itemIndex: 0 },
		});
	});

	it('with continue using the regular output: the error is an item among the others', async () => {
		await fault({ status: 402, body: { message: 'Insufficient balance.' } });
		const { output, error } = await n8n.runNode({
			parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
			items: people(3),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(output[0]).toEqual([
			{
				json: {
					error: {
						result: 'refused',
						message: 'Insufficient balance.',
						description: 'Top up the account at your provider, then try again.',
						httpCode: '402',
						errors: {},
					},
				},
				pairedItem: { item: 0 },
			},
			{ json: expect.objectContaining({ status: 'created' }), pairedItem: { item: 1 } },
			{ json: expect.objectContaining({ status: 'created' }), pairedItem: { item: 2 } },
		]);
	});

	it('with continue using the error output: the error is output with its input item', async () => {
		const items = people(3).map((person, index) => ({ ...person, row: index }));
		await fault({ status: 402, body: { message: 'Insufficient balance.' } });
		const { output } = await n8n.runNode({
			parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
			items,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
		expect(output[1]).toEqual([
			{
				json: { ...items[0], error: expect.objectContaining({ message: 'Insufficient balance.' }) },
				pairedItem: { item: 0 },
			},
		]);
	});
});

describe('items that never left', () => {
	it('because of a long pause are not sent', async () => {
		const headers = { 'Retry-After': '120' };
		await fault({ operation: 'createLead', status: 429, headers, times: 30 });
		const { output } = await n8n.runNode({
			parameters: leadPerItem,
			items: people(30),
			settings: { onError: 'continueErrorOutput' },
		});
		const results = output[1].map(({ json }) => (json.error as IDataObject).result);
		const requests = await sent();
		const arrived = requests.map(({ body }) => (body as IDataObject).phone_number);
		expect(requests.length).toBeLessThanOrEqual(10);
		expect(results).toEqual(
			people(30).map(({ phone }) => (arrived.includes(phone) ? 'refused' : 'not sent')),
		);
	});
});
