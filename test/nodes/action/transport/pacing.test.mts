import { afterEach, describe, expect, it } from '@jest/globals';
import type { INode, INodeParameters } from 'n8n-workflow';
import { itemRanges } from '../../../../nodes/VoiceAssistantCalling/transport/runFailure.ts';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { n8nAt, startHeldServer } from '../../../support/n8n/stubService.mts';
import { holdTime, passTime, useRealTime } from '../../../support/n8n/time.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent } = await startTestEnvironment();
const startServer = stubServersPerTest();
afterEach(useRealTime);

const atOnce = (maxConcurrentRequests: number): INodeParameters => ({
	...leadPerItem,
	requestOptions: { maxConcurrentRequests },
});

const getPhone = (body: unknown): string => (body as { phone_number: string }).phone_number;

/** The service's response to a new lead. */
const created = (body: unknown): StubResponse => ({
	body: { message: 'Lead created successfully', data: { phone_number: getPhone(body) } },
});

const refusal = (message: string): StubResponse => ({ status: 422, body: { message } });
const pause = (seconds: number): StubResponse => ({
	status: 429,
	headers: { 'Retry-After': String(seconds) },
	body: {},
});

/** Starts a run at a service that responds when the test tells it to. */
async function startHeld(parameters: INodeParameters, count: number, settings?: Partial<INode>) {
	const { server, answer } = await startHeldServer(startServer);
	const bell = await startServer(() => ({ body: {} }));
	const items = people(count);
	const running = n8nAt(server).startNode({ parameters, items, settings });
	return {
		ended: running.ended,
		cancel: () => running.cancel(),
		server,
		items,
		/** Responds to a request and, unless it gets its own response, creates its lead. */
		answer: (index: number, response = created(server.requests[index]?.body)) =>
			answer(index, response),
		/** Resolves when every request that was sent before has arrived. */
		roundTrip: async () => {
			for (let turn = 0; turn < 3; turn++) await fetch(bell.origin).then((reply) => reply.text());
		},
	};
}

it.each([
	[200, 10, leadPerItem],
	[40, 1, atOnce(1)],
	[40, 3, atOnce(3)],
	[200, 100, atOnce(100)],
])(
	'%i items are sent with at most %i requests in progress, and are output in their order',
	async (count, limit, parameters) => {
		const { server, items, answer, roundTrip, ended } = await startHeld(parameters, count);
		for (let sentSoFar = 0, batch = 0; sentSoFar < count; sentSoFar += batch) {
			// Ten at first, because nobody knows how many the service takes. Each success allows one more.
			batch = Math.min(limit, 10 + sentSoFar, count - sentSoFar);
			await server.arrived(sentSoFar + batch);
			if (sentSoFar === 0) await roundTrip();
			expect(server.requests).toHaveLength(sentSoFar + batch);
			// The latest request gets its response first.
			for (let index = sentSoFar + batch - 1; index >= sentSoFar; index--) answer(index);
		}
		const { output, error } = await ended;
		expect(error).toBeUndefined();
		expect(output[0].map(({ json, pairedItem }) => [json.phone_number, pairedItem])).toEqual(
			items.map(({ phone }, item) => [phone, { item }]),
		);
	},
);

it.each([1, 3, 10])(
	'after the first failure no further item is sent, %i at a time',
	async (limit) => {
		const items = people(40);
		const bad = items[7];
		if (bad) bad.phone = '123';
		const { error, run } = await n8n.runNode({ parameters: atOnce(limit), items });

		const requests = await sent();
		const phones = items.map(({ phone }) => phone);
		const refused = requests.filter(({ status }) => status === 422);
		expect(refused.map(({ body }) => getPhone(body))).toEqual(['123']);
		const wentThrough = requests
			.filter(({ status }) => status === 200)
			.map(({ body }) => phones.indexOf(getPhone(body)));
		const begun = [...wentThrough, 7];
		const notBegun = items.map((_, item) => item).filter((item) => !begun.includes(item));
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '422',
			message: "'Phone Number': Invalid phone number",
			description: [
				`Succeeded: items ${itemRanges(wentThrough)}. Leave these out when you try again, as 'Retry' in the list of executions does.`,
				"Refused: item 7 ('Phone Number': Invalid phone number).",
				`Not started: items ${itemRanges(notBegun)}.`,
				'Items are counted from 0.',
				'The phone number was sent as 123. It is too short. Check its digits.',
				'Correct this field, then try again.',
			].join('\n'),
			context: { itemIndex: 7 },
		});
		expect(run.status).toBe('error');
		expect(requests.length).toBeLessThanOrEqual(8 + limit);
		if (limit === 1) expect(wentThrough).toEqual([0, 1, 2, 3, 4, 5, 6]);
	},
);

it('a rate limit pauses the whole run: nothing else is sent', async () => {
	holdTime();
	const { server, answer, roundTrip, ended } = await startHeld(atOnce(2), 6);
	await server.arrived(2);

	answer(0, pause(20));
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
	const phones = server.requests.map(({ body }) => getPhone(body));
	expect(phones).toHaveLength(7);
	expect(new Set(phones).size).toBe(6);
});

