import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import type { ShownResources } from './previews.mts';

const manifest = z.object({
	n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
});

/** The CommonJS build of n8n-workflow, because Node cannot load the other one. */
const N8N_WORKFLOW = pathToFileURL(createRequire(import.meta.url).resolve('n8n-workflow')).href;

/** The file of a module that shipped code imports: without an extension, as for TypeScript's output. */
function resolveSource(specifier: string, parent: string): string | undefined {
	if (specifier === 'n8n-workflow') return N8N_WORKFLOW;
	if (!specifier.startsWith('.')) return undefined;
	const path = fileURLToPath(new URL(specifier, parent));
	const source = [`${path}.ts`, join(path, 'index.ts')].find((file) => existsSync(file));
	return source && pathToFileURL(source).href;
}

registerHooks({
	resolve(specifier, context, nextResolve) {
		const { parentURL = '' } = context;
		const source = parentURL.endsWith('.ts') ? resolveSource(specifier, parentURL) : undefined;
		const resolved = nextResolve(source ?? specifier, context);
		// Without the format, Node warns that it had to guess.
		return resolved.url.endsWith('.ts') ? { ...resolved, format: 'module-typescript' } : resolved;
	},
});

const readManifest = (root: string) =>
	manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).n8n;

/** Makes an instance of the class that a file of package.json's lists is named after. */
async function createInstance(root: string, file: string): Promise<unknown> {
	const source = join(root, file.replace(/^dist\/(.*)\.js$/, '$1.ts'));
	const classes = (await import(pathToFileURL(source).href)) as Record<string, new () => unknown>;
	const [name = ''] = basename(source).split('.');
	if (classes[name] === undefined) throw new Error(`${source} exports nothing of its name`);
	return new classes[name]();
}

/**
 * Reads the descriptions of the package's nodes from their source, so that nothing must be built first.
 *
 * @param root folder of the package
 * @returns in the order of package.json
 */
export async function nodeDescriptions(root: string): Promise<INodeTypeDescription[]> {
	const nodes = readManifest(root).nodes.map((file) => createInstance(root, file));
	return ((await Promise.all(nodes)) as INodeType[]).map(({ description }) => description);
}

/** Reads the resources of the action node, with their operations, as {@link nodeDescriptions} does. */
export async function nodeResources(root: string): Promise<ShownResources> {
	const source = join(root, 'nodes/VoiceAssistantCalling/resources/index.ts');
	return ((await import(pathToFileURL(source).href)) as { resources: ShownResources }).resources;
}

/** Reads the package's credentials, as {@link nodeDescriptions} does. */
export async function credentialTypes(root: string): Promise<ICredentialType[]> {
	const credentials = readManifest(root).credentials.map((file) => createInstance(root, file));
	return (await Promise.all(credentials)) as ICredentialType[];
}
