import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readExamplePages } from '../../host/n8n/examplePages.mts';
import { byUseCase, galleryList, galleryPage, galleryTable } from './gallery.mts';
import { limits } from './limits.mts';
import { credentialTypes, nodeDescriptions } from './nodeDescriptions.mts';
import { readNewerAssistant } from './newerAssistant.mts';
import { numberingPlans } from './numberingPlans.mts';
import { readPaths } from './openapi.mts';
import { operationsTable, triggersTable, withGeneratedParts } from './readme.mts';
import { recordShapes } from './recordShapes.mts';
import { referencePage } from './reference.mts';
import { requireYaml } from './requireYaml.mts';
import { wireTypes } from './wireTypes.mts';

/**
 * Writes the texts that differ from those that are there.
 *
 * @param check whether nothing is written
 * @returns the files that differ
 */
async function update(
	root: string,
	wanted: Map<string, string>,
	check: boolean,
): Promise<string[]> {
	const stale: string[] = [];
	for (const [path, text] of wanted) {
		const file = join(root, path);
		if (existsSync(file) && text === (await readFile(file, 'utf8'))) continue;
		stale.push(path);
		if (!check) await writeFile(file, text);
	}
	return stale;
}

/**
 * Makes what is in git, and is made from the contract, the nodes, the examples and the assumptions.
 *
 * @param root folder of the package
 * @param check whether nothing is written
 * @returns the files that differ, or differed
 * @throws {YamlMistake} when a file of contract/ is no YAML
 * @throws when something else that it reads is wrong
 */
export async function generate(root: string, check: boolean): Promise<string[]> {
	const openapi = join(root, 'contract/openapi.yaml');
	for (const path of ['openapi', 'newer', 'assumptions'].map((name) => `contract/${name}.yaml`)) {
		await requireYaml(root, path);
	}
	const read = async (path: string): Promise<string> => await readFile(join(root, path), 'utf8');
	const paths = await readPaths(openapi);
	const newer = await readNewerAssistant(join(root, 'contract/newer.yaml'));
	// The nodes import some of these.
	const imported = await update(
		root,
		new Map([
			['nodes/VoiceAssistantCalling/fields/wireTypes.ts', await wireTypes(paths, newer)],
			['nodes/shared/fields/limits.ts', await limits(paths, newer)],
			['nodes/shared/fields/numberingPlans.ts', numberingPlans()],
			['nodes/shared/records/recordShapes.ts', await recordShapes(paths)],
		]),
		check,
	);

	const [action, ...triggers] = await nodeDescriptions(root);
	if (action === undefined) throw new Error('package.json lists no nodes');
	const gallery = byUseCase(readExamplePages(join(root, 'examples')));
	const tables = {
		gallery: galleryTable(gallery),
		operations: operationsTable(action),
		triggers: triggersTable(triggers),
	};
	const others = await update(
		root,
		new Map([
			['README.md', withGeneratedParts(await read('README.md'), tables)],
			[
				'examples/README.md',
				withGeneratedParts(await read('examples/README.md'), { examples: galleryList(gallery) }),
			],
			['docs/gallery.md', galleryPage(gallery)],
			['docs/reference.md', referencePage(action, triggers, await credentialTypes(root))],
		]),
		check,
	);
	return [...imported, ...others];
}
