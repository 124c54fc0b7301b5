import { scenarioDefinitions, type ScenarioDefinitions } from '../domain/call/scenarioFormat.mts';
import { Scenarios } from '../domain/call/scenarios.mts';
import { readSimulationFile } from './readSimulationFile.mts';

const BUILT_IN = readSimulationFile('scenarios.yaml', scenarioDefinitions);

/** Whether this is the name of a scenario that a seed cannot define. */
export const isBuiltIn = (name: string): boolean => Object.hasOwn(BUILT_IN, name);

/** The built-in scenarios together with those of a seed. */
export const allScenarios = (added: ScenarioDefinitions = {}): Scenarios =>
	new Scenarios(BUILT_IN, added);
