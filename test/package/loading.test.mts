import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PackageDirectoryLoader } from 'n8n-core';
import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import {
	type PackedPackage,
	filesMatching,
	manifest,
	packPackage,
	root,
} from '../support/package.mts';

/** The categories n8n shows (n8n 2.41, documentation of codex files). */
const CATEGORIES = [
	'Data & Storage',
	'Finance & Accounting',
	'Marketing & Content',
	'Productivity',
	'Miscellaneous',
	'Sales',
	'Development',
	'Analytics',
	'Communication',
	'Utility',
];

/** The type that a file defines: by convention, its class name with a small first letter. */
const typeName = (file: string): string =>
	file.charAt(0).toLowerCase() + file.slice(1, file.indexOf('.'));

let packed: PackedPackage;
let loader: PackageDirectoryLoader;
beforeAll(async () => {
	packed = packPackage();
	loader = new PackageDirectoryLoader(packed.directory);
	await loader.loadAll();
});
afterAll(() => packed.remove());

const nodes = (): INodeTypeDescription[] => loader.types.nodes;
const credentials = (): ICredentialType[] => loader.types.credentials;

describe("the packed tarball in n8n's own loader", () => {
	it('gives every node and credential that package.json names', () => {
		const expected = (paths: string[]) => paths.map((path) => typeName(basename(path))).sort();
		expect(loader.packageName).toBe(manifest.name);
		expect(Object.keys(loader.nodeTypes).sort()).toEqual(expected(manifest.n8n.nodes));
		expect(Object.keys(loader.credentialTypes).sort()).toEqual(expected(manifest.n8n.credentials));
	});

	it('finds two different icons for each, light and dark', () => {
		const iconUrls = [...nodes(), ...credentials()].map(({ name, iconUrl }) => ({ name, iconUrl }));
		expect(iconUrls).not.toEqual([]);
		for (const { name, iconUrl } of iconUrls) {
			const urls = z.object({ light: z.string(), dark: z.string() }).parse(iconUrl, {
				path: [name],
			});
			const [light, dark] = [urls.light, urls.dark].map((url) =>
				readFileSync(join(packed.directory, url.replace(`icons/${manifest.name}/`, '')), 'utf8'),
			);
			expect(light).toMatch(/<svg /);
			expect(dark).toMatch(/<svg /);
			expect(light).not.toBe(dark);
		}
	});

	it('finds categories, search words and help for each node in its codex', () => {
		for (const { name, codex } of nodes()) {
			expect({ name, codex }).toEqual({
				name,
				codex: expect.objectContaining({
					categories: expect.arrayContaining([expect.any(String)]),
					alias: expect.arrayContaining([expect.any(String)]),
					resources: expect.objectContaining({ primaryDocumentation: expect.any(Array) }),
				}),
			});
			expect(CATEGORIES).toEqual(expect.arrayContaining(codex?.categories ?? []));
		}
	});
});

describe('each codex file', () => {
	it.each(filesMatching('nodes/**/*.node.json'))('%s names an existing node', (file) => {
		const codex = z
			.object({ node: z.string(), nodeVersion: z.literal('1.0'), codexVersion: z.literal('1.0') })
			.parse(JSON.parse(readFileSync(join(root, file), 'utf8')));
		expect(Object.keys(loader.nodeTypes)).toContain(typeName(basename(file)));
		expect(codex.node).toBe(`${manifest.name}.${typeName(basename(file))}`);
	});

	it('exists once per node', () => {
		expect(filesMatching('nodes/**/*.node.json')).toEqual(
			filesMatching('nodes/**/*.node.ts').map((file) => file.replace(/\.ts$/, '.json')),
		);
	});
});
