import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GOES_ON } from '../../../nodes/VoiceAssistantCallingPollTrigger/pollMessages.ts';
import { n8nAt, pageIn } from '../../support/n8n/stubService.mts';
import { stubServersPerTest, type StubResponse } from '../../support/n8n/stubServer.mts';
import { EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { getFailure } from '../../support/trigger/testEnvironment.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import { onlyInFull } from '../../support/sample.mts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const PER_PAGE = 100;

const NOW = Date.UTC(2026, 2, 2, 12);

/** n8n's time. A service lets it pass with each request. */
let now = NOW;

beforeEach(() => {
	now = NOW;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});

afterEach(() => {
	jest.restoreAllMocks();
});

const startStub = stubServersPerTest();

const record = (id: number) => ({
	id,
	status: 'completed',
	created_at: new Date(NOW + id * MINUTE_MS).toISOString(),
});

/** A page of a list whose oldest calls come first, and which has ten more pages each time. */
const growing = (page: number): StubResponse => ({
	body: {
		current_page: page,
		data: Array.from({ length: PER_PAGE }, (_, row) => record(page * PER_PAGE + row)),
		last_page: page + 10,
		per_page: PER_PAGE,
		total: (page + 10) * PER_PAGE,
	},
});

/** A page of a list of 100 pages whose oldest calls come first. */
const ofHundred = (page: number): StubResponse => ({
	body: { ...(growing(page).body as object), last_page: 100, total: 100 * PER_PAGE },
});

const EMPTY: StubResponse = { body: { current_page: 1, data: [], last_page: 1, total: 0 } };

/** A trigger of a service that answers its first requests as if there was no call, so it can be published. */
async function published(respond: (page: number, url: string) => StubResponse) {
	let isPublished = false;
	const server = await startStub(({ url }) => (isPublished ? respond(pageIn(url), url) : EMPTY));
	const trigger = new EmulatedPollNode(n8nAt(server));
	await trigger.publish();
	isPublished = true;
	server.requests.length = 0;
	return { trigger, server };
}

describe('a poll ends, and moves no cursor', () => {
	onlyInFull(it)('when a list grows with each page', async () => {
		const { trigger, server } = await published(growing);
		const before = trigger.memory;
		expect((await getFailure(trigger.poll())).message).toBe(
			"The list has more than 100,000 calls, too many for a poll. Choose assistants or campaigns, so that each list is shorter, and publish again. Get the calls until then with 'Call → Get Many' and the dates.",
		);
		expect(server.requests.length).toBeLessThan(1_010);
		expect(trigger.memory).toEqual(before);
	});

	it('a minute after it began, if a publish must know all calls of a new query', async () => {
		const server = await startStub(({ url }) => {
			now += 10 * SECOND_MS;
			return growing(pageIn(url));
		});
		const trigger = new EmulatedPollNode(n8nAt(server));
		expect((await getFailure(trigger.publish())).message).toBe(
			notPublished(
				'The service did not answer in time. Try again later, and ask your provider if it fails again.',
			),
		);
		expect(server.requests.length).toBe(6);
	});

	it('when the service asks for long pauses', async () => {
		const { trigger, server } = await published(() => {
			now += 50 * SECOND_MS;
			return { status: 429, headers: { 'Retry-After': '50' }, body: { message: 'Too many' } };
		});
		const before = trigger.memory;
		const { message } = await getFailure(withoutWaits(() => trigger.publish()));
		expect(message).toContain('The service is receiving too many requests');
		expect(server.requests.length).toBe(1);
		expect(trigger.memory).toEqual(before);
	});
});

it.each([
	['5 minutes after it began', 'poll', 30],
	['a minute after it began, if it is a part of a publish', 'publish', 6],
] as const)(
	'a poll ends %s, hands out what it has read, and the next one goes on',
	async (_what, how, pages) => {
		const { trigger, server } = await published((page) => {
			now += 10 * SECOND_MS;
			return ofHundred(page);
		});
		await trigger[how]();
		expect(server.requests.length).toBe(pages);
		expect(trigger.startedIds).toHaveLength(pages * PER_PAGE);
		expect(trigger.warnings).toContain(GOES_ON);
		server.requests.length = 0;
		await trigger.poll();
		const read = server.requests.map(({ url }) => pageIn(url));
		expect(read.slice(0, 3)).toEqual([1, pages, pages + 1]);
		expect(new Set(trigger.startedIds).size).toBe(trigger.startedIds.length);
	},
);

it('a list that shifts while it is read is read again by the next poll', async () => {
	const calls = Array.from({ length: 100 }, (_, index) => record(index + 1));
	const ids = calls.map(({ id }) => id);
	const { trigger, server } = await published((page) => {
		// Two calls of the first page are removed, so two of the fourth page slip to the third one.
		if (server.requests.length === 4) calls.splice(-2);
		const newestFirst = calls.toReversed();
		return {
			body: {
				current_page: page,
				data: newestFirst.slice((page - 1) * 20, page * 20),
				last_page: Math.ceil(calls.length / 20),
				per_page: 20,
				total: calls.length,
			},
		};
	});
	now += 100 * MINUTE_MS;
	await trigger.poll();
	const missed = [39, 40].filter((id) => !trigger.startedIds.includes(id));
	expect(missed).toEqual([39, 40]);
	await trigger.poll();
	expect(trigger.startedIds.map(Number).sort((a, b) => a - b)).toEqual(ids);
});
