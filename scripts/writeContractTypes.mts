/**
 * Writes the types of the contract, which are not in git, unless they are newer than what they are made from.
 * npm runs it after each installation, and before the commands that read the types.
 */
import { statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reportYamlMistake } from './generate/reportYamlMistake.mts';
import { requireYaml } from './generate/requireYaml.mts';

const ROOT = join(import.meta.dirname, '..');
const OPENAPI = 'contract/openapi.yaml';
const TYPES = 'contract/generated/service.d.ts';
/** The version of the generator is in package.json. */
const SOURCES = [OPENAPI, 'package.json', 'scripts/writeContractTypes.mts'];

const modified = (path: string): number =>
	statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

async function write(): Promise<void> {
	await requireYaml(ROOT, OPENAPI);
	// Not before: loading it takes a second.
	const { default: openapiTS, astToString } = await import('openapi-typescript');
	// A default is what the service fills in: whoever sends a request may leave the field out.
	const options = { defaultNonNullable: false };
	const types = await openapiTS(pathToFileURL(join(ROOT, OPENAPI)), options);
	await mkdir(dirname(join(ROOT, TYPES)), { recursive: true });
	await writeFile(join(ROOT, TYPES), astToString(types));
}

if (SOURCES.some((source) => modified(source) >= modified(TYPES))) await reportYamlMistake(write);
