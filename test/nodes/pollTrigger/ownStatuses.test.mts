import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { A_CALL, LEAD_PHONE_NUMBER } from '../../../sandbox/test/support/calls.mts';
import { parseJson } from '../../../sandbox/test/support/client.mts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { startOwnService } from '../../../sandbox/test/support/testService.mts';
import { n8nWith } from '../../support/n8n/n8n.mts';
import { seedWith } from '../../support/n8n/testEnvironment.mts';
import { EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const START = Date.UTC(2026, 2, 2, 12);

afterEach(() => {
	jest.restoreAllMocks();
});

/** A published trigger at a provider with a time zone and statuses of its own. */
async function startAt(zone: string) {
	const service = await startOwnService({
		seed: seedWith({ calls: [] }),
		clock: { mode: 'manual', now: new Date(START).toISOString() },
		assume: { 'time-zone': zone },
	});
	const { alice, control } = service;
	/** Has the next polls read the calls with statuses that nobody knows. */
	const renameStatuses = async () => {
		await control.clearFaults();
		const { text } = await alice.get('/user/calls', { per_page: 100 });
		const body = text.replaceAll('"initiated"', '"queued"').replaceAll('"completed"', '"finished"');
		await control.fault({ operation: 'listCalls', status: 200, body: parseJson(body), times: 100 });
	};
	// n8n has the time of the service.
	let now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const trigger = new EmulatedPollNode(n8nWith({ baseUrl: service.url, apiToken: ALICE }));
	await trigger.publish();
	return {
		...service,
		trigger,
		call: (scenario: string) =>
			control.outbound({ assistant_id: 1, to: LEAD_PHONE_NUMBER, scenario }),
		pollAfter: async (ms: number) => {
			await control.advance(`PT${ms / SECOND_MS}S`);
			now += ms;
			await renameStatuses();
			await trigger.poll();
			return trigger.startedIds.length;
		},
	};
}

describe.each(['UTC', 'America/New_York', 'Asia/Tokyo'])('at a provider in %s', (zone) => {
	it('a call whose status nobody knows starts the workflow when it is over, with its transcript', async () => {
		await using provider = await startAt(zone);
		const { trigger, call, pollAfter } = provider;
		await call('answered');
		expect(await pollAfter(SECOND_MS)).toBe(0);
		await provider.control.advance(A_CALL);
		await pollAfter(MINUTE_MS);
		expect(trigger.executions).toEqual([
			[
				expect.objectContaining({
					status: 'finished',
					outcome: 'answered',
					transcript: expect.stringContaining('Hello'),
				}),
			],
		]);
	});
});
