import * as z from 'zod';

import { checkInput, toFaults, type Fault } from '../base/checkInput.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import { didYouMean } from '../base/nearest.mts';
import { readYamlFile } from '../base/yamlFile.mts';
import { assumptionFormat, type Assumptions } from './assumptionFormat.mts';
import { readContractFile } from './readContractFile.mts';

export type { Assumptions } from './assumptionFormat.mts';

/** Other values of assumptions by their keys, as they are written: durations are texts. */
export interface ChosenAssumptions {
	[key: string]: unknown;
}

const KEYS = Object.keys(assumptionFormat.shape);

const defaultsFormat = z.record(z.object({ value: z.unknown() }).passthrough());
let defaults: Promise<ChosenAssumptions> | undefined;

async function readDefaults(): Promise<ChosenAssumptions> {
	const entries = Object.entries(defaultsFormat.parse(await readContractFile('assumptions.yaml')));
	return Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
}

const unknownKey = (key: string): string =>
	`There is no assumption "${key}" to change.${didYouMean(key, KEYS)} There are: ${KEYS.join(', ')}.`;

/**
 * The values of contract/assumptions.yaml.
 *
 * @param chosen values that replace them
 * @throws {InvalidInput} for an unknown key or an impossible value
 */
export async function loadAssumptions(chosen: ChosenAssumptions): Promise<Assumptions> {
	const unknown = Object.keys(chosen).find((key) => !KEYS.includes(key));
	if (unknown !== undefined) throw new InvalidInput(unknownKey(unknown));
	defaults ??= readDefaults();
	return checkInput(
		assumptionFormat,
		{ ...(await defaults), ...chosen },
		'An assumption is invalid',
	);
}

/**
 * Reads a file that says how a provider behaves: values of assumptions by their keys, in YAML.
 *
 * @throws {Error} when the file cannot be read
 * @throws {InvalidFile} with every key that does not exist, and every impossible value
 */
export async function readAssumeFile(path: string): Promise<ChosenAssumptions> {
	const file = await readYamlFile('file of assumptions', path);
	// A file in which everything is a comment changes nothing.
	const given = file.value ?? {};
	const result = assumptionFormat.partial().strict().safeParse(given);
	if (result.success) return given as ChosenAssumptions;
	throw file.invalid(result.error.issues.flatMap(explained));
}

const explained = (issue: z.ZodIssue): Fault[] =>
	issue.code === 'unrecognized_keys' && issue.path.length === 0
		? issue.keys.map((key) => ({ path: [key], message: unknownKey(key) }))
		: toFaults([issue]);
