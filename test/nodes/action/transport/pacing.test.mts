import { afterEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ACTION } from '../../../../host/n8n/names.mts';
import { itemRanges } from '../../../../nodes/VoiceAssistantCalling/transport/itemRanges.ts';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import {
	stubServersPerTest,
	type StubResponse,
	type StubServer,
} from '../../../support/n8n/stubServer.mts';
import { holdTime, passTime, skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';

const { n8n, sent, fault } = await startTestEnvironment();

const atOnce = (maxConcurrentRequests: number): INodeParameters => ({
	...leadPerItem,
	requestOptions: { maxConcurrentRequests },
});

const phoneOf = (body: unknown): string => (body as { phone_number: string }).phone_number;

/** The service's response to a new lead. */
const created = (body: unknown): StubResponse => ({
	body: { message: 'Lead created successfully', data: { phone_number: phoneOf(body) } },
});

/** A service that responds when the test tells it to. */
interface HeldService {
	server: StubServer;
	/** Responds to a request, counted in the order of arrival. */
	answer: (index: number, answer?: StubResponse) => void;
	/** Resolves when every request that was sent before has arrived. */
	roundTrip: () => Promise<void>;
}

const startServer = stubServersPerTest();
afterEach(useRealTime);

async function held(): Promise<HeldService> {
	const answers: Array<(answer: StubResponse) => void> = [];
	const server = await startServer(
		(_request, index) => new Promise((resolve) => (answers[index] = resolve)),
	);
	const bell = await startServer(() => ({ body: {} }));
	return {
		server,
		answer: (index, answer) => answers[index]?.(answer ?? created(server.requests[index]?.body)),
		roundTrip: async () => {
			for (let turn = 0; turn < 3; turn++) await fetch(bell.origin).then((reply) => reply.text());
		},
	};
}

const nodeAt = (server: StubServer) =>
	n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'held-token' });

describe('200 items', () => {
	it.each([
		[10, leadPerItem],
		[1, atOnce(1)],
		[3, atOnce(3)],
		[100, atOnce(100)],
	])(
		'are sent with at most %i requests in progress, and are output in their order',
		async (limit, parameters) => {
			const { server, answer, roundTrip } = await held();
			const items = people(200);
			const { ended } = nodeAt(server).startNode({ parameters, items });

			for (let sentSoFar = 0; sentSoFar < items.length; sentSoFar += limit) {
				const batch = Math.min(limit, items.length - sentSoFar);
				await server.arrived(sentSoFar + batch);
				if (sentSoFar === 0) await roundTrip();
				expect(server.requests).toHaveLength(sentSoFar + batch);
				// The latest request gets its response first.
				for (let index = sentSoFar + batch - 1; index >= sentSoFar; index--) answer(index);
			}

			const { output, error } = await ended;
			expect(error).toBeUndefined();
			expect(output[0].map(({ json }) => json.phone_number)).toEqual(
				items.map(({ phone }) => phone),
			);
			expect(output[0].map(({ pairedItem }) => pairedItem)).toEqual(
				items.map((_, item) => ({ item })),
			);
		},
	);

	it('reach the sandbox with at most 10 in progress', async () => {
		const items = people(200);
		// Long enough that more than 10 requests would be in progress if the node sent more.
		await fault({ operation: 'createLead', delay_ms: 20, times: items.length });
		const { output } = await n8n.runNode({ parameters: leadPerItem, items });
		expect(output[0].map(({ json }) => json.phone_number)).toEqual(items.map(({ phone }) => phone));
		const requests = await sent();
		expect(requests).toHaveLength(200);
		expect(Math.max(...requests.map(({ inFlight }) => inFlight))).toBeLessThanOrEqual(10);
	});

	it('need the credential once', async () => {
		n8n.credentialReads = 0;
		const { output } = await n8n.runNode({ parameters: leadPerItem, items: people(200) });
		expect(output[0]).toHaveLength(200);
		expect(n8n.credentialReads).toBe(1);
	});
});

