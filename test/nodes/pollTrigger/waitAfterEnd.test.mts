import { describe, expect, it } from '@jest/globals';
import { startCallList, type HistoryCall } from '../../support/trigger/callList.mts';
import { SCHEDULERS } from '../../support/trigger/emulatedPollNode.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { getFailure } from '../../support/trigger/testEnvironment.mts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

const NOW = Date.UTC(2026, 2, 2, 12);

const { list, published, pollAfter } = await startCallList();

/** Calls of a minute each, with their transcript 20 seconds later. */
const calls = (firstId: number, firstAt: number, count = 30): HistoryCall[] =>
	Array.from({ length: count }, (_, index) => {
		const createdAt = firstAt + index * MINUTE_MS;
		const endsAt = createdAt + MINUTE_MS;
		return { id: firstId + index, createdAt, endsAt, finalStatus: 'completed' };
	});

const past = () => calls(1, NOW - 60 * MINUTE_MS);

const waiting = (seconds: unknown) => ({ options: { waitAfterEnd: seconds as number } });

describe.each(SCHEDULERS)('with a scheduler that is %s', (scheduler) => {
	/** A trigger that was published before a call began. */
	async function start(parameters: ReturnType<typeof waiting> | object) {
		const history = past();
		const behaviour = { history, transcriptAfterMs: 20 * SECOND_MS };
		const trigger = await published(behaviour, { ...parameters }, scheduler);
		history.push(...calls(31, NOW, 1));
		return trigger;
	}

	it('a call waits after a poll first saw it over, and has what came later', async () => {
		const trigger = await start(waiting(90));
		for (let polls = 0; polls < 2; polls++) await pollAfter(trigger, MINUTE_MS);
		expect(trigger.startedIds).toEqual([]);
		for (let polls = 0; polls < 3; polls++) await pollAfter(trigger, MINUTE_MS);
		expect(trigger.executions).toEqual([
			[expect.objectContaining({ id: 31, transcript: 'Hello' })],
		]);
	});

	it('a call that waits goes on waiting after a restart, and a known one does not wait again', async () => {
		const trigger = await start(waiting(90));
		await pollAfter(trigger, MINUTE_MS);
		await trigger.publish();
		await trigger.restart();
		await pollAfter(trigger, 80 * SECOND_MS);
		expect(trigger.startedIds).toEqual([]);
		await pollAfter(trigger, 10 * SECOND_MS);
		await trigger.publish();
		await pollAfter(trigger, 5 * MINUTE_MS);
		expect(trigger.startedIds).toEqual([31]);
	});

	it.each([{}, waiting(0), waiting('')])('it does not wait with %j', async (parameters) => {
		const trigger = await start(parameters);
		await pollAfter(trigger, MINUTE_MS);
		expect(trigger.executions).toEqual([[expect.objectContaining({ id: 31, transcript: '' })]]);
	});
});

it('a call that ended while n8n was down for days is handed out, and not given up', async () => {
	const history = past();
	const trigger = await published({ history }, waiting(90));
	history.push(...calls(31, NOW, 1), ...calls(32, NOW + 3 * DAY_MS));
	await pollAfter(trigger, 3 * DAY_MS + 60 * MINUTE_MS);
	await pollAfter(trigger, 2 * MINUTE_MS);
	expect(trigger.startedIds.toSorted()).toEqual(calls(31, NOW, 31).map(({ id }) => id));
	expect(list.requestCount).toBeLessThan(20);
});

it.each([
	[-1, 'must be a number from 0 to 3600. The value is: -1'],
	[3601, 'must be a number from 0 to 3600. The value is: 3601'],
	['soon', 'must be a number from 0 to 3600. The value is: soon'],
])('%j is refused', async (value, problem) => {
	expect((await getFailure(published({}, waiting(value)))).message).toBe(
		notPublished(
			`The option 'Wait After the End (Seconds)' ${problem}. Correct the option, then publish again.`,
		),
	);
});
