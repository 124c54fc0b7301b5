import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemRanges } from '../../../../nodes/VoiceAssistantCalling/transport/itemRanges.ts';

describe('item ranges', () => {
	it.each([
		[[], ''],
		[[4], '4'],
		[[0, 1], '0–1'],
		[[2, 0, 1, 5, 8, 7], '0–2, 5, 7–8'],
	])('of %j are %j', (items, text) => {
		expect(itemRanges(items)).toBe(text);
	});

	it('name exactly the items they were made of, as shortly as can be', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.nat(60)), (items) => {
				const ranges = itemRanges(items)
					.split(', ')
					.filter(Boolean)
					.map((range) => range.split('–').map(Number));
				const named = ranges.flatMap(([from = 0, to = from]) =>
					Array.from({ length: to - from + 1 }, (_, index) => from + index),
				);
				expect(named).toEqual([...items].sort((a, b) => a - b));
				ranges.slice(1).forEach(([from = 0], index) => {
					expect(from).toBeGreaterThan((ranges[index]?.at(-1) ?? 0) + 1);
				});
			}),
		);
	});
});
