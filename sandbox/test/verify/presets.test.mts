import { describe, expect, it } from '@jest/globals';
import { sampledRuns } from '../../../test/support/sample.mts';
import { measure } from './support/measure.mts';
import {
	drawProviders,
	expectedDifferences,
	foundDifferences,
	presets,
} from './support/providers.mts';

/** test:fuzz draws more. */
const DRAWN = drawProviders(1, sampledRuns(10));

it('at a service as assumed, all checks find it as assumed', async () => {
	const { findings, stopped } = await measure({});
	expect(stopped).toBeUndefined();
	expect(findings.filter(({ outcome }) => outcome !== 'as assumed')).toEqual([]);
});

describe('exactly the differences that there are, with the values that make the sandbox behave so', () => {
	it.each(presets)('%s', async (_, values) => {
		expect(await foundDifferences(values)).toEqual({
			stopped: undefined,
			found: expectedDifferences(values),
		});
	});

	it.each(DRAWN.map((values) => [Object.keys(values).join(', '), values] as const))(
		'%s',
		async (_, values) => {
			expect(await foundDifferences(values)).toEqual({
				stopped: undefined,
				found: expectedDifferences(values),
			});
		},
	);
});
