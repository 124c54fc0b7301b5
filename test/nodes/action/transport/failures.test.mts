import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';
import {
	leadPerItem,
	OPERATIONS,
	operationNamed,
	outputDifferences,
	people,
	READS,
	WRITES,
	type OperationCase,
} from '../../../support/n8n/operations.mts';
import { skipWaits } from '../../../support/n8n/time.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { sampled } from '../../../support/sample.mts';

const { n8n, sent, fault, lastResponse } = await startTestEnvironment();

const TRY_LATER = 'Try again later, and ask your provider if it fails again.';
const FIX_REPORTED = 'Fix the problem that the service reports, then try again.';
const CHECK_TOKEN =
	'Check the API Token in the credential: it may be mistyped, revoked or from another provider.';
const NOT_SENT_AGAIN =
	'The request was not sent again. Check in your account at the provider before you try again.';
const MAYBE_DONE = '; the request may have been carried out';

afterEach(() => {
	jest.restoreAllMocks();
});

/** Chooses each wait before another try: 0 for the longest, and almost 1 for half of it. */
const chooseWaits = (random: number) => jest.spyOn(Math, 'random').mockReturnValue(random);

/** Runs an operation. @returns the error of its item */
async function getError({ parameters }: OperationCase) {
	const { output } = await n8n.runNode({
		parameters,
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output[0]).toEqual([]);
	expect(output[1]).toHaveLength(1);
	return output[1][0]?.json.error;
}

/** Expects that an item is the record, or the message, of the last response. */
async function expectOutput(operation: OperationCase, item: INodeExecutionData | undefined) {
	expect(
		outputDifferences(operation, await lastResponse(operation.operationId), item?.json),
	).toEqual([]);
}

const statuses = async (operationId?: string) =>
	(await sent(operationId)).map(({ status }) => status);

describe.each(sampled(OPERATIONS, 4))('$name', (operation) => {
	const { operationId, parameters } = operation;
	it('waits as long as a rate limit asks, and then sends once more', async () => {
		await fault({ operation: operationId, status: 429, headers: { 'Retry-After': '7' } });
		skipWaits();
		const start = Date.now();
		const { output, error } = await n8n.runNode({ parameters });
		expect(error).toBeUndefined();
		await expectOutput(operation, output[0][0]);
		expect(Date.now() - start).toBe(7_000);
		expect(await statuses(operationId)).toEqual([429, expect.any(Number)]);
	});

	const errors = { one: ['First.', 'Second.'], 'two.0.name': ['Third.'] };

	it('shows every field of a validation error', async () => {
		await fault({ status: 422, body: { message: 'Validation failed', errors } });
		expect(await getError(operation)).toEqual({
			result: 'refused',
			message: "'one': First.",
			description:
				"'one': First.\n'one': Second.\n'two.0.name': Third.\nCorrect these fields, then try again.",
			httpCode: '422',
			errors,
		});
		expect(await statuses()).toEqual([422]);
	});
});

/** Faults after which it is unknown whether the service executed the request. */
const UNCERTAIN = [
	{ drop: 'before' },
	{ drop: 'after' },
	{ status: 408, body: '<html>Request Time-out</html>' },
	{ status: 444 },
	{ status: 460 },
	{ status: 499, body: '<html>Client Closed Request</html>' },
	{ status: 500 },
	{ status: 502, body: '<html>Bad Gateway</html>' },
	{ status: 503, headers: { 'Retry-After': '1' } },
	{ status: 302, headers: { Location: '/api/user/calls' } },
];

describe.each(WRITES)('$name, a write', (operation) => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	it.each(sampled(UNCERTAIN, 5, WRITES.indexOf(operation)))(
		'is not sent again, not even by Retry On Fail, after %j',
		async (rule) => {
			await fault(rule);
			const { error } = await n8n.runNode({ parameters: operation.parameters, settings });
			expect(error).toMatchObject({
				message: expect.stringMatching(`${MAYBE_DONE}$`),
				description: expect.stringContaining(NOT_SENT_AGAIN),
				httpCode: String('status' in rule ? rule.status : 'none'),
			});
			expect(await sent()).toHaveLength(1);
		},
	);
});

/** Faults after which a read is sent again. */
const PASSING = [
	{ drop: 'before' },
	{ drop: 'after' },
	{ status: 408, body: '<html>Request Time-out</html>' },
	{ status: 499, body: '<html>Client Closed Request</html>' },
	{ status: 500 },
	{ status: 503 },
];