describe('a canceled execution', () => {
	it('ends a wait for a rate limit, and sends nothing else', async () => {
		holdTime();
		const { server, answer, roundTrip, cancel, ended } = await startHeld(atOnce(1), 3);
		await server.arrived(1);
		answer(0, pause(50));
		await server.requests[0]?.closed;
		await roundTrip();
		await passTime(5_000);

		cancel();
		await passTime(500);
		const { error, run } = await ended;
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
		const settings = { onError: 'continueRegularOutput' } as const;
		const { server, answer, roundTrip, cancel, ended } = await startHeld(atOnce(2), 6, settings);
		await server.arrived(2);
		answer(0);
		await server.arrived(3);
		cancel();
		await ended;
		await roundTrip();
		expect(server.requests).toHaveLength(3);
	});

	it('says of a write in progress that its outcome is unknown', async () => {
		const { server, cancel, ended } = await startHeld(leadPerItem, 1);
		await server.arrived(1);
		cancel();
		expect((await ended).error).toMatchObject({
			message:
				'The execution was canceled before the service answered; the request may have been carried out',
			description: expect.stringContaining('The request was not sent again.'),
		});
	});
});

describe("n8n's Retry On Fail", () => {
	const UNKNOWN = { status: 500, body: { message: 'Server Error' } };

	/** The response to one item, as often as it says. */
	type Failure = StubResponse & { item: number; times?: number };

	/**
	 * Runs the node with three tries, at a service that fails for one item.
	 *
	 * @returns also how often each item reached the service
	 */
	async function runWithRetry(
		parameters: INodeParameters,
		count: number,
		failure: Failure,
		settings?: Partial<INode>,
	) {
		const items = people(count);
		let failures = 0;
		const server = await startServer(({ body }) =>
			getPhone(body) === items[failure.item]?.phone && failures++ < (failure.times ?? 1)
				? failure
				: created(body),
		);
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1, ...settings };
		const outcome = await n8nAt(server).runNode({ parameters, items, settings: retry });
		const phones = server.requests.map(({ body }) => getPhone(body));
		const times = items.map(({ phone }) => phones.filter((each) => each === phone).length);
		return { ...outcome, times };
	}

	it('does not send items again that went through', async () => {
		const failure = { item: 3, ...refusal('Not now.') };
		const { output, error, times } = await runWithRetry(atOnce(1), 6, failure);
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json.phone_number)).toEqual(
			people(6).map(({ phone }) => phone),
		);
		expect(times).toEqual([1, 1, 1, 2, 1, 1]);
	});

	it('together with continue on fail sends no item again that went through', async () => {
		const failure = { item: 0, ...refusal('Not now.') };
		const settings = { onError: 'continueErrorOutput' } as const;
		const { output, times } = await runWithRetry(leadPerItem, 4, failure, settings);
		expect(output.map((items) => items.length)).toEqual([4, 0]);
		expect(times).toEqual([2, 1, 1, 1]);
	});

	const LEAVE_OUT =
		"Leave these out when you try again, as 'Retry' in the list of executions does.";
	const UNKNOWN_ERROR = 'Server Error; the request may have been carried out';
	const UNKNOWN_3 = `Sent, but the outcome is unknown: item 3 (${UNKNOWN_ERROR}).`;
	const NOT_SENT_AGAIN =
		'The request was not sent again. Check in your account at the provider before you try again.';
	const TRY_AGAIN = 'Fix the problem that the service reports, then try again.';

	it.each<[string, INodeParameters, Failure, times: number[], message: string, told: string[]]>([
		[
			'names the items that went through in an earlier try, also those after the failed item',
			leadPerItem,
			{ item: 3, ...UNKNOWN },
			[1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
			UNKNOWN_ERROR,
			[`Succeeded: items 0–2, 4–9. ${LEAVE_OUT}`, UNKNOWN_3, NOT_SENT_AGAIN],
		],
		[
			'does not send items again whose outcome is unknown',
			atOnce(1),
			{ item: 3, ...UNKNOWN },
			[1, 1, 1, 1, 0, 0],
			UNKNOWN_ERROR,
			[`Succeeded: items 0–2. ${LEAVE_OUT}`, UNKNOWN_3, 'Not started: items 4–5.', NOT_SENT_AGAIN],
		],
		[
			'sends refused items again, as often as Max Tries says',
			atOnce(1),
			{ item: 0, times: Infinity, ...refusal('Never.') },
			[3, 0],
			'Never.',
			['No item succeeded.', 'Refused: item 0 (Never).', 'Not started: item 1.', TRY_AGAIN],
		],
	])('%s', async (_what, parameters, failure, times, message, told) => {
		const outcome = await runWithRetry(parameters, times.length, failure);
		const description = told.toSpliced(-1, 0, 'Items are counted from 0.').join('\n');
		expect(outcome.error).toMatchObject({ message, description });
		expect(outcome.times).toEqual(times);
	});
});