describe('after the first failure', () => {
	it.each([1, 3, 10])('no further item is sent, %i at a time', async (limit) => {
		const items = people(40);
		const bad = items[7];
		if (bad) bad.phone = '123';
		const { error, run } = await n8n.runNode({ parameters: atOnce(limit), items });

		const requests = await sent();
		const phones = items.map(({ phone }) => phone);
		const refused = requests.filter(({ status }) => status === 422);
		expect(refused.map(({ body }) => phoneOf(body))).toEqual(['123']);
		const wentThrough = requests
			.filter(({ status }) => status === 200)
			.map(({ body }) => phones.indexOf(phoneOf(body)));
		const begun = [...wentThrough, 7];
		const notBegun = items.map((_, item) => item).filter((item) => !begun.includes(item));
		expect(error).toMatchObject({
			message: "'Phone Number': Invalid phone number",
			description: [
				`Succeeded: items ${itemRanges(wentThrough)}. Leave these out when you try again.`,
				"Refused: item 7 ('Phone Number': Invalid phone number).",
				`Not started: items ${itemRanges(notBegun)}.`,
				'Items are counted from 0.',
				"The phone number was sent as 123. Add the country code, or set 'Default Country Code'.",
				'Correct the fields named above, then try again.',
			].join('\n'),
			context: { itemIndex: 7 },
		});
		expect(run.status).toBe('error');
		expect(requests.length).toBeLessThanOrEqual(8 + limit);
		if (limit === 1) expect(wentThrough).toEqual([0, 1, 2, 3, 4, 5, 6]);
	});

	it('the node waits for the items in progress, and names those that went through', async () => {
		const { server, answer } = await held();
		const { ended } = nodeAt(server).startNode({ parameters: atOnce(3), items: people(5) });
		await server.arrived(3);
		const phones = people(5).map(({ phone }) => phone);
		const items = server.requests.map(({ body }) => phones.indexOf(phoneOf(body)));

		answer(1, { status: 402, body: { message: 'Insufficient balance.' } });
		await server.requests[1]?.closed;
		answer(0);
		answer(2, { status: 402, body: { message: 'Another one.' } });
		const { error } = await ended;
		const refused = [
			{ item: items[1] ?? NaN, words: 'Insufficient balance.' },
			{ item: items[2] ?? NaN, words: 'Another one.' },
		].sort((a, b) => a.item - b.item);
		expect(error).toMatchObject({
			message: refused[0]?.words,
			description: [
				`Succeeded: item ${items[0]}. Leave these out when you try again.`,
				...refused.map(({ item, words }) => `Refused: item ${item} (${words.slice(0, -1)}).`),
				'Not started: items 3–4.',
				'Items are counted from 0.',
				'Top up the account at your provider, then try again.',
			].join('\n'),
			context: { itemIndex: refused[0]?.item },
		});
		expect(server.requests).toHaveLength(3);
	});

	it('the message says if no item went through', async () => {
		const items = [{ phone: '123' }, ...people(3)];
		const { error } = await n8n.runNode({ parameters: atOnce(1), items });
		expect(error).toMatchObject({
			message: "'Phone Number': Invalid phone number",
			description: [
				'No item succeeded.',
				"Refused: item 0 ('Phone Number': Invalid phone number).",
				'Not started: items 1–3.',
				'Items are counted from 0.',
				"The phone number was sent as 123. Add the country code, or set 'Default Country Code'.",
				'Correct the fields named above, then try again.',
			].join('\n'),
		});
		expect(await sent()).toHaveLength(1);
	});

	it('all other items are sent with continue on fail', async () => {
		const items = people(12).map(({ phone }, index) => ({ phone: index % 5 ? phone : '123' }));
		const { output } = await n8n.runNode({
			parameters: leadPerItem,
			items,
			settings: { onError: 'continueErrorOutput' },
		});
		const paired = output.map((branch) => branch.map(({ pairedItem }) => pairedItem));
		expect(paired).toEqual([
			[1, 2, 3, 4, 6, 7, 8, 9, 11].map((item) => ({ item })),
			[0, 5, 10].map((item) => ({ item })),
		]);
		expect(await sent()).toHaveLength(12);
	});
});

