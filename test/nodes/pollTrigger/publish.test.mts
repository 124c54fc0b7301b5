import { describe, expect, it } from '@jest/globals';
import { n8nAt, pageIn } from '../../support/n8n/stubService.mts';
import { stubServersPerTest, type StubResponse } from '../../support/n8n/stubServer.mts';
import { TurnedClock } from '../../support/n8n/turnedClock.mts';
import {
	EmulatedPollNode,
	SCHEDULERS,
	type Scheduler,
} from '../../support/trigger/emulatedPollNode.mts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const PER_PAGE = 100;

/** n8n 2.41 aborts a publish after this time. */
const PUBLISH_LIMIT_MS = 84 * SECOND_MS;

/** The pauses between the five attempts of n8n 2.41. */
const PAUSES_MS = [1, 2, 4, 8, 0].map((seconds) => seconds * SECOND_MS);

const startStub = stubServersPerTest();

/** The first page of a list. */
const firstPage = (newestAt: number): StubResponse => ({
	body: {
		current_page: 1,
		data: Array.from({ length: PER_PAGE }, (_, index) => ({
			id: 10_000 - index,
			status: 'completed',
			created_at: new Date(newestAt - index * MINUTE_MS).toISOString(),
		})),
		last_page: 20,
		per_page: PER_PAGE,
		total: 20 * PER_PAGE,
	},
});

/** A service whose list hangs after its first page, and how n8n 2.41 publishes then. */
async function startHangingService(clock: TurnedClock, scheduler: Scheduler) {
	const service = { hangs: true };
	const server = await startStub(async ({ url }) => {
		if (!service.hangs) return { body: { current_page: 1, data: [], last_page: 1, total: 0 } };
		if (pageIn(url) > 1) await new Promise(() => undefined);
		return firstPage(clock.now);
	});
	const trigger = new EmulatedPollNode(n8nAt(server), {}, scheduler);
	const publish = async (): Promise<string[]> => {
		const attempt = trigger.beginPublish();
		const messages: string[] = [];
		for (const pause of PAUSES_MS) {
			const message = attempt().then(() => 'published', String);
			await clock.advanceUntilSettled(message);
			messages.push(await message);
			if (messages.at(-1) === 'published') break;
			clock.turnTo(clock.now + pause);
		}
		return messages;
	};
	return { service, publish };
}

describe.each(SCHEDULERS)('a publish with the scheduler %s, whose service hangs,', (scheduler) => {
	it('fails five times before n8n gives up', async () => {
		using clock = new TurnedClock();
		const { publish } = await startHangingService(clock, scheduler);
		const start = clock.now;
		expect(await publish()).toEqual(
			PAUSES_MS.map(() => expect.stringContaining('The service did not answer in time')),
		);
		expect(clock.now - start).toBeLessThan(PUBLISH_LIMIT_MS);
	});

	it('takes no time away from the next one, which comes right after it', async () => {
		using clock = new TurnedClock();
		const { service, publish } = await startHangingService(clock, scheduler);
		await publish();
		service.hangs = false;
		clock.turnTo(clock.now + 4 * SECOND_MS);
		expect(await publish()).toEqual(['published']);
	});
});

it('a publish fails when no call in the list can be read, and says what is missing', async () => {
	const server = await startStub(() => ({
		body: { data: [{ id: 7, status: 'completed', createdAt: '2026-03-02' }], last_page: 1 },
	}));
	await expect(new EmulatedPollNode(n8nAt(server)).publish()).rejects.toThrow(
		'No call in the list can be read. The first one has no created_at that can be read (ID 7)',
	);
});

it('a publish fails when the list does not say how many pages it has', async () => {
	const server = await startStub(() => ({ body: { data: [], has_more: true } }));
	await expect(new EmulatedPollNode(n8nAt(server)).publish()).rejects.toThrow(
		'The fields of the answer: data, has_more.',
	);
});

it('a publish succeeds when one call in the list can be read', async () => {
	const created_at = '2026-03-02 09:00:00';
	const server = await startStub(() => ({
		body: { data: [{ id: 7 }, { id: 8, status: 'completed', created_at }], last_page: 1 },
	}));
	await new EmulatedPollNode(n8nAt(server)).publish();
});
