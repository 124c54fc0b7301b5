import { expect, it } from '@jest/globals';
import { LEVELS, type Level } from '../../src/verify/check.mts';
import { CHECKS } from '../../src/verify/checks.mts';
import { assumptions } from './support/providers.mts';

/** Levels whose checks are not there yet. */
const TO_COME: readonly string[] = ['reversible', 'call'] satisfies Level[];

const inOrder = (pairs: Array<readonly [key: string, level: string]>) =>
	pairs
		.filter(([, level]) => !TO_COME.includes(level))
		.map(([key, level]) => `${level}: ${key}`)
		.sort();

it('each assumption has the check that it names, and each check its assumption', () => {
	const named = assumptions.flatMap(({ key, check }) =>
		typeof check === 'string' ? [[key, check] as const] : [],
	);
	// Whether the address is right is no assumption.
	const made = CHECKS.filter(({ level }) => level !== 'address').map(
		({ key, level }) => [key, level] as const,
	);
	expect(inOrder(made)).toEqual(inOrder(named));
	expect(LEVELS).toEqual(expect.arrayContaining([...new Set(named.map(([, level]) => level))]));
});