describe('a rate limit', () => {
	it('pauses the whole run: nothing else is sent', async () => {
		const { server, answer, roundTrip } = await held();
		holdTime();
		const { ended } = nodeAt(server).startNode({ parameters: atOnce(2), items: people(6) });
		await server.arrived(2);

		answer(0, { status: 429, headers: { 'Retry-After': '20' }, body: { message: 'Slow down' } });
		await server.requests[0]?.closed;
		await roundTrip();
		answer(1);
		await server.requests[1]?.closed;
		for (const ms of [0, 10_000, 9_500]) {
			await passTime(ms);
			await roundTrip();
			expect(server.requests).toHaveLength(2);
		}

		await passTime(1_000);
		for (let index = 2; index < 7; index++) {
			await server.arrived(index + 1);
			answer(index);
		}
		const { output, error } = await ended;
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(6);
		const times = new Map<string, number>();
		for (const { body } of server.requests) {
			times.set(phoneOf(body), (times.get(phoneOf(body)) ?? 0) + 1);
		}
		expect([...times.values()].sort()).toEqual([1, 1, 1, 1, 1, 2]);
	});

	it('that hits many items lets all of them succeed later', async () => {
		await fault({ status: 429, headers: { 'Retry-After': '2' }, times: 10 });
		skipWaits();
		const { output, error } = await n8n.runNode({ parameters: leadPerItem, items: people(60) });
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(60);
		const requests = await sent();
		expect(requests).toHaveLength(70);
		expect(new Set(requests.map(({ body }) => phoneOf(body))).size).toBe(60);
	});
});

describe('a rate limit of more than a minute', () => {
	it('ends all items that were not sent, also with continue on fail', async () => {
		await fault({ status: 429, headers: { 'Retry-After': '120' } });
		const { output } = await n8n.runNode({
			parameters: atOnce(1),
			items: people(4),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0]).toEqual([]);
		expect(output[1].map(({ json }) => json.error)).toEqual([
			expect.objectContaining({ httpCode: '429' }),
			...Array.from({ length: 3 }, () =>
				expect.objectContaining({
					message: 'The service is receiving too many requests',
					description:
						'It asks you to wait 2 minutes. The service did not carry out this item. Try again later.',
				}),
			),
		]);
		expect(await sent()).toHaveLength(1);
	});
});

describe('a canceled execution', () => {
	it('ends a wait for a rate limit, and sends nothing else', async () => {
		const { server, answer, roundTrip } = await held();
		holdTime();
		const running = nodeAt(server).startNode({ parameters: atOnce(1), items: people(3) });
		await server.arrived(1);
		answer(0, { status: 429, headers: { 'Retry-After': '50' }, body: {} });
		await server.requests[0]?.closed;
		await roundTrip();
		await passTime(5_000);

		running.cancel();
		await passTime(500);
		const { error, run } = await running.ended;
		expect(run.status).toBe('canceled');
		expect(error).toMatchObject({
			message: 'The execution was canceled',
			description: expect.stringContaining('No item succeeded.'),
		});
		await passTime(60_000);
		await roundTrip();
		expect(server.requests).toHaveLength(1);
	});

	it('sends nothing else also with continue on fail', async () => {
		const { server, answer, roundTrip } = await held();
		const running = nodeAt(server).startNode({
			parameters: atOnce(2),
			items: people(6),
			settings: { onError: 'continueRegularOutput' },
		});
		await server.arrived(2);
		answer(0);
		await server.arrived(3);

		running.cancel();
		await running.ended;
		await roundTrip();
		expect(server.requests).toHaveLength(3);
	});

	it('says of a write in progress that its outcome is unknown', async () => {
		const { server } = await held();
		const running = nodeAt(server).startNode({ parameters: leadPerItem, items: people(1) });
		await server.arrived(1);
		running.cancel();
		const { error } = await running.ended;
		expect(error).toMatchObject({
			message: 'The execution was canceled before the service answered',
			description: expect.stringContaining('The service may have carried out the request'),
		});
	});
});

