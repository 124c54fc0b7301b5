/** A part of `npm run build`: writes the output previews, which n8n reads beside the compiled node. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeResources } from './generate/nodeDescriptions.mts';
import { readPaths } from './generate/openapi.mts';
import { previews } from './generate/previews.mts';
import { reportYamlMistake } from './generate/reportYamlMistake.mts';
import { requireYaml } from './generate/requireYaml.mts';

const ROOT = join(import.meta.dirname, '..');
const OPENAPI = 'contract/openapi.yaml';
const PREVIEWS = 'dist/nodes/VoiceAssistantCalling/__schema__/v1.0.0';

await reportYamlMistake(async () => {
	await requireYaml(ROOT, OPENAPI);
	const paths = await readPaths(join(ROOT, OPENAPI));
	for (const [name, text] of previews(paths, await nodeResources(ROOT))) {
		const file = join(ROOT, PREVIEWS, name);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, text);
	}
});
