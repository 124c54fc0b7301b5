import { expect, it } from '@jest/globals';
import { LEVELS } from '../../src/verify/check.mts';
import { CHECKS } from '../../src/verify/checks.mts';
import { assumptions } from './support/providers.mts';

it('each assumption has the check that it names, and each check its assumption', () => {
	const named = assumptions.flatMap(({ key, check }) =>
		typeof check === 'string' ? [`${check}: ${key}`] : [],
	);
	// Whether the address is right is no assumption.
	const made = CHECKS.filter(({ level }) => level !== 'address').map(
		({ key, level }) => `${level}: ${key}`,
	);
	expect(made.sort()).toEqual(named.sort());
	const levels = new Set(CHECKS.map(({ level }) => level));
	expect(LEVELS.filter((level) => levels.has(level))).toEqual(LEVELS);
});