describe("n8n's Retry On Fail", () => {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } as const;

	const runWithRetry = (server: StubServer, parameters: INodeParameters, items: IDataObject[]) =>
		nodeAt(server).runNode({ parameters, items, settings: retry });

	/** How often each item reached the service. */
	const timesSent = (server: StubServer, items: Array<{ phone: string }>) =>
		items.map(({ phone }) => server.requests.filter(({ body }) => phoneOf(body) === phone).length);

	/** Starts a service that fails for one item, once or always, and creates leads for the others. */
	function failingFor(item: number, failure: StubResponse, always = false) {
		let failed = false;
		return startServer(({ body }) => {
			const isHit = phoneOf(body) === people(10)[item]?.phone && (always || !failed);
			if (!isHit) return created(body);
			failed = true;
			return failure;
		});
	}

	it('does not send items again that went through', async () => {
		const server = await failingFor(3, { status: 422, body: { message: 'Not now.' } });
		const items = people(6);
		const { output, error } = await runWithRetry(server, atOnce(1), items);
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json.phone_number)).toEqual(items.map(({ phone }) => phone));
		expect(timesSent(server, items)).toEqual([1, 1, 1, 2, 1, 1]);
	});

	it('does not send items again whose outcome is unknown', async () => {
		const server = await failingFor(3, { status: 500, body: { message: 'Server Error' } });
		const items = people(6);
		const { error } = await runWithRetry(server, atOnce(1), items);
		expect(error).toMatchObject({
			message: 'Server Error',
			description: [
				'Succeeded: items 0–2. Leave these out when you try again.',
				'Sent, but the outcome is unknown: item 3 (Server Error).',
				'Not started: items 4–5.',
				'Items are counted from 0.',
				'The service may have carried out the request, so it was not sent again. Check in your account at the provider before you try again.',
			].join('\n'),
		});
		expect(timesSent(server, items)).toEqual([1, 1, 1, 1, 0, 0]);
	});

	it('names the items that went through in an earlier try, also those after the failed item', async () => {
		const server = await failingFor(3, { status: 500, body: { message: 'Server Error' } });
		const items = people(10);
		const { error } = await runWithRetry(server, leadPerItem, items);
		expect(error?.message).toBe('Server Error');
		expect(error?.description).toContain('Succeeded: items 0–2, 4–9.');
		expect(error?.description).toContain(
			'Sent, but the outcome is unknown: item 3 (Server Error).',
		);
		expect(error?.description).not.toContain('Not started');
		expect(timesSent(server, items)).toEqual(items.map(() => 1));
	});

	it('sends refused items again, as often as Max Tries says', async () => {
		const server = await failingFor(0, { status: 422, body: { message: 'Never.' } }, true);
		const items = people(2);
		const { error } = await runWithRetry(server, atOnce(1), items);
		expect(error).toMatchObject({
			message: 'Never.',
			description: [
				'No item succeeded.',
				'Refused: item 0 (Never).',
				'Not started: item 1.',
				'Items are counted from 0.',
				'Fix the problem that the service reports, then try again.',
			].join('\n'),
		});
		expect(timesSent(server, items)).toEqual([3, 0]);
	});

	it('together with continue on fail sends no item again that went through', async () => {
		const server = await failingFor(0, { status: 422, body: { message: 'Not now.' } });
		const items = people(4);
		const { output } = await nodeAt(server).runNode({
			parameters: leadPerItem,
			items,
			settings: { ...retry, onError: 'continueErrorOutput' },
		});
		expect(output[0]).toHaveLength(4);
		expect(output[1]).toEqual([]);
		expect(timesSent(server, items)).toEqual([2, 1, 1, 1]);
	});
});

it('remembers nothing from one run of the node to the next', async () => {
	const workflow = {
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{
				name: 'Stop',
				type: ACTION,
				parameters: { resource: 'campaign', operation: 'stop', campaignId: '1' },
			},
		],
		connections: {
			Start: {
				main: [
					[
						{ node: 'Stop', type: 'main' as const, index: 0 },
						{ node: 'Stop', type: 'main' as const, index: 0 },
					],
				],
			},
		},
	};
	const run = await n8n.runWorkflow(workflow);
	expect(run.data.resultData.runData.Stop).toHaveLength(2);
	expect(await sent()).toHaveLength(2);
});