describe.each(READS)('$name, a read', (operation) => {
	const { parameters } = operation;

	it.each(sampled(PASSING, 3, READS.indexOf(operation)))('is repeated after %j', async (rule) => {
		await fault(rule);
		skipWaits();
		const outcome = await n8n.runNode({ parameters });
		expect(outcome.error).toBeUndefined();
		await expectOutput(operation, outcome.output[0][0]);
		expect(await sent(operation.operationId)).toHaveLength(2);
	});

	it('is given up after four tries, with waits of 0.5, 1 and 2 seconds', async () => {
		await fault({ status: 500, times: 10 });
		skipWaits();
		chooseWaits(0);
		const start = Date.now();
		expect(await getError(operation)).toEqual({
			result: 'failed',
			message: 'Server Error',
			description: TRY_LATER,
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

const lead = operationNamed('lead: create');

const LIMIT = 'Your plan allows 10 mid call tools. Please upgrade your plan.';

it.each<[number, unknown, string, string]>([
	[401, '<html>Login</html>', 'The service did not accept the API token', CHECK_TOKEN],
	[
		403,
		{},
		'The service refused the request (status 403)',
		'Check the ID, if there is one: it may belong to another account. If it is right, check the API Token in the credential, or ask the owner of the account for the permission.',
	],
	[422, { message: LIMIT }, LIMIT, FIX_REPORTED],
	[418, { message: 'No coffee here.' }, 'No coffee here.', FIX_REPORTED],
])('%i with %j has a message', async (status, body, message, description) => {
	await fault({ status, body });
	const httpCode = String(status);
	expect(await getError(lead)).toEqual({
		result: 'refused',
		message,
		description,
		httpCode,
		errors: {},
	});
	expect(await statuses()).toEqual([status]);
});

it.each(['lead: create', 'call: getAll'])(
	'%s is sent again when it came too early',
	async (name) => {
		const operation = operationNamed(name);
		await fault({ status: 425, times: 2 });
		skipWaits();
		const { output, error } = await n8n.runNode({ parameters: operation.parameters });
		expect(error).toBeUndefined();
		await expectOutput(operation, output[0][0]);
		const all = await statuses(operation.operationId);
		expect(all).toEqual([425, 425, expect.any(Number)]);
	},
);

describe('a maintenance of which the service names the end', () => {
	const headers = { 'Retry-After': '20' };

	it('is waited for by a read', async () => {
		await fault({ status: 503, headers });
		skipWaits();
		const start = Date.now();
		const { parameters } = operationNamed('assistant: getAll');
		const { error, run } = await n8n.runNode({ parameters });
		expect(error).toBeUndefined();
		expect(Date.now() - start).toBe(20_000);
		expect(await statuses()).toEqual([503, 200]);
		expect(JSON.stringify(run)).toContain(
			'The run waited 20 s in total, because the service was not available.',
		);
	});

	it('gets no further write of the run, and leaves the outcome of the first one unknown', async () => {
		await fault({ status: 503, headers });
		skipWaits();
		const start = Date.now();
		const { output } = await n8n.runNode({
			parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
			items: people(5),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(Date.now() - start).toBe(20_000);
		expect(output[0]).toHaveLength(4);
		expect(output[1].map(({ json }) => (json.error as IDataObject).result)).toEqual(['unknown']);
		expect(await statuses()).toEqual([503, 200, 200, 200, 200]);
	});

	it('of more than a minute is told to items that were not sent', async () => {
		await fault({ status: 503, headers: { 'Retry-After': '600' } });
		const { output } = await n8n.runNode({
			parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
			items: people(2),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[1].map(({ json }) => json.error)).toEqual([
			expect.objectContaining({ result: 'unknown', httpCode: '503' }),
			{
				result: 'not sent',
				message: 'The service is not available',
				description:
					'It asks you to wait 10 minutes. The service did not carry out this item. Try again later.',
				httpCode: '503',
				errors: {},
			},
		]);
		expect(await statuses()).toEqual([503]);
	});
});

describe('a rate limit', () => {
	it('that does not end is told with the number of tries', async () => {
		await fault({ status: 429, times: 10 });
		skipWaits();
		const start = Date.now();
		expect(await getError(lead)).toMatchObject({
			description:
				'It has accepted no request for a minute. The request was sent 7 times, and refused each time. Try again later, or send fewer requests at once.',
		});
		expect(Date.now() - start).toBeGreaterThanOrEqual(60_000);
		expect(await statuses()).toEqual(Array(7).fill(429));
	});

	it('that lets nothing in for a minute ends all items, also those that were not sent', async () => {
		await fault({ status: 429, times: 1_000 });
		skipWaits();
		const { output } = await n8n.runNode({
			parameters: leadPerItem,
			items: people(30),
			settings: { onError: 'continueErrorOutput' },
		});
		const errors = output[1].map(({ json }) => json.error as IDataObject);
		expect(errors).toHaveLength(30);
		for (const { message, description } of errors) {
			expect(message).toMatch(/^The service is receiving too many requests/);
			expect(description).toMatch(/^It has accepted no request for a minute\. /);
		}
		expect(new Set(errors.map(({ result }) => result))).toEqual(new Set(['refused', 'not sent']));
		// After the first pause, one goes alone.
		expect((await statuses()).length).toBeLessThanOrEqual(10 + 2 + 5);
	});

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
			expect(JSON.stringify(run)).toContain('The run waited more than a day in total');
			expect(await statuses()).toEqual([429]);
		},
	);
});

describe('what happens next', () => {
	const items = people(3).map((person, row) => ({ ...person, row }));
	const created = (item: number) => ({
		json: expect.objectContaining({ status: 'created' }) as IDataObject,
		pairedItem: { item },
	});
	const error = {
		result: 'refused',
		message: 'Insufficient balance.',
		description: 'Top up the account at your provider, then try again.',
		httpCode: '402',
		errors: {},
	};

	it.each<[string, OnError, INodeExecutionData[][]]>([
		[
			'the regular output: the error is an item among the others',
			'continueRegularOutput',
			[[{ json: { error }, pairedItem: { item: 0 } }, created(1), created(2)], []],
		],
		[
			'the error output: the error is output with its input item',
			'continueErrorOutput',
			[[created(1), created(2)], [{ json: { ...items[0], error }, pairedItem: { item: 0 } }]],
		],
	])('with continue using %s', async (_what, onError, expected) => {
		await fault({ status: 402, body: { message: 'Insufficient balance.' } });
		const parameters = { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } };
		const outcome = await n8n.runNode({ parameters, items, settings: { onError } });
		expect(outcome.error).toBeUndefined();
		expect(outcome.output).toEqual(expected);
	});
});
