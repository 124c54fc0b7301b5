import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { checkInput } from '../base/checkInput.mts';
import { scenarioDefinitions, type ScenarioDefinitions } from '../domain/call/scenarioFormat.mts';
import { Scenarios } from '../domain/call/scenarios.mts';

const BUILT_IN = checkInput(
	scenarioDefinitions,
	parse(readFileSync(new URL('scenarios.yaml', import.meta.url), 'utf8')),
	'sandbox/src/simulation/scenarios.yaml is invalid',
);

/** Whether this is the name of a scenario that a seed cannot define. */
export const isBuiltIn = (name: string): boolean => Object.hasOwn(BUILT_IN, name);

/** The built-in scenarios together with those of a seed. */
export const allScenarios = (added: ScenarioDefinitions = {}): Scenarios =>
	new Scenarios(BUILT_IN, added);
