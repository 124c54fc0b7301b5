import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { forAny } from '../../../support/forAny.mts';
import { leadPerItem, operationNamed, OPERATIONS } from '../../../support/n8n/operations.mts';
import {
	stubServersPerTest,
	type StubResponse,
	type StubServer,
} from '../../../support/n8n/stubServer.mts';
import { created, n8nAt, pageOf } from '../../../support/n8n/stubService.mts';
import { ACTION_AS_TOOL, n8nWith, type NodeRun } from '../../../support/n8n/n8n.mts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { sampled, sampledRuns } from '../../../support/sample.mts';

const startServer = stubServersPerTest();
afterEach(useRealTime);

const CREATED = created();

type Responder = (token: string, index: number) => StubResponse;

const tokenIn = (authorization = '') => authorization.replace('Bearer ', '');

/** Starts a service that knows its accounts by their tokens. */
const startService = async (respond: Responder = () => ({ body: CREATED })) =>
	await startServer(({ authorization }, index) => respond(tokenIn(authorization), index));

/** Five accounts, by turns. */
const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		token: `T${index % 5}`,
		phone: `+49151123${46_000 + index}`,
		index,
		vip: index === 3,
	}));

/** Expressions that give a token. Several of them have the same value at both ends of the items. */
const EXPRESSIONS = [
	'={{ $json.token }}',
	"={{ $('Start').item.json.token }}",
	"={{ $input.item.json.vip ? 'A' : 'B' }}",
	"={{ $itemIndex < 2 ? 'A' : 'B' }}",
	"={{ $itemIndex === 3 ? 'A' : 'B' }}",
	"={{ [3, 4].includes($itemIndex) ? 'A' : 'B' }}",
	"={{ $json.index % 7 ? 'A' : 'B' }}",
	"={{ 'T' + $runIndex }}",
	"={{ $('Start').first().json.token }}",
	'={{ "SECRET" + 1 }}',
	'=T{{ $itemIndex }}',
];

const condition = fc.oneof(
	fc.nat(9).map((item) => `$itemIndex === ${item}`),
	fc.nat(9).map((item) => `$itemIndex < ${item}`),
	fc.integer({ min: 2, max: 5 }).map((divisor) => `$itemIndex % ${divisor} === 1`),
	fc.nat(9).map((index) => `$json.index > ${index}`),
	fc
		.subarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
		.map((some) => `${JSON.stringify(some)}.includes($itemIndex)`),
	fc.constantFrom(
		'$json.vip',
		'$input.item.json.vip',
		"$('Start').item.json.vip",
		'$runIndex === 0',
		'true',
	),
);

/** The code of an expression that gives a token. */
const { token: tokenCode } = fc.letrec<{ token: string; leaf: string }>((tie) => ({
	leaf: fc.constantFrom("'A'", "'B'", "'C'", '$json.token', "('I' + $itemIndex)"),
	token: fc.oneof(
		{ maxDepth: 3 },
		tie('leaf'),
		fc
			.tuple(condition, tie('token'), tie('token'))
			.map(([when, yes, no]) => `(${when} ? ${yes} : ${no})`),
	),
}));

describe.each([
	['the default engine', useDefaultEngine, 0],
	['the engine of n8n 2.0', () => undefined, 1],
] as const)('with %s, a token that is an expression', (_engine, useEngine, row) => {
	useEngine();

	/** Expects that each item is sent with its own token. */
	async function expectOwnToken(server: StubServer, apiToken: string, count: number) {
		server.requests.length = 0;
		// n8n evaluates the same expression for the field of the item.
		const fields = { phoneNumber: '+4915112345678', customerName: apiToken };
		const parameters = { ...leadPerItem, ...fields };
		const { error } = await n8nAt(server, apiToken).runNode({ parameters, items: people(count) });
		expect(error).toBeUndefined();
		expect(server.requests).toHaveLength(count);
		for (const { authorization, body } of server.requests) {
			const { variables } = body as { variables: IDataObject };
			expect(tokenIn(authorization)).toBe(variables.customer_name);
		}
	}

	it.each(sampled(EXPRESSIONS, 2, row))('is read for each item: %s', async (expression) => {
		await expectOwnToken(await startService(), expression, 10);
	});

	it('never gives an item the account of another one, whatever it is', async () => {
		const server = await startService();
		const runs = fc.tuple(tokenCode, fc.integer({ min: 1, max: 12 }));
		const expectIt = async ([code, count]: [string, number]) =>
			await expectOwnToken(server, `={{ ${code} }}`, count);
		await forAny(runs, expectIt, { numRuns: sampledRuns(60) });
	});

	it('is read once when it is no expression', async () => {
		const n8n = n8nAt(await startService(), 'T0');
		await n8n.runNode({ parameters: leadPerItem, items: people(50) });
		expect(n8n.credentialReads).toBe(1);
	});
});

