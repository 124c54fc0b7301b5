import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { recordShapes } from '../../../nodes/shared/records/recordShapes.ts';
import { parseJson } from '../../../nodes/shared/values/json.ts';
import { forAny } from '../../support/forAny.mts';
import { useDefaultEngine } from '../../support/n8n/engine.mts';
import { isCreate, isRead, OPERATIONS, type OperationCase } from '../../support/n8n/operations.mts';
import { stubServersPerTest, type StubResponse } from '../../support/n8n/stubServer.mts';
import { n8nAt, pageOf } from '../../support/n8n/stubService.mts';
import { skipWaits, useRealTime } from '../../support/n8n/time.mts';
import { sampled, sampledRuns } from '../../support/sample.mts';

/** Whatever a success has, its status decides (docs/decisions/0024). */
useDefaultEngine();
const startServer = stubServersPerTest();
// Where a list does not have a call, the node looks again after some seconds.
beforeEach(skipWaits);
afterEach(useRealTime);

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldNames = Object.values(recordShapes).flatMap((shape) => Object.keys(shape));

/** The record that each operation asks for, with a value of any type in any field of the contract. */
const record = fc
	.dictionary(fc.constantFrom(...fieldNames), fc.jsonValue())
	.map((fields): IDataObject => ({ ...(fields as IDataObject), id: 1 }));

const answers = fc.oneof(
	fc.jsonValue(),
	record,
	fc.array(fc.oneof(record, fc.jsonValue()), { maxLength: 3 }).map((rows) => pageOf(rows)),
	fc.record(
		{
			message: fc.constantFrom('Already in another campaign.', 'Duplicate lead', 'No credit'),
			data: fc.oneof(fc.jsonValue(), record),
			success: fc.oneof(fc.boolean(), fc.jsonValue()),
			status: fc.constantFrom('error', false, 0, 404),
			errors: fc.constantFrom(2, [], { phone_number: ['Invalid'] }),
			error: fc.constantFrom('busy', null, 5),
			last_page: fc.jsonValue(),
		},
		{ requiredKeys: [] },
	),
);

/** What becomes of an item: `error.result`, or undefined where it succeeded. */
type Result = 'refused' | 'unknown' | 'failed' | undefined;

/** What the rule says. A list or record that is read comes, or the item fails. */
function possibleResults(operation: OperationCase, body: unknown): Result[] {
	if (isRead(operation)) return [undefined, 'failed'];
	const { data, success } = isObject(body) ? body : {};
	if (isCreate(operation)) {
		return [isObject(data) && Object.keys(data).length > 0 ? undefined : 'unknown'];
	}
	if (operation.name === 'call: make') return [isObject(body) ? undefined : 'unknown'];
	// Starting and stopping alone say in their body whether they were done (contract: update-status).
	return [operation.name.startsWith('campaign') && success === false ? 'refused' : undefined];
}

/** An error of JavaScript has no advice, or is told in its words. */
const JAVASCRIPT = /Cannot (read|set|destructure|convert)|is not (a function|iterable|defined)/;

/** n8n also moves an item with nothing but `error` and `message` to the error output (n8n 2.41). */
const isFailed = ({ error }: IDataObject) => isObject(error) && 'result' in error;

/** Runs two items at a service that answers as the test says. */
async function startService() {
	let answer: StubResponse = {};
	const server = await startServer(() => answer);
	const n8n = n8nAt(server);
	return async ({ parameters }: OperationCase, response: StubResponse, isRetried = false) => {
		answer = response;
		server.requests.length = 0;
		const { output, error } = await n8n.runNode({
			parameters,
			items: [{}, {}],
			settings: isRetried
				? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }
				: { onError: 'continueErrorOutput' },
		});
		const ended = output.flat().map(({ json }) => json);
		const errors = ended.filter(isFailed).map((json) => json.error as IDataObject);
		for (const { message, description } of errors) {
			expect(description).not.toBe('');
			expect(`${message as string} ${description as string}`).not.toMatch(JAVASCRIPT);
		}
		return {
			items: ended.filter((json) => !isFailed(json)),
			errors,
			error,
			requests: server.requests.length,
		};
	};
}

/** Of two creates of an assistant, the second waits: the first may tell which names the service takes. */
const sentAtOnce = ({ name }: OperationCase) => (name === 'assistant: create' ? 1 : 2);

const asJson = (body: unknown): StubResponse => ({
	headers: { 'Content-Type': 'application/json' },
	body: JSON.stringify(body),
});

