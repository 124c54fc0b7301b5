import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { readExamplePages } from '../../host/n8n/examplePages.mts';
import { assumptionsPage } from './assumptions.mts';
import { byUseCase, galleryList, galleryPage, galleryTables } from './gallery.mts';
import { limits } from './limits.mts';
import { credentialTypes, nodeDescriptions, nodeResources } from './nodeDescriptions.mts';
import { numberingPlans } from './numberingPlans.mts';
import { readPaths } from './openapi.mts';
import { previews } from './previews.mts';
import { operationsTable, triggersTable, withGeneratedParts } from './readme.mts';
import { recordShapes } from './recordShapes.mts';
import { referencePage } from './reference.mts';
import { requireYaml } from './requireYaml.mts';
import { wireTypes } from './wireTypes.mts';

const TYPES = 'contract/generated';
const PREVIEWS = 'nodes/VoiceAssistantCalling/__schema__/v1.0.0';
const FIELDS = 'nodes/VoiceAssistantCalling/fields';
const TYPES_HEADER =
	'// Generated from contract/openapi.yaml by `npm run generate`, do not edit.\n\n';

/**
 * Writes the texts that differ from those that are there.
 *
 * @param folders that have nothing but wanted files: what else is there goes
 * @param check whether nothing is written
 * @returns the files that differ
 */
async function update(
	root: string,
	wanted: Map<string, string>,
	folders: string[],
	check: boolean,
): Promise<string[]> {
	const stale: string[] = [];
	const present = globSync(
		folders.map((folder) => `${folder}/**/*.*`),
		{ cwd: root },
	);
	for (const path of [...new Set([...wanted.keys(), ...present])].sort()) {
		const file = join(root, path);
		const text = wanted.get(path);
		if (existsSync(file) && text === (await readFile(file, 'utf8'))) continue;
		stale.push(path);
		if (check) continue;
		if (text === undefined) {
			await rm(file);
		} else {
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, text);
		}
	}
	return stale;
}

/**
 * Makes what is made from the contract, the nodes, the examples and the assumptions.
 *
 * @param root folder of the package
 * @param check whether nothing is written
 * @returns the files that differ, or differed
 * @throws {YamlMistake} when a file of contract/ is no YAML
 * @throws when something else that it reads is wrong
 */
export async function generate(root: string, check: boolean): Promise<string[]> {
	const openapi = join(root, 'contract/openapi.yaml');
	for (const path of ['contract/openapi.yaml', 'contract/assumptions.yaml']) {
		await requireYaml(root, path);
	}
	const read = async (path: string): Promise<string> => await readFile(join(root, path), 'utf8');
	// A default is what the service fills in: whoever sends a request may leave the field out.
	const types = await openapiTS(pathToFileURL(openapi), { defaultNonNullable: false });
	const paths = await readPaths(openapi);
	// The nodes import some of these.
	const imported = await update(
		root,
		new Map([
			[`${TYPES}/service.d.ts`, TYPES_HEADER + astToString(types)],
			[`${FIELDS}/wireTypes.ts`, await wireTypes(paths)],
			['nodes/shared/fields/limits.ts', await limits(paths)],
			['nodes/shared/fields/numberingPlans.ts', numberingPlans()],
			['nodes/shared/records/recordShapes.ts', await recordShapes(paths)],
		]),
		[TYPES],
		check,
	);

	const [action, ...triggers] = await nodeDescriptions(root);
	if (action === undefined) throw new Error('package.json lists no nodes');
	const gallery = byUseCase(readExamplePages(join(root, 'examples')));
	const tables = {
		gallery: galleryTables(gallery),
		operations: operationsTable(action),
		triggers: triggersTable(triggers),
	};
	const shown = previews(paths, await nodeResources(root));
	const others = await update(
		root,
		new Map([
			['README.md', withGeneratedParts(await read('README.md'), tables)],
			[
				'examples/README.md',
				withGeneratedParts(await read('examples/README.md'), { examples: galleryList(gallery) }),
			],
			['docs/assumptions.md', assumptionsPage(await read('contract/assumptions.yaml'))],
			['docs/gallery.md', galleryPage(gallery)],
			['docs/reference.md', referencePage(action, triggers, await credentialTypes(root))],
			...shown.map(([name, text]): [string, string] => [`${PREVIEWS}/${name}`, text]),
		]),
		[PREVIEWS],
		check,
	);
	return [...imported, ...others];
}
