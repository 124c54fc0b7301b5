/**
 * `npm run generate` makes what is made from contract/openapi.yaml: the TypeScript types, and the output
 * previews and the table of wire types of the action node. It makes the table of numbering plans from the
 * metadata of libphonenumber. It also makes the tables of README.md, and three pages of docs/, from the
 * descriptions of the nodes, the pages of the examples and the assumptions.
 * With `--check` it writes nothing, names each file that is not as it should be, and exits with 1 when
 * there is one.
 */
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readExamplePages } from '../host/n8n/examplePages.mts';
import { assumptionsPage } from './generate/assumptions.mts';
import { byUseCase, galleryPage, galleryTables } from './generate/gallery.mts';
import { credentialTypes, nodeDescriptions } from './generate/nodeDescriptions.mts';
import { numberingPlans } from './generate/numberingPlans.mts';
import { previews } from './generate/previews.mts';
import { operationsTable, triggersTable, withGeneratedParts } from './generate/readme.mts';
import { referencePage } from './generate/reference.mts';
import { types } from './generate/types.mts';
import { wireTypes } from './generate/wireTypes.mts';

const TYPES = 'contract/generated';
const PREVIEWS = 'nodes/VoiceAssistantCalling/__schema__/v1.0.0';
const WIRE_TYPES = 'nodes/VoiceAssistantCalling/fields/wireTypes.ts';
const NUMBERING_PLANS = 'nodes/VoiceAssistantCalling/fields/numberingPlans.ts';
const README = 'README.md';
const ASSUMPTIONS = 'docs/assumptions.md';
const GALLERY = 'docs/gallery.md';
const REFERENCE = 'docs/reference.md';

const root = join(import.meta.dirname, '..');
const openapi = join(root, 'contract/openapi.yaml');
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const [action, ...triggers] = await nodeDescriptions(root);
if (action === undefined) throw new Error('package.json lists no nodes');
const gallery = byUseCase(readExamplePages());
const tables = {
	gallery: galleryTables(gallery),
	operations: operationsTable(action),
	triggers: triggersTable(triggers),
};
const assumptions = await readFile(join(root, 'contract/assumptions.yaml'), 'utf8');

const wanted = new Map([
	[README, withGeneratedParts(await readFile(join(root, README), 'utf8'), tables)],
	[ASSUMPTIONS, assumptionsPage(assumptions)],
	[GALLERY, galleryPage(gallery)],
	[REFERENCE, referencePage(action, triggers, await credentialTypes(root))],
	[`${TYPES}/service.d.ts`, await types(openapi)],
	[WIRE_TYPES, await wireTypes(openapi)],
	[NUMBERING_PLANS, numberingPlans()],
]);
for (const [name, text] of await previews(openapi)) wanted.set(`${PREVIEWS}/${name}`, text);

// Nothing else lives in the folders, so what is no longer wanted goes.
const present = new Map<string, string>();
const pages = [README, ASSUMPTIONS, GALLERY, REFERENCE];
const files = [`{${TYPES},${PREVIEWS}}/**/*.{ts,json}`, WIRE_TYPES, NUMBERING_PLANS, ...pages];
for (const path of globSync(files, { cwd: root })) {
	present.set(path, await readFile(join(root, path), 'utf8'));
}

const stale = [...new Set([...wanted.keys(), ...present.keys()])]
	.filter((path) => wanted.get(path) !== present.get(path))
	.sort();

if (check) {
	for (const path of stale) console.error(`${path} is stale: run npm run generate`);
	if (stale.length > 0) process.exitCode = 1;
} else {
	for (const path of stale) {
		const file = join(root, path);
		const text = wanted.get(path);
		if (text === undefined) {
			await rm(file);
		} else {
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, text);
		}
		console.log(path);
	}
}
