import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemRanges } from '../../../../nodes/VoiceAssistantCalling/transport/runFailure.ts';
import { forAny } from '../../../support/forAny.mts';

it('item ranges name exactly the items they were made of, as shortly as can be', () =>
	forAny(fc.uniqueArray(fc.nat(60)), (items) => {
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
	}));
