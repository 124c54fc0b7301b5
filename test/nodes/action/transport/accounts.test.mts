import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { leadPerItem, OPERATIONS } from '../../../support/n8n/operations.mts';
import {
	stubServersPerTest,
	type StubResponse,
	type StubServer,
} from '../../../support/n8n/stubServer.mts';
import { ACTION_AS_TOOL, n8nWith, type NodeRun } from '../../../support/n8n/n8n.mts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';

const startServer = stubServersPerTest();
afterEach(useRealTime);

const CREATED = { message: 'Lead created successfully', data: { id: 1 } };

type Responder = (token: string, index: number, url: string) => StubResponse;

const tokenIn = (authorization = '') => authorization.replace('Bearer ', '');

/** A service that knows its accounts by their tokens. */
const serviceOf = async (respond: Responder = () => ({ body: CREATED })): Promise<StubServer> =>
	await startServer(({ authorization, url }, index) => respond(tokenIn(authorization), index, url));

/** Runs the node with a token that is an expression. */
async function runWith(server: StubServer, apiToken: string, run: NodeRun) {
	const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken });
	const outcome = await n8n.runNode(run);
	return { ...outcome, reads: n8n.credentialReads };
}

/** Lead → Create that writes what an expression gives for its item into the name. */
const named = (expression: string): INodeParameters => ({
	...leadPerItem,
	phoneNumber: '+4915112345678',
	customerName: expression,
});

const nameIn = (body: unknown) => (body as { variables: IDataObject }).variables.customer_name;

const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		token: `T${index % 5}`,
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
	['the default engine', useDefaultEngine],
	['the engine of n8n 2.0', () => undefined],
])('with %s, a token that is an expression', (_engine, useEngine) => {
	useEngine();

	it.each(EXPRESSIONS)('is read for each item: %s', async (expression) => {
		const server = await serviceOf();
		const items = people(10);
		const { error } = await runWith(server, expression, { parameters: named(expression), items });
		expect(error).toBeUndefined();
		expect(server.requests).toHaveLength(items.length);
		// n8n evaluates the same expression for the field of the item.
		for (const { authorization, body } of server.requests) {
			expect(tokenIn(authorization)).toBe(nameIn(body));
		}
	});

	it('never gives an item the account of another one, whatever it is', async () => {
		const server = await serviceOf();
		await fc.assert(
			fc.asyncProperty(tokenCode, fc.integer({ min: 1, max: 12 }), async (code, count) => {
				server.requests.length = 0;
				const expression = `={{ ${code} }}`;
				const items = people(count);
				const { error } = await runWith(server, expression, {
					parameters: named(expression),
					items,
				});
				expect(error).toBeUndefined();
				expect(server.requests).toHaveLength(count);
				for (const { authorization, body } of server.requests) {
					expect(tokenIn(authorization)).toBe(nameIn(body));
				}
			}),
			{ numRuns: 60 },
		);
	});

	it('is read once when it is no expression', async () => {
		const server = await serviceOf();
		const { reads } = await runWith(server, 'T0', { parameters: leadPerItem, items: phones(50) });
		expect(reads).toBe(1);
	});
});

const phones = (count: number) =>
	people(count).map((person) => ({ ...person, phone: `+49151123${46_000 + person.index}` }));

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

