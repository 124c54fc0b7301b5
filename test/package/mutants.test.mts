import { globSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { AREAS } from '../mutants/areas.mts';
import { root } from '../support/package.mts';

// Whoever moves a file learns here, and not at night, that its mutants are made nowhere.
it('each area of the mutants has files and tests', () => {
	const globs = Object.values(AREAS).flatMap(({ files, tests }) => [...files, ...tests]);
	expect(globs.filter((glob) => globSync(glob, { cwd: root }).length === 0)).toEqual([]);
});