/** What the service says to each account. It must not contain the token, which no message shows. */
const REFUSALS: Record<string, string> = {
	T0: 'Not you',
	T1: 'Nor you',
	T2: 'You neither',
	T3: 'Go away',
	T4: 'No',
};

const PER_ITEM = '={{ $json.token }}';

const phoneIn = (body: unknown) => (body as IDataObject).phone_number;

/** Runs the node. The items that fail are in the second output. */
async function run(server: StubServer, settings: Partial<NodeRun>, apiToken = PER_ITEM) {
	return await n8nAt(server, apiToken).runNode({
		parameters: leadPerItem,
		settings: { onError: 'continueErrorOutput' },
		...settings,
	});
}

const oneByOne = { requestOptions: { maxConcurrentRequests: 1 } };

const askForPause = (seconds: number): StubResponse => ({
	status: 429,
	headers: { 'Retry-After': String(seconds) },
	body: { message: 'Too Many Attempts.' },
});
const UNAUTHENTICATED = { status: 401, body: { message: 'Unauthenticated.' } };

const errorsIn = (items: INodeExecutionData[]) =>
	items.map(({ json }) => json.error as IDataObject);

describe('items of several accounts', () => {
	it('go to the Base URL of their item', async () => {
		const servers = [await startService(), await startService()];
		const n8n = n8nWith({ baseUrl: '={{ $json.baseUrl }}', apiToken: 'T' });
		const items = people(10).map((person, index) => ({
			...person,
			baseUrl: `${servers[index % 2]?.origin}/api`,
		}));
		const { error } = await n8n.runNode({ parameters: leadPerItem, items });
		expect(error).toBeUndefined();
		servers.forEach(({ requests }, server) => {
			expect(requests.map(({ body }) => phoneIn(body)).sort()).toEqual(
				items.filter((_, index) => index % 2 === server).map(({ phone }) => phone),
			);
		});
	});

	it.each(sampled(OPERATIONS, 4))('have the token of their item: $name', async ({ parameters }) => {
		const server = await startService((token) => ({
			status: 422,
			body: { message: REFUSALS[token] },
		}));
		const items = people(10);
		const { output } = await run(server, { parameters: { ...parameters, ...oneByOne }, items });
		expect(errorsIn(output[1]).map(({ message }) => message)).toEqual(
			items.map(({ token }) => REFUSALS[token]),
		);
		// Items of one account that read the same list share it.
		const tokens = server.requests.map(({ authorization }) => tokenIn(authorization));
		expect(new Set(tokens)).toEqual(new Set(Object.keys(REFUSALS)));
	});

	it('get the record of their own account from lists that look the same', async () => {
		const server = await startService((token) => ({
			body: pageOf([{ id: 1, name: `Assistant of ${token}` }]),
		}));
		const { parameters } = operationNamed('assistant: get');
		const { output } = await run(server, { parameters, items: people(15) });
		expect(output[0].map(({ json }) => json.name)).toEqual(
			people(15).map(({ token }) => `Assistant of ${token}`),
		);
		expect(server.requests).toHaveLength(5);
	});

	it('are read a few ahead of those that are sent', async () => {
		let answered = 0;
		let mostAhead = 0;
		const server = await startService(() => {
			mostAhead = Math.max(mostAhead, n8n.credentialReads - answered);
			answered++;
			return { body: CREATED };
		});
		const n8n = n8nAt(server, PER_ITEM);
		const { error } = await n8n.runNode({ parameters: leadPerItem, items: people(100) });
		expect(error).toBeUndefined();
		// 10 in progress, 10 prepared, the one that is prepared, and the first read.
		expect(mostAhead).toBeLessThanOrEqual(23);
	});

	it.each([
		[
			'the credential has no token for them',
			PER_ITEM,
			{ token: '' },
			'The API Token of the credential is empty',
		],
		[
			'the expression of the credential fails for them',
			'={{ $json.token.toUpperCase() }}',
			{ token: undefined },
			expect.any(String),
		],
	])('fail alone when %s', async (_what, apiToken, none, message) => {
		const items = people(6).map((person) => (person.vip ? { ...person, ...none } : person));
		const { output } = await run(await startService(), { items }, apiToken);
		expect(output[0]).toHaveLength(5);
		expect(output[1]).toMatchObject([
			{ json: { error: { result: 'not sent', message } }, pairedItem: { item: 3 } },
		]);
	});

	it.each<[string, StubResponse, string[]]>([
		['does not accept the token of another account', UNAUTHENTICATED, ['refused']],
		['wants a long pause of another account', askForPause(120), ['refused', 'not sent']],
	])('are sent although the service %s', async (_what, response, results) => {
		const server = await startService((token) => (token === 'T1' ? response : { body: CREATED }));
		const { output } = await run(server, { items: people(100) });
		expect(output.map((items) => items.length)).toEqual([80, 20]);
		const errors = errorsIn(output[1]);
		expect(new Set(errors.map(({ result }) => result))).toEqual(new Set(results));
		const refused = errors.filter(({ result }) => result === 'refused');
		expect(new Set(refused.map(({ httpCode }) => httpCode))).toEqual(
			new Set([String(response.status)]),
		);
	});

	it('take the places of items whose account pauses', async () => {
		skipWaits();
		const order: string[] = [];
		let refusals = 0;
		const server = await startService((token) => {
			if (token === 'T1' && refusals++ < 4) return askForPause(30);
			order.push(token);
			return { body: CREATED };
		});
		// Four of the first account come first and take all four places.
		const tokens = ['T1', 'T1', 'T1', 'T1', 'T2', 'T2', 'T2', 'T2'];
		const items = people(8).map((person, index) => ({ ...person, token: tokens[index] ?? '' }));
		const requestOptions = { maxConcurrentRequests: 4 };
		const { output } = await run(server, { parameters: { ...leadPerItem, requestOptions }, items });
		expect(output[1]).toEqual([]);
		expect(order).toEqual(['T2', 'T2', 'T2', 'T2', 'T1', 'T1', 'T1', 'T1']);
	});

	it('are sent once by Retry On Fail, also if their account has changed', async () => {
		const seen: Array<[unknown, string]> = [];
		const server = await startServer(({ authorization, body }) => {
			const token = tokenIn(authorization);
			seen.push([phoneIn(body), token]);
			if (token === 'OLD2') {
				n8n.credential.apiToken = "={{ $itemIndex === 0 ? 'OLD0' : 'NEW' + $itemIndex }}";
				return UNAUTHENTICATED;
			}
			return { body: CREATED };
		});
		const n8n = n8nAt(server, "={{ 'OLD' + $itemIndex }}");
		const items = people(3);
		const [first, second, third] = items.map(({ phone }) => phone);
		const { error } = await n8n.runNode({
			parameters: { ...leadPerItem, ...oneByOne },
			items,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error).toBeUndefined();
		expect(seen).toEqual([
			[first, 'OLD0'],
			[second, 'OLD1'],
			[third, 'OLD2'],
			[third, 'NEW2'],
		]);
	});

	it('have their token when an agent sends them', async () => {
		const server = await startService();
		const { output } = await run(server, { items: people(1), type: ACTION_AS_TOOL });
		expect(output[0]).toHaveLength(1);
		expect(server.requests.map(({ authorization }) => tokenIn(authorization))).toEqual(['T0']);
	});
});
