import { describe, expect, it } from '@jest/globals';
import { sleep } from 'n8n-workflow';
import { Limiter } from '../../../../nodes/VoiceAssistantCalling/transport/limiter.ts';
import {
	runItems,
	type PreparedItem,
} from '../../../../nodes/VoiceAssistantCalling/transport/runItems.ts';
import { nextTurn } from '../../../support/eventLoop.mts';

/** How many items are prepared before those in progress have ended. */
const AHEAD = 10;

describe('a run of items', () => {
	it.each([1, 3, 10])(
		'prepares no more than ten items ahead of those in progress, %i at a time',
		async (limit) => {
			const count = 60;
			const limiter = new Limiter(limit);
			let prepared = 0;
			const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
			const prepare = (item: number): Promise<PreparedItem> => {
				prepared++;
				const send = () => held.then(() => [{ json: { item } }]);
				return Promise.resolve(() => limiter.run(send));
			};
			const running = runItems(count, limiter, prepare, () => true);
			// The runner yields to the event loop once between two items.
			for (let turn = 0; turn < count; turn++) await sleep(0);
			expect(prepared).toBe(limit + AHEAD);
			release(undefined);
			expect(await running).toEqual(
				Array.from({ length: count }, (_, item) => ({ items: [{ json: { item } }] })),
			);
		},
	);
});

it('the event loop gets its turn between the items, however long it takes to prepare them', async () => {
	let isOver = false;
	let turns = 0;
	const others = async () => {
		for (; !isOver; turns++) await nextTurn();
	};
	const served = others();
	const prepare = (item: number): Promise<PreparedItem> => {
		// An expression blocks the event loop, too.
		const begin = Date.now();
		while (Date.now() - begin < 3);
		return Promise.resolve(() => Promise.resolve([{ json: { item } }]));
	};
	const outcomes = await runItems(100, new Limiter(10), prepare, () => true);
	isOver = true;
	await served;
	expect(outcomes).toHaveLength(100);
	// Four items take 12 ms: the runner yields after four items at most, 24 times.
	expect(turns).toBeGreaterThanOrEqual(20);
});