describe('items of several accounts', () => {
	it('go to the Base URL of their item', async () => {
		const servers = [await serviceOf(), await serviceOf()];
		const n8n = n8nWith({ baseUrl: '={{ $json.baseUrl }}', apiToken: 'T' });
		const items = phones(10).map((person, index) => ({
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

	it.each(OPERATIONS)('have the token of their item: $name', async ({ parameters }) => {
		const server = await serviceOf((token) => ({
			status: 422,
			body: { message: REFUSALS[token] },
		}));
		const { output } = await runWith(server, PER_ITEM, {
			parameters: { ...parameters, requestOptions: { maxConcurrentRequests: 1 } },
			items: people(10),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[1].map(({ json }) => (json.error as IDataObject).message)).toEqual(
			people(10).map(({ token }) => REFUSALS[token]),
		);
		// Items of one account that read the same list share it.
		expect(new Set(server.requests.map(({ authorization }) => tokenIn(authorization)))).toEqual(
			new Set(['T0', 'T1', 'T2', 'T3', 'T4']),
		);
	});

	it('get the record of their own account from lists that look the same', async () => {
		const server = await serviceOf((token) => ({
			body: {
				data: [{ id: 7, name: `Assistant of ${token}` }],
				current_page: 1,
				total: 1,
				per_page: 100,
			},
		}));
		const { output } = await runWith(server, PER_ITEM, {
			parameters: {
				resource: 'assistant',
				operation: 'get',
				assistantId: { __rl: true, mode: 'id', value: '7' },
			},
			items: people(15),
		});
		expect(output[0].map(({ json }) => json.name)).toEqual(
			people(15).map(({ token }) => `Assistant of ${token}`),
		);
		expect(server.requests).toHaveLength(5);
	});

	it('are read a few ahead of those that are sent', async () => {
		let answered = 0;
		let mostAhead = 0;
		const server = await serviceOf(() => {
			mostAhead = Math.max(mostAhead, n8n.credentialReads - answered);
			answered++;
			return { body: CREATED };
		});
		const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: PER_ITEM });
		const { error } = await n8n.runNode({ parameters: leadPerItem, items: phones(200) });
		expect(error).toBeUndefined();
		// 10 in progress, 10 prepared, the one that is prepared, and the first read.
		expect(mostAhead).toBeLessThanOrEqual(23);
	});

	it('fail alone when the credential has no token for them', async () => {
		const server = await serviceOf();
		const items = phones(6).map((person) => ({ ...person, ...(person.vip && { token: '' }) }));
		const { output } = await runWith(server, PER_ITEM, {
			parameters: leadPerItem,
			items,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0]).toHaveLength(5);
		expect(output[1]).toMatchObject([
			{
				json: {
					error: { result: 'not sent', message: 'The API Token of the credential is empty' },
				},
				pairedItem: { item: 3 },
			},
		]);
	});

	it('fail alone when the expression of the credential fails for them', async () => {
		const server = await serviceOf();
		const items = phones(6).map((person) => (person.vip ? { phone: person.phone } : person));
		const { output } = await runWith(server, '={{ $json.token.toUpperCase() }}', {
			parameters: leadPerItem,
			items,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0]).toHaveLength(5);
		expect(output[1]).toMatchObject([
			{ json: { error: { result: 'not sent' } }, pairedItem: { item: 3 } },
		]);
	});

	it('are sent although the service does not accept the token of another account', async () => {
		const server = await serviceOf((token) =>
			token === 'T1' ? { status: 401, body: { message: 'Unauthenticated.' } } : { body: CREATED },
		);
		const { output } = await runWith(server, PER_ITEM, {
			parameters: leadPerItem,
			items: phones(100),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0]).toHaveLength(80);
		expect(output[1].map(({ json }) => (json.error as IDataObject).httpCode)).toEqual(
			Array.from({ length: 20 }, () => '401'),
		);
	});

	it('are sent while the service wants a long pause of another account', async () => {
		const server = await serviceOf((token) =>
			token === 'T1'
				? {
						status: 429,
						headers: { 'Retry-After': '120' },
						body: { message: 'Too Many Attempts.' },
					}
				: { body: CREATED },
		);
		const { output } = await runWith(server, PER_ITEM, {
			parameters: leadPerItem,
			items: phones(100),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0]).toHaveLength(80);
		expect(output[1]).toHaveLength(20);
		const results = output[1].map(({ json }) => (json.error as IDataObject).result);
		expect(new Set(results)).toEqual(new Set(['refused', 'not sent']));
	});

	it('take the places of items whose account pauses', async () => {
		skipWaits();
		const order: string[] = [];
		let refusals = 0;
		const server = await serviceOf((token) => {
			if (token === 'T1' && refusals++ < 4) {
				return {
					status: 429,
					headers: { 'Retry-After': '30' },
					body: { message: 'Too Many Attempts.' },
				};
			}
			order.push(token);
			return { body: CREATED };
		});
		// Four of the first account come first and take all four places.
		const tokens = ['T1', 'T1', 'T1', 'T1', 'T2', 'T2', 'T2', 'T2'];
		const items = phones(8).map((person, index) => ({ ...person, token: tokens[index] ?? '' }));
		const { error } = await runWith(server, PER_ITEM, {
			parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 4 } },
			items,
		});
		expect(error).toBeUndefined();
		expect(order).toEqual(['T2', 'T2', 'T2', 'T2', 'T1', 'T1', 'T1', 'T1']);
	});

	it('are sent once by Retry On Fail, but to another account if their account has changed', async () => {
		const seen: Array<[unknown, string]> = [];
		const server = await startServer(({ authorization, body }) => {
			const token = tokenIn(authorization);
			seen.push([phoneIn(body), token]);
			if (token === 'OLD2') {
				n8n.credential.apiToken = "={{ $itemIndex === 0 ? 'OLD0' : 'NEW' + $itemIndex }}";
				return { status: 401, body: { message: 'Unauthenticated.' } };
			}
			return { body: CREATED };
		});
		const n8n = n8nWith({
			baseUrl: `${server.origin}/api`,
			apiToken: "={{ 'OLD' + $itemIndex }}",
		});
		const items = phones(3);
		const [first, second, third] = items.map(({ phone }) => phone);
		const { error } = await n8n.runNode({
			parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
			items,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect(error).toBeUndefined();
		expect(seen).toEqual([
			[first, 'OLD0'],
			[second, 'OLD1'],
			[third, 'OLD2'],
			[second, 'NEW1'],
			[third, 'NEW2'],
		]);
	});

	it('have their token when an agent sends them', async () => {
		const server = await serviceOf();
		const { error } = await runWith(server, PER_ITEM, {
			parameters: leadPerItem,
			items: phones(1),
			type: ACTION_AS_TOOL,
		});
		expect(error).toBeUndefined();
		expect(server.requests.map(({ authorization }) => tokenIn(authorization))).toEqual(['T0']);
	});
});

it.each(['searchAssistants', 'searchCampaigns', 'searchCalls', 'searchVoices'] as const)(
	'%s says that a list has no item for the expression of a credential',
	async (search) => {
		const n8n = n8nWith({ baseUrl: 'http://127.0.0.1:9/api', apiToken: PER_ITEM });
		await expect(n8n.listSearch(search)).rejects.toMatchObject({
			message:
				"The credential has an expression that needs an item, such as {{ $json.token }}. Triggers and lists to choose from have none. Choose a credential with fixed values. You can also choose 'By ID'.",
		});
	},
);
