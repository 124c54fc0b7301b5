import { describe, expect, it } from '@jest/globals';
import { OTHER_ACCOUNT } from '../../../nodes/VoiceAssistantCallingPollTrigger/pollMessages.ts';
import { ORDERS, startCallList, type HistoryCall } from '../../support/trigger/callList.mts';
import { SCHEDULERS, type EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';
import { sampled } from '../../support/sample.mts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 2, 2, 12);

const { list, letPass, published, pollAfter } = await startCallList();

/** Calls of the last 18 hours. */
const oldCalls = (firstId: number, count = 20): HistoryCall[] =>
	Array.from({ length: count }, (_, index) => {
		const createdAt = NOW - 18 * HOUR_MS + (index * 17 * HOUR_MS) / count;
		return {
			id: firstId + index,
			createdAt,
			endsAt: createdAt + 10 * SECOND_MS,
			finalStatus: 'completed',
		};
	});

/** A call that takes place now. */
function addCall(id: number): number {
	list.history.push({ id, createdAt: list.now, endsAt: list.now + 1, finalStatus: 'completed' });
	return id;
}

/** The credential has another token. @param history the calls of its account */
function useToken({ n8n }: EmulatedPollNode, apiToken: string, history = list.history): void {
	n8n.credential.apiToken = apiToken;
	list.history = history;
}

/** What users do to bring another token to the trigger. */
const WAYS: Array<[string, (trigger: EmulatedPollNode, change: () => void) => Promise<void>]> = [
	[
		'published again',
		async (trigger, change) => {
			change();
			await trigger.publish();
		},
	],
	[
		'unpublished meanwhile',
		async (trigger, change) => {
			trigger.unpublish();
			change();
			await trigger.publish();
		},
	],
	[
		'left published',
		async (_trigger, change) => {
			change();
			await Promise.resolve();
		},
	],
];

describe.each(SCHEDULERS)('a new token, with a scheduler that is %s', (scheduler) => {
	it.each(WAYS)('of another account: no past call starts the workflow, %s', async (_, bring) => {
		for (const firstId of [1_000, 1]) {
			const trigger = await published({ history: oldCalls(500) }, {}, scheduler);
			const first = addCall(600);
			await pollAfter(trigger, MINUTE_MS);
			await bring(trigger, () => useToken(trigger, 'other', oldCalls(firstId)));
			await pollAfter(trigger, MINUTE_MS);
			const next = addCall(firstId + 20);
			await pollAfter(trigger, MINUTE_MS);
			await pollAfter(trigger, MINUTE_MS);
			expect(trigger.startedIds).toEqual([first, next]);
			expect(trigger.warnings).toEqual([OTHER_ACCOUNT]);
		}
	});

	it.each(WAYS)('of the same account: each call starts it once, %s', async (_, bring) => {
		const trigger = await published({ history: oldCalls(1) }, {}, scheduler);
		const ids = [addCall(21)];
		await pollAfter(trigger, MINUTE_MS);
		ids.push(addCall(22));
		letPass(MINUTE_MS);
		await bring(trigger, () => useToken(trigger, 'new'));
		await pollAfter(trigger, MINUTE_MS);
		ids.push(addCall(23));
		await pollAfter(trigger, MINUTE_MS);
		expect([trigger.startedIds, trigger.warnings]).toEqual([ids, []]);
	});

	it('of an account whose list is empty: its first call starts it, and no call of the former one again', async () => {
		const trigger = await published({ history: oldCalls(1) }, {}, scheduler);
		const former = list.history;
		const ids = [addCall(21)];
		await pollAfter(trigger, MINUTE_MS);
		useToken(trigger, 'other', []);
		await pollAfter(trigger, MINUTE_MS);
		ids.push(addCall(30));
		await pollAfter(trigger, MINUTE_MS);
		// An empty list can also be a fault of the service.
		list.history = [...former, ...list.history];
		await pollAfter(trigger, MINUTE_MS);
		expect(trigger.startedIds).toEqual(ids);
	});
});

it.each(sampled(SCHEDULERS, 3))(
	'a new token of any account, whose list needs several polls: the first pages decide nothing (%s)',
	async (scheduler) => {
		const long = { compare: ORDERS['newest first'], maxPerPage: 10 };
		const history = oldCalls(1, 300);
		const other = await published({ ...long, history }, {}, scheduler);
		list.pageMs = 2 * SECOND_MS;
		useToken(other, 'other', oldCalls(1_000, 300));
		for (let minute = 0; minute < 30; minute++) await pollAfter(other, MINUTE_MS);
		expect(other.startedIds).toEqual([]);

		const same = await published({ ...long, history }, {}, scheduler);
		const ids = Array.from({ length: 300 }, (_, index) => {
			letPass(SECOND_MS);
			return addCall(1_000 + index);
		});
		list.pageMs = 2 * SECOND_MS;
		useToken(same, 'new');
		for (let minute = 0; minute < 30; minute++) await pollAfter(same, MINUTE_MS);
		expect(same.startedIds.map(Number).sort((a, b) => a - b)).toEqual(ids);
	},
);
