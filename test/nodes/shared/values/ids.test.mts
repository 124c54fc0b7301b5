import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isId } from '../../../../nodes/shared/values/ids.ts';
import { forAny } from '../../../support/forAny.mts';

describe('the check of an ID', () => {
	it('accepts a whole number from 1, in the form in which JavaScript writes it', async () => {
		await forAny(
			fc.oneof(fc.string(), fc.double().map(String), fc.maxSafeInteger().map(String)),
			(text) => {
				const number = Number(text);
				const isPlain = String(number) === text && Number.isInteger(number) && number > 0;
				expect(isId(text)).toBe(isPlain && number < 1e15);
			},
		);
		await forAny(fc.integer({ min: 1, max: 999_999_999_999_999 }), (id) => {
			expect(isId(id)).toBe(true);
			expect(isId(String(id))).toBe(true);
			expect(isId(-id)).toBe(false);
			expect(isId(id + 0.5)).toBe(Number.isInteger(id + 0.5));
		});
	});
});
