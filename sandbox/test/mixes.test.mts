import { describe, expect, it } from '@jest/globals';
import { startCall } from './support/calls.mts';
import { createSandbox } from '../index.mts';
import type { JsonObject } from './support/contract.mts';
import { runningCampaign } from './support/seed.mts';
import { startOwnService } from './support/testService.mts';
import { sampledRuns } from '../../test/support/sample.mts';

const MIX = { answered: 60, voicemail: 15, 'no-answer': 25 };
const LEADS = sampledRuns(400);

/** A running campaign with this mix. */
const seedWith = (mix: JsonObject, leads: JsonObject[]) =>
	runningCampaign(
		leads.map((lead, index) => ({ phone_number: `+49151${20_000_000 + index}`, ...lead })),
		{ campaign: { mix } },
	);

/** The scenario of each lead's first call, in the order of the calls. */
async function getScenarios(mix: JsonObject, leads: JsonObject[]): Promise<unknown[]> {
	await using own = await startOwnService({
		seed: seedWith(mix, leads),
		assume: { 'campaign-parallel-calls': leads.length },
	});
	return (await own.control.calls()).map(({ scenario }) => scenario);
}

describe('the mix of a campaign', () => {
	it('chooses the scenarios by their weights, the same in each run', async () => {
		const leads = Array.from({ length: LEADS }, () => ({}));
		const scenarios = await getScenarios(MIX, leads);
		expect(scenarios).toHaveLength(LEADS);
		for (const [name, weight] of Object.entries(MIX)) {
			// Five standard deviations of the binomial distribution.
			const share = weight / 100;
			const margin = 5 * Math.sqrt(LEADS * share * (1 - share));
			const count = scenarios.filter((scenario) => scenario === name).length;
			expect(Math.abs(count - LEADS * share)).toBeLessThan(margin);
		}
		expect(await getScenarios(MIX, leads)).toEqual(scenarios);
	});

	it('never has a scenario with the weight 0, and weights need not be 100 together', async () => {
		const leads = Array.from({ length: 50 }, () => ({}));
		const scenarios = await getScenarios({ busy: 0, failed: 0.5, 'no-answer': 0.5 }, leads);
		expect(new Set(scenarios)).toEqual(new Set(['failed', 'no-answer']));
	});

	it('counts less than the scenario or tool of a lead, and than its number', async () => {
		const leads = [{ scenario: 'busy' }, { tool: {} }, { phone_number: '+4915112399903' }, {}];
		const scenarios = ['busy', 'tool-call', 'failed', 'no-answer'];
		expect(await getScenarios({ 'no-answer': 1 }, leads)).toEqual(scenarios);
	});

	it('counts for a call on request, on behalf of a lead, unless the request has a scenario', async () => {
		await using own = await startOwnService({
			seed: seedWith({ 'no-answer': 1 }, [{ id: 1, status: 'completed' }]),
		});
		const call = { assistant_id: 1, to: '+4915120000000', lead_id: 1 };
		expect(await own.control.outbound(call)).toMatchObject({ scenario: 'no-answer' });
		expect(await own.control.outbound({ ...call, scenario: 'busy' })).toMatchObject({
			scenario: 'busy',
		});
		expect(await startCall(own, { to: call.to })).toMatchObject({
			scenario: 'answered',
		});
	});

	const NO_WEIGHT = /campaigns\.0\.mix: At least one weight must be above 0/;
	it.each<[JsonObject, RegExp]>([
		[{ abducted: 1 }, /mix\.abducted: There is no scenario "abducted"/],
		[{ answered: 0 }, NO_WEIGHT],
		[{}, NO_WEIGHT],
		[{ answered: 2, busy: -1 }, /mix\.busy: A weight is 0 or more/],
		[{ answered: 'often' }, /mix\.answered: /],
	])('%j is refused', async (mix, message) => {
		await expect(createSandbox({ port: 0, seed: seedWith(mix, []) })).rejects.toThrow(message);
	});
});
