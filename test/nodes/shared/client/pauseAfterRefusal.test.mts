import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retryAfterMs, waitText } from '../../../../nodes/shared/client/pauseAfterRefusal.ts';
import { forAny } from '../../../support/forAny.mts';

const NOW = Date.UTC(2026, 1, 10, 9, 0, 0);
const read = (header: unknown, body: unknown) => retryAfterMs({ 'retry-after': header }, body, NOW);
const inHeader = (header: unknown) => read(header, undefined);

describe('the wait that a rate limit asks for', () => {
	it.each([
		['0', 0],
		['7', 7_000],
		['007', 7_000],
		['86400', 86_400_000],
		['Tue, 10 Feb 2026 09:00:05 GMT', 5_000],
		['Tuesday, 10-Feb-26 09:00:05 GMT', 5_000],
		['Tue Feb 10 09:00:05 2026', 5_000],
		['Tue, 10 Feb 2026 08:00:00 GMT', 0],
		['Thu, 01 Jan 1970 00:00:00 GMT', 0],
	])('is read in the header %j', (header, ms) => {
		expect(inHeader(header)).toBe(ms);
	});

	it.each([
		...['', ' ', 'soon', '-3', '+3', '1,5', '1.5', '1 0', '1e3', '1e308', '0x10', '0b11'],
		...['Infinity', 'NaN', '2026-02-10', '2026-02-10T09:00:05Z', 'Sun', 'Sunday 5'],
		...['Tue, 99 Feb 2026 09:00:05 GMT', ['7'], 7, null, undefined],
	])('is none in the header %j', (header) => {
		expect(inHeader(header)).toBeUndefined();
	});

	it.each<[unknown, number | undefined]>([
		[4, 4_000],
		[0.5, 500],
		[0, 0],
		['4', 4_000],
		[999, 999_000],
		[3_600, 3_600_000],
		[3_601, 3_601_000],
		['5000', 5_000_000],
		[-3, undefined],
		[NaN, undefined],
		['0x10', undefined],
		[null, undefined],
		[[7], undefined],
		[true, undefined],
	])('is read in the body: %j', (retry_after, ms) => {
		expect(read(undefined, { retry_after })).toBe(ms);
		expect(read('soon', { retry_after })).toBe(ms);
		expect(read('2', { retry_after })).toBe(2_000);
	});

	it.each([
		['Tue, 10 Feb 2026 08:59:00 GMT', 65_000],
		['Tue, 10 Feb 2026 09:00:10 GMT', 0],
		['soon', 5_000],
		['', 5_000],
		[7, 5_000],
	])('counts from the Date of the response: %j', (date, ms) => {
		const headers = { date, 'retry-after': 'Tue, 10 Feb 2026 09:00:05 GMT' };
		expect(retryAfterMs(headers, undefined, NOW)).toBe(ms);
	});

	it.each(['9'.repeat(15), '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
		'is finite and more than a day: %s',
		(header) => {
			const ms = inHeader(header) ?? 0;
			expect(Number.isSafeInteger(ms)).toBe(true);
			expect(waitText(ms)).toBe('more than a day');
		},
	);

	it('is none, or a number from 0', () =>
		forAny(fc.tuple(fc.anything(), fc.anything()), ([header, body]) => {
			const ms = read(header, body) ?? 0;
			expect(ms).toBeGreaterThanOrEqual(0);
			expect(ms).toBeLessThan(Infinity);
		}));
});

it.each([
	[60_001, '2 minutes'],
	[3_600_000, '60 minutes'],
	[7_200_001, '3 hours'],
	[86_400_000, '24 hours'],
	[86_400_001, 'more than a day'],
])('%i ms in words: %s', (ms, words) => {
	expect(waitText(ms)).toBe(words);
});
