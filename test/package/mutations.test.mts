import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { MUTATIONS, mutateSource } from '../mutants/mutations.mts';
import { root } from '../support/package.mts';

// Whoever changes a source learns here, and not after minutes of mutants, that a mutation no longer fits.
it('each mutation changes the file that it names', () => {
	const unfit = MUTATIONS.flatMap((mutation) => {
		const source = readFileSync(join(root, mutation.file), 'utf8');
		try {
			return mutateSource(source, mutation) === source ? [mutation.what] : [];
		} catch (error) {
			return [String(error)];
		}
	});

	expect(unfit).toEqual([]);
});
