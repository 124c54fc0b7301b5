import assert from 'node:assert/strict';

import { createSandbox, type Sandbox } from '../../sandbox/index.mts';
import type { Checks } from '../support/checks.mts';
import type { InspectorPage } from './inspectorPage.mts';

const FEW = 1000;
const MANY = 100_000;
const REPEATS = 5;
/** How much longer a hundred times as many calls may take, and what a busy machine adds. */
const MOST_TIMES = 1.5;
const NOISE_MS = 100;

/** A hundred thousand calls do not slow the inspector. */
export async function manyCalls(
	{ check, cleanup }: Checks,
	inspector: InspectorPage,
): Promise<void> {
	const { page, main, open, assertQuiet } = inspector;
	const withCalls = async (count: number): Promise<Sandbox> =>
		await cleanup.use(createSandbox({ port: 0, clock: 'manual', seed: seed(count) }));

	/** Milliseconds until the first page is shown, and until a filter has its effect. */
	const measure = async ({ control }: Sandbox, count: number) => {
		let start = performance.now();
		await open(control, '#/calls');
		await main.getByRole('link', { name: `Call ${count}`, exact: true }).waitFor();
		const first = performance.now() - start;
		start = performance.now();
		await main.getByRole('combobox', { name: 'Status' }).selectOption('busy');
		await main.getByText('Nothing fits these filters.').waitFor();
		return { first, filter: performance.now() - start };
	};

	await check('a hundred thousand calls are shown as fast as a thousand', async () => {
		const small = await withCalls(FEW);
		const sandbox = await withCalls(MANY);
		// The best of several times, in turns: the machine may be busy for a while.
		const few = { first: Infinity, filter: Infinity };
		const many = { ...few };
		for (let repeat = 0; repeat < REPEATS; repeat += 1) {
			keepBest(few, await measure(small, FEW));
			keepBest(many, await measure(sandbox, MANY));
		}
		const words = Object.entries({ few, many }).map(
			([name, { first, filter }]) =>
				`${name}: first page ${first.toFixed(0)} ms, filter ${filter.toFixed(0)} ms`,
		);
		console.log(`       ${words.join('; ')}`);
		assert.ok(many.first < few.first * MOST_TIMES + NOISE_MS, words.join('; '));
		assert.ok(many.filter < few.filter * MOST_TIMES + NOISE_MS, words.join('; '));
		await open(sandbox.control, '#/calls');
		await main.getByText('50 of 100,000').waitFor();
		await main.getByRole('button', { name: 'Load more' }).click();
		await main.getByText('100 of 100,000').waitFor();
		await page.getByRole('link', { name: `Call ${MANY - 99}`, exact: true }).waitFor();
		assertQuiet();
	});
}

interface Times {
	first: number;
	filter: number;
}

function keepBest(best: Times, { first, filter }: Times): void {
	best.first = Math.min(best.first, first);
	best.filter = Math.min(best.filter, filter);
}

const seed = (count: number): object => ({
	users: [
		{
			token: 'a-token',
			calls: Array.from({ length: count }, (_one, index) => ({
				type: 'outbound',
				status: 'completed',
				duration: 60,
				client_phone_number: `+1415${String(5_000_000 + index)}`,
				transcript: 'Assistant: Hello, this is the spring service.\nCustomer: Hello.',
				ago: 'PT1H',
			})),
		},
	],
});
