import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { announcedLimit } from '../../../../nodes/VoiceAssistantCalling/transport/announcedLimit.ts';
import { forAny } from '../../../support/forAny.mts';

const STARTED = Date.UTC(2026, 1, 10, 9, 0, 0);
const NOW = STARTED + 50;
const read = (headers: Record<string, unknown>) => announcedLimit(headers, STARTED, NOW);

const three = (limit: string, remaining: string, reset: string, prefix = 'x-ratelimit') => ({
	[`${prefix}-limit`]: limit,
	[`${prefix}-remaining`]: remaining,
	[`${prefix}-reset`]: reset,
});

describe('the limit that a response announces', () => {
	it.each<[string, Record<string, string>]>([
		['X-RateLimit', three('100', '3', '5')],
		['RateLimit-… of the drafts up to 6', three('100', '3', '5', 'ratelimit')],
		['RateLimit-Limit with a policy', three('100, 100;w=60', '3', '5', 'ratelimit')],
		['RateLimit of draft 7', { ratelimit: 'limit=100, remaining=3, reset=5' }],
		[
			'RateLimit of draft 8',
			{ ratelimit: '"default";r=3;t=5', 'ratelimit-policy': '"default";q=100;w=60' },
		],
	])('is read in the form %s', (_form, headers) => {
		expect(read(headers)).toEqual({
			limit: 100,
			remaining: 3,
			earliestReset: STARTED + 4_000,
			latestReset: NOW + 5_000,
		});
	});

	it.each([
		['5', STARTED + 4_000, NOW + 5_000],
		['0', STARTED - 1_000, NOW],
		['2.4', STARTED + 2_300, NOW + 2_400],
		['2.345', STARTED + 2_344, NOW + 2_345],
		[String(STARTED / 1000 + 7), STARTED + 6_000, STARTED + 7_000],
		[`${STARTED / 1000 + 7}.25`, STARTED + 7_240, STARTED + 7_250],
		[String(STARTED + 7_123), STARTED + 7_122, STARTED + 7_123],
	])('ends between two times: reset %s', (reset, earliestReset, latestReset) => {
		expect(read(three('100', '3', reset))).toMatchObject({ earliestReset, latestReset });
	});

	it('is the one with the fewest requests left, of several', () => {
		const ratelimit = '"day";r=900;t=3600, "burst";r=2;t=5';
		const policies = { 'ratelimit-policy': '"burst";q=20;w=10, "day";q=1000;w=86400' };
		expect(read({ ratelimit, ...policies })).toMatchObject({ limit: 20, remaining: 2 });
	});

	it.each([undefined, '', '0', 'many'])('needs no limit: %j', (limit) => {
		const headers = { ...three('', '3', '5'), 'x-ratelimit-limit': limit };
		expect(read(headers)).toMatchObject({ limit: undefined, remaining: 3 });
	});

	it.each([
		{},
		{ 'x-ratelimit-remaining': '3' },
		{ 'x-ratelimit-reset': '3' },
		three('100', '-1', '5'),
		three('100', '1.5', '5'),
		three('100', 'few', '5'),
		three('100', '3', '-5'),
		three('100', '3', 'soon'),
		three('100', '3', '6m0s'),
		three('100', '3', '1e3'),
		three('100', '3', '0x10'),
		three('100', '3', 'Infinity'),
		three('100', '3', '9'.repeat(400)),
		{ ratelimit: 'remaining=3' },
		{ ratelimit: '"default";r=3' },
		{ 'x-ratelimit-remaining': 3, 'x-ratelimit-reset': ['5'] },
	])('is none in %j', (headers) => {
		expect(read(headers)).toBeUndefined();
	});

	it('is none, or numbers, in any headers', () => {
		const text = fc.oneof(fc.string(), fc.stringMatching(/^[\d.,;="rtq ]*$/), fc.anything());
		const names = ['x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit', 'ratelimit-policy'];
		return forAny(fc.tuple(text, text, text, text), (values) => {
			const found = read(Object.fromEntries(names.map((name, index) => [name, values[index]])));
			if (!found) return;
			expect(found.remaining).toBeGreaterThanOrEqual(0);
			expect(found.latestReset).toBeGreaterThanOrEqual(found.earliestReset);
			expect(Number.isFinite(found.latestReset)).toBe(true);
		});
	});
});
