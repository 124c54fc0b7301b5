import { readFileSync } from 'node:fs';

import { parse } from 'yaml';
import type * as z from 'zod';

import { checkInput } from '../base/checkInput.mts';

/** Reads a file of this folder. @throws {InvalidInput} with every entry that does not fit */
export function readSimulationFile<Format extends z.ZodTypeAny>(
	name: string,
	format: Format,
): z.output<Format> {
	const file = readFileSync(new URL(name, import.meta.url), 'utf8');
	return checkInput(format, parse(file), `sandbox/src/simulation/${name} is invalid`);
}
