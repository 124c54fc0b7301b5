import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { booleanProblem, toBoolean } from '../../../../nodes/shared/fields/booleans.ts';
import { forAny } from '../../../support/forAny.mts';

const NOT_EMPTY = fc.anything().filter((value) => value !== undefined && value !== null);

const isScalar = (value: unknown): value is string | number | boolean =>
	['string', 'number', 'boolean'].includes(typeof value);

/** The texts of true or false, as people and spreadsheets write them. */
const written = (text: string) =>
	fc
		.tuple(fc.constantFrom('', ' ', '\t\n', '\u00a0'), fc.mixedCase(fc.constant(text)))
		.map(([space, word]) => space + word + space);

describe('a boolean', () => {
	it('is true or false in any case, with spaces around it, and 1 or 0', async () => {
		for (const [value, texts, number] of [
			[true, ['true', '1'], 1],
			[false, ['false', '0'], 0],
		] as const) {
			expect([toBoolean(value), toBoolean(number)]).toEqual([value, value]);
			for (const text of texts) {
				await forAny(written(text), (given) => expect(toBoolean(given)).toBe(value));
			}
		}
	});

	it.each([undefined, null, ''])('that is empty has no value: %j', (value) => {
		expect([toBoolean(value), booleanProblem(value)]).toEqual([undefined, undefined]);
	});

	it('is never the opposite of what was given: any other value is wrong', () =>
		forAny(NOT_EMPTY, (value) => {
			const text = isScalar(value) ? String(value).trim().toLowerCase() : '';
			if (['true', '1'].includes(text)) expect(toBoolean(value)).toBe(true);
			else if (['false', '0'].includes(text)) expect(toBoolean(value)).toBe(false);
			else expect(toBoolean(value)).toBeUndefined();
			const isWrong = value !== '' && toBoolean(value) === undefined;
			expect(booleanProblem(value) !== undefined).toBe(isWrong);
		}));
});
