import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAny } from '../../support/forAny.mts';
import { useDefaultEngine } from '../../support/n8n/engine.mts';
import { isRead, OPERATIONS, type OperationCase } from '../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../support/n8n/stubServer.mts';
import { n8nAt } from '../../support/n8n/stubService.mts';

/** Whatever JSON a success has, its status decides (docs/decisions/0024). */
useDefaultEngine();
const startServer = stubServersPerTest();

/** The operations that create a record, which the response must have. */
const CREATES = ['lead: create', 'assistant: create', 'midCallTool: create', 'sms: send'];

/** The one operation whose body says whether it did what it was asked for (contract: update-status). */
const TELLS_SUCCESS = ['campaign: start', 'campaign: stop'];

const message = fc.constantFrom(
	'Lead created successfully. This number already exists in another campaign.',
	'Duplicate lead',
	'Invalid phone number',
	'Insufficient balance',
);

const answers = fc.oneof(
	fc.jsonValue(),
	fc.record(
		{
			message,
			data: fc.oneof(fc.jsonValue(), fc.record({ id: fc.nat(), status: fc.constant('failed') })),
			success: fc.boolean(),
			status: fc.constantFrom('error', false, 0, 404),
			errors: fc.constantFrom(2, [], { phone_number: ['Invalid'] }),
			error: fc.constantFrom('busy', null, 5),
		},
		{ requiredKeys: [] },
	),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** How an item ends: with an output, or with the word of the node's error. */
type End = 'succeeded' | 'refused' | 'unknown' | 'failed';

function expectedEnd(operation: OperationCase, body: unknown): End | undefined {
	// Lists are tried in pages.test.
	if (isRead(operation)) return undefined;
	if (CREATES.includes(operation.name)) {
		const data = isObject(body) ? body.data : undefined;
		return isObject(data) && Object.keys(data).length > 0 ? 'succeeded' : 'unknown';
	}
	const isNo = TELLS_SUCCESS.includes(operation.name) && isObject(body) && body.success === false;
	return isNo ? 'refused' : 'succeeded';
}

const WORDS: Array<[string, End]> = [
	['Refused: item 0', 'refused'],
	['Sent, but the outcome is unknown: item 0', 'unknown'],
	['Failed: item 0', 'failed'],
];

async function startService() {
	const answer = { body: undefined as unknown, status: 200 };
	const server = await startServer(() => ({
		status: answer.status,
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(answer.body),
	}));
	const n8n = n8nAt(server);
	/** Runs an operation for two items; the first failure stops the run. */
	const end = async ({ parameters }: OperationCase, body: unknown, status = 200) => {
		Object.assign(answer, { body, status });
		const { error, output } = await n8n.runNode({ parameters, items: [{}, {}] });
		if (!error) return { end: 'succeeded' as const, output: output[0].map(({ json }) => json) };
		const description = String(error.description);
		const found = WORDS.find(([word]) => description.includes(word));
		return { end: found?.[1], text: `${error.message} ${description}`, output: [] };
	};
	return { server, end };
}

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
	'%s',
	(_, operation) => {
		it('ends as its status says, whatever its body is', async () => {
			const { end } = await startService();
			await forAny(
				answers,
				async (body) => {
					const { end: found } = await end(operation, body);
					const expected = expectedEnd(operation, body);
					if (expected) expect(found).toBe(expected);
					else expect(['succeeded', 'failed']).toContain(found);
				},
				{ numRuns: 40 },
			);
		});
	},
);

describe.each(
	OPERATIONS.filter(({ name }) => CREATES.includes(name)).map((each) => [each.name, each] as const),
)('%s', (_, operation) => {
	it.each([
		[{ message: 'Insufficient balance', data: null }, 'Insufficient balance'],
		[{ message: 'Invalid phone number' }, 'Invalid phone number'],
		[{ message: 'Created', data: [{ id: 5 }, { id: 6 }] }, '"data":[{"id":5},{"id":6}]'],
		[[], '[]'],
	])('shows what came in place of the record, and is sent once: %j', async (body, shown) => {
		const { server, end } = await startService();
		const result = await end(operation, body);
		expect(result.end).toBe('unknown');
		expect(result.text).toContain(shown);
		expect(result.text).toContain('The request was not sent again.');
		expect(server.requests).toHaveLength(1);
	});
});

it.each([
	{ imported: 98, errors: 2 },
	{ status: 'failed', message: 'The export has failed.', progress: 40 },
	{ sms_sid: 'SM1', status: 'failed' },
])('a custom call gives %j as it came', async (body) => {
	const server = await startServer(() => ({ body }));
	const parameters = {
		...{ resource: 'customApiCall', operation: 'sendRequest' },
		...{ method: 'POST', path: '/user/leads/import', body: '{"a":1}' },
	};
	const { output } = await n8nAt(server).runNode({ parameters });
	expect(output[0].map(({ json }) => json)).toEqual([body]);
});
