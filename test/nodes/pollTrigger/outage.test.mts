import { expect, it } from '@jest/globals';
import { n8nAt } from '../../support/n8n/stubService.mts';
import { stubServersPerTest, type StubResponse } from '../../support/n8n/stubServer.mts';
import { TurnedClock } from '../../support/n8n/turnedClock.mts';
import { EmulatedPollNode, SCHEDULERS } from '../../support/trigger/emulatedPollNode.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import { sampled } from '../../support/sample.mts';

const startStub = stubServersPerTest();

const MINUTE_MS = 60_000;
const EMPTY: StubResponse = { body: { current_page: 1, data: [], last_page: 1, total: 0 } };
const DOWN: StubResponse = { status: 503, body: { message: 'Down.' } };

/** A published trigger at a service whose answer can be changed. */
async function published(scheduler?: (typeof SCHEDULERS)[number]) {
	let answer = EMPTY;
	const server = await startStub(() => answer);
	const trigger = new EmulatedPollNode(n8nAt(server), {}, scheduler);
	await trigger.publish();
	/** What a poll that failed says, or nothing. */
	const poll = async () =>
		await withoutWaits(() => trigger.poll()).then(
			() => undefined,
			(error: unknown) => (error as Error).message,
		);
	const { requests } = server;
	return { trigger, poll, requests, answers: (next: StubResponse) => (answer = next) };
}

it.each(sampled(SCHEDULERS, 3))(
	'an outage of two hours is told each hour, with its polls (%s)',
	async (name) => {
		using clock = new TurnedClock();
		const { poll, answers } = await published(name);
		answers(DOWN);
		const told: string[] = [];
		for (let minute = 0; minute < 121; minute++) {
			told.push((await poll()) ?? '');
			clock.turnTo(clock.now + MINUTE_MS);
		}
		expect(told.filter(Boolean)).toEqual([
			expect.stringMatching(/^Down\. Try again later/),
			expect.stringMatching(/^Down\. 61 polls have failed since \d{4}-\d\d-\d\d \d\d:\d\d UTC\./),
			expect.stringMatching(/^Down\. 121 polls have failed since /),
		]);
		answers(EMPTY);
		expect(await poll()).toBeUndefined();
		answers(DOWN);
		expect(await poll()).toMatch(/^Down\. Try again later/);
	},
);

it('what time does not mend is told by each poll', async () => {
	const { poll, answers } = await published();
	answers({ status: 401, body: { message: 'No.' } });
	expect([await poll(), await poll()]).toEqual([
		expect.stringContaining('Authorization failed: The service did not accept'),
		expect.stringContaining('Authorization failed: The service did not accept'),
	]);
});

it('a poll asks no sooner than the service wants', async () => {
	using clock = new TurnedClock();
	const { poll, answers, requests } = await published();
	answers({ ...DOWN, headers: { 'Retry-After': '300' } });
	await poll();
	const { length: before } = requests;
	for (let minute = 0; minute < 4; minute++) {
		clock.turnTo(clock.now + MINUTE_MS);
		expect(await poll()).toBeUndefined();
	}
	expect(requests).toHaveLength(before);
	answers(EMPTY);
	clock.turnTo(clock.now + MINUTE_MS);
	await poll();
	expect(requests).toHaveLength(before + 1);
});
