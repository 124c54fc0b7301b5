import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { readAssumeFile } from '../../../index.mts';
import { readYaml } from '../../../src/contract/readYaml.mts';
import { asObject, type JsonObject } from '../../support/contract.mts';
import { differences, measure } from './measure.mts';

const folder = new URL('../../../presets/', import.meta.url);

/** The check cannot read records in these forms, and says so (contract/assumptions.yaml). */
const UNREADABLE = ['list-form', 'record-form', 'row-form', 'null-form'];

const allPresets = await Promise.all(
	(await readdir(folder)).map(async (file) => {
		const values = await readAssumeFile(fileURLToPath(new URL(file, folder)));
		return [file, values] as const;
	}),
);

/** The values of each preset that the check can read, by its name. */
export const presets: ReadonlyArray<readonly [name: string, values: { [key: string]: unknown }]> =
	allPresets.filter(([, values]) => !UNREADABLE.some((key) => key in values));

/** contract/assumptions.yaml. */
export const assumptions = Object.entries(
	asObject(await readYaml('assumptions.yaml'), 'the file'),
).map(([key, entry]) => ({ key, check: asObject(entry, key)['check'] }));

const isMeasured = (key: string): boolean =>
	assumptions.find((each) => each.key === key)?.check !== undefined;

/** The kinds of records that can be read. */
const READ_KINDS = ['page', 'call', 'assistant', 'tool', 'campaign'];

const readable = (value: unknown): JsonObject =>
	Object.fromEntries(
		Object.entries(asObject(value, 'a value')).filter(([kind]) => READ_KINDS.includes(kind)),
	);

/** A value so far as reading can show it. Of an extra field that is only the name. */
function visible(key: string, value: unknown): unknown {
	if (value === undefined) return undefined;
	switch (key) {
		case 'missing-fields':
			return Object.fromEntries(
				Object.entries(readable(value)).map(([kind, names]) => [
					kind,
					[...(names as string[])].sort(),
				]),
			);
		case 'extra-fields':
			return Object.fromEntries(
				Object.entries(readable(value)).map(([kind, fields]) => [
					kind,
					Object.keys(asObject(fields, kind)).sort(),
				]),
			);
		// Its name cannot be told from its offset.
		case 'time-zone':
			return undefined;
		default:
			return value;
	}
}

/** What verify has to find at a service with these values: no less, and no more. */
export const expectedDifferences = (values: {
	[key: string]: unknown;
}): { [key: string]: unknown } =>
	Object.fromEntries(
		Object.entries(values)
			.filter(([key]) => isMeasured(key) && !isHidden(key, values))
			.map(([key, value]) => [key, visible(key, value)]),
	);

/** A call of the last hours shows the time zone. With the oldest first, a smaller page than 100 has none. */
const isHidden = (key: string, values: { [key: string]: unknown }): boolean =>
	key === 'time-zone' &&
	values['call-order'] === 'oldest-first' &&
	'largest-page' in values &&
	!('timestamp-form' in values);

/** What verify finds there. */
export async function foundDifferences(values: { [key: string]: unknown }) {
	const result = await measure(values);
	const found = Object.entries(differences(result)).map(([key, value]) => [
		key,
		visible(key, value),
	]);
	return {
		stopped: result.stopped,
		found: Object.fromEntries(found) as { [key: string]: unknown },
	};
}

const valuesByKey = Object.entries(
	Object.groupBy(
		presets.flatMap(([, values]) => Object.entries(values)),
		([key]) => key,
	),
).map(([key, pairs = []]) => ({ key, values: pairs.map(([, value]) => value) }));

/** A service with five differences, drawn from all presets. */
const drawnProvider = fc
	.shuffledSubarray(valuesByKey, { minLength: 5, maxLength: 5 })
	.chain((keys) =>
		fc.tuple(
			...keys.map(({ key, values }) => fc.tuple(fc.constant(key), fc.constantFrom(...values))),
		),
	)
	.map((pairs): { [key: string]: unknown } => Object.fromEntries<unknown>(pairs));

/** Such services, the same ones for a seed. */
export const drawProviders = (seed: number, count: number) =>
	fc.sample(drawnProvider, { seed, numRuns: count });