describe.each(sampled(OPERATIONS, 2).map((operation) => [operation.name, operation] as const))(
	'%s',
	(_, operation) => {
		it('ends as its status says whatever JSON comes, and is sent once', async () => {
			const run = await startService();
			await forAny(
				answers,
				async (body) => {
					const { items, errors, requests } = await run(operation, asJson(body));
					const results = errors.map(({ result }) => result);
					const possible = possibleResults(operation, body);
					for (const result of results) expect(possible).toContain(result);
					if (isRead(operation)) return;
					expect(requests).toBe(2);
					expect(items).toHaveLength(possible.includes(undefined) ? 2 : 0);
					// An integer that a number cannot hold exactly is a text.
					const came = parseJson(JSON.stringify(body));
					const isMessage = isObject(came) && !('data' in came) && Object.keys(came).length > 0;
					if (items.length > 0 && isMessage) expect(items[0]).toMatchObject(came);
				},
				{ numRuns: sampledRuns(150) },
			);
		});

		it.each(['Queued', '<!DOCTYPE html><title>Welcome</title>'])(
			'shows what is no JSON: %s',
			async (body) => {
				const run = await startService();
				const { errors, items } = await run(operation, { body });
				const [error] = errors;
				expect(items).toEqual([]);
				expect(error?.message).toMatch(
					/^The service answered with a web page or text instead of data \(status 200\)/,
				);
				expect(error).toMatchObject({ httpCode: '200', errors: {} });
				if (isRead(operation)) {
					expect(error?.result).toBe('failed');
					expect(error?.description).toMatch(/^Check the Base URL/);
					return;
				}
				expect(error?.result).toBe('unknown');
				expect(error?.description).toBe(
					`The answer begins: ${body} The request was not sent again. Check in your account at the provider before you try again.`,
				);
				const retried = await run(operation, { body }, true);
				expect(retried.error).toBeDefined();
				expect(retried.requests).toBe(sentAtOnce(operation));
			},
		);

		it.each([200, 204])('has an end without a body: %i', async (status) => {
			const run = await startService();
			const { errors, items } = await run(operation, { status });
			const results = errors.map(({ result }) => result);
			const needsBody = isCreate(operation) || operation.name === 'call: make';
			if (isRead(operation)) expect(results).toEqual(['failed', 'failed']);
			else if (needsBody) expect(results).toEqual(['unknown', 'unknown']);
			else expect(items).toMatchObject([{ success: true }, { success: true }]);
			if (!needsBody) return;
			const retried = await run(operation, { status }, true);
			expect(retried.error).toBeDefined();
			expect(retried.requests).toBe(sentAtOnce(operation));
		});
	},
);

describe.each(OPERATIONS.filter(isCreate).map((each) => [each.name, each] as const))(
	'%s',
	(_, operation) => {
		it.each([
			[{ message: 'Insufficient balance', data: null }, 'Insufficient balance'],
			[{ message: 'Invalid phone number' }, 'Invalid phone number'],
			[{ message: 'Lead existiert bereits', data: null }, 'Lead existiert bereits'],
			[{ message: 'Created', data: [{ id: 5 }, { id: 6 }] }, '"data":[{"id":5},{"id":6}]'],
			[{ id: 'req_1', error: 'Insufficient balance' }, 'Insufficient balance'],
			[[], '[]'],
		])('shows what came in place of the record, and is sent once: %j', async (body, shown) => {
			const run = await startService();
			const { errors, requests } = await run(operation, asJson(body));
			const [error] = errors;
			expect(error?.result).toBe('unknown');
			expect(JSON.stringify(error)).toContain(JSON.stringify(shown).slice(1, -1));
			expect(error?.description).toContain('The request was not sent again.');
			expect(requests).toBe(2);
		});
	},
);

it.each([
	['POST', { imported: 98, errors: 2 }],
	['POST', { created: 3, errors: [{ row: 4, error: 'Invalid' }] }],
	['GET', { status: 'failed', message: 'The export has failed.', progress: 40 }],
	['GET', { sms_sid: 'SM1', message: 'Hi Anna', status: 'failed' }],
	['GET', [{ error: 'timeout', code: 504 }]],
])('a custom call gives what came: %s %j', async (method, body) => {
	const server = await startServer(() => ({ body }));
	const parameters = {
		...{ resource: 'customApiCall', operation: 'sendRequest' },
		...{ method, path: '/user/leads/import', body: '{"a":1}' },
	};
	const { output } = await n8nAt(server).runNode({ parameters });
	expect(output[0].map(({ json }) => json)).toEqual([body].flat());
	expect(server.requests).toHaveLength(1);
});
