import { expect, it } from '@jest/globals';
import { ALICE, newAssistant } from '../support/sandbox/seed.mts';
import type { Service } from '../support/sandbox/service.mts';
import { startOwnService } from '../support/sandbox/testService.mts';

const FEW = 1_000;
const MANY = 100_000;

/** Storing so many calls takes seconds, and more on a busy machine. */
const TIME_LIMIT_MS = 300_000;

const TRANSCRIPT = 'Assistant: Hello, how are you?\nCustomer: Fine, thank you.\n'.repeat(15);

/** A sandbox with finished calls, every second one of each campaign, and every tenth one busy. */
const startWithCalls = (count: number): Promise<Service & AsyncDisposable> =>
	startOwnService({
		assume: { 'rate-limit': null },
		seed: {
			users: [
				{
					token: ALICE,
					voices: [{ id: 1, name: 'Anna' }],
					languages: ['English'],
					assistants: [{ ...newAssistant, id: 1 }],
					campaigns: [
						{ id: 1, name: 'Spring', assistant_id: 1 },
						{ id: 2, name: 'Autumn', assistant_id: 1 },
					],
					calls: Array.from({ length: count }, (_, index) => ({
						assistant_id: 1,
						campaign_id: (index % 2) + 1,
						status: index % 10 === 0 ? 'busy' : 'completed',
						client_phone_number: `+49151${20_000_000 + index}`,
						transcript: TRANSCRIPT,
						ago: `PT${count - index}M`,
					})),
				},
			],
		},
	});

/** The shortest of some times, because other programs of the machine can only make one longer. */
async function timesOf(requests: Array<() => Promise<unknown>>): Promise<number[]> {
	const best = requests.map(() => Infinity);
	for (let round = 0; round < 15; round += 1) {
		for (const [index, request] of requests.entries()) {
			const begin = performance.now();
			await request();
			best[index] = Math.min(best[index] ?? Infinity, performance.now() - begin);
		}
	}
	return best;
}

/** Reads a page, and checks how many records its whole list has. */
async function read(own: Service, path: string, total: number): Promise<void> {
	const { body } = path.startsWith('/user')
		? await own.alice.request('GET', path, { ignoreContract: true })
		: await own.control.request('GET', path);
	expect(body).toMatchObject({ total });
}

const listed = '/records/calls';

it(
	'a page takes not much longer with a hundred times as many calls',
	async () => {
		await using few = await startWithCalls(FEW);
		await using many = await startWithCalls(MANY);
		const pages = [
			// Neither filtered nor counted one by one.
			{ path: () => listed, part: 1, factor: 3 },
			{ path: (count: number) => `${listed}?before=${count / 2}`, part: 1, factor: 3 },
			// Each record is looked at in an index. Reading the records takes more than a hundred times as long.
			{
				path: (count: number) => `${listed}?status=busy&campaign_id=1&before=${count / 2}`,
				part: 0.1,
				factor: 30,
			},
			{ path: () => `${listed}?running=true`, part: 0, factor: 30 },
			{ path: (count: number) => `/user/calls?page=${count / 20}`, part: 1, factor: 30 },
			{
				path: (count: number) => `/user/calls?status=busy&page=${count / 200}`,
				part: 0.1,
				factor: 30,
			},
		];
		const tooSlow: string[] = [];
		for (const { path, part, factor } of pages) {
			const [short = 0, long = 0] = await timesOf([
				() => read(few, path(FEW), FEW * part),
				() => read(many, path(MANY), MANY * part),
			]);
			const times = `${path(MANY)}: ${long.toFixed(1)} ms instead of ${short.toFixed(1)} ms`;
			if (long > short * factor) tooSlow.push(times);
		}
		expect(tooSlow).toEqual([]);
	},
	TIME_LIMIT_MS,
);
