import { expect } from '@playwright/test';

import { test } from './inspectorPage.mts';

const FEW = 1000;
const MANY = 100_000;
const REPEATS = 5;
/** How much longer a hundred times as many calls may take, and what a busy machine adds. */
const MOST_TIMES = 1.5;
const NOISE_MS = 100;

test('a hundred thousand calls are shown as fast as a thousand', async ({ inspector }) => {
	const { main, open, press, startSandbox } = inspector;
	const start = async (count: number) => {
		const { control } = await startSandbox({ seed: seed(count) });
		return { control, count, first: Infinity, filter: Infinity };
	};
	/** Keeps the fewest milliseconds until the first page is shown, and until a filter has its effect. */
	const measure = async (best: Awaited<ReturnType<typeof start>>): Promise<void> => {
		const begin = performance.now();
		await open('#/calls', best.control);
		await main.getByRole('link', { name: `Call ${best.count}`, exact: true }).waitFor();
		const shown = performance.now();
		await main.getByRole('combobox', { name: 'Status' }).selectOption('busy');
		await main.getByText('Nothing fits these filters.').waitFor();
		best.first = Math.min(best.first, shown - begin);
		best.filter = Math.min(best.filter, performance.now() - shown);
	};
	const few = await start(FEW);
	const many = await start(MANY);
	// The best of several times, in turns: the machine may be busy for a while.
	for (let repeat = 0; repeat < REPEATS; repeat += 1) {
		await measure(few);
		await measure(many);
	}
	for (const part of ['first', 'filter'] as const) {
		console.log(`       ${part}: ${few[part].toFixed(0)} ms, ${many[part].toFixed(0)} ms`);
		expect(many[part], part).toBeLessThan(few[part] * MOST_TIMES + NOISE_MS);
	}
	await open('#/calls', many.control);
	await main.getByText('50 of 100,000').waitFor();
	await press('Load more');
	await main.getByText('100 of 100,000').waitFor();
	await main.getByRole('link', { name: `Call ${MANY - 99}`, exact: true }).waitFor();
});

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
