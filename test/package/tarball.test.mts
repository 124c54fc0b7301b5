import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PackageDirectoryLoader } from 'n8n-core';
import { z } from 'zod';
import { LOOPBACK } from '../../host/process/ports.mts';
import { onlyInFull } from '../support/sample.mts';
import {
	type PackedPackage,
	filesMatching,
	manifest,
	packPackage,
	root,
	withoutPublishOptions,
} from '../support/package.mts';
import { PREVIEWS } from '../support/parity/previews.mts';

/** The environment of the tests when `npm publish` with such options runs them. No result depends on them. */
const WITHIN_PUBLISH = {
	...process.env,
	npm_config_access: 'restricted',
	npm_config_dry_run: 'true',
	npm_config_provenance: 'true',
	npm_config_tag: 'other',
};

/** The categories n8n shows (n8n 2.41, documentation of codex files). */
const CATEGORIES = [
	...['Data & Storage', 'Finance & Accounting', 'Marketing & Content', 'Productivity'],
	...['Miscellaneous', 'Sales', 'Development', 'Analytics', 'Communication', 'Utility'],
];

/** The type that a file defines: by convention, its class name with a small first letter. */
const typeName = (file: string): string =>
	file.charAt(0).toLowerCase() + file.slice(1, file.indexOf('.'));

/** Lower it when the package gets smaller. Without comments in dist/, most of it is code and texts of the nodes. */
const LARGEST_BYTES = 190_000;

let packed: PackedPackage;
let loader: PackageDirectoryLoader;
beforeAll(async () => {
	packed = packPackage(WITHIN_PUBLISH);
	loader = new PackageDirectoryLoader(packed.directory);
	await loader.loadAll();
});
afterAll(() => packed.remove());

/** Runs n8n's scanner on a folder, in a process of its own: see scan.mts. */
function scan(
	folder: string,
	leg: 'source' | 'tarball',
): { status: number | null; output: string } {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(root, 'test/support/scan.mts'), folder, leg],
		{ env: { ...process.env, NODE_ENV: undefined }, encoding: 'utf8' },
	);
	return { status, output: stdout + stderr };
}

describe('the packed tarball', () => {
	it('holds the compiled nodes and credentials, their assets, and nothing else', () => {
		const compiled = filesMatching('{nodes,credentials}/**/*.ts').map((source) =>
			source.replace(/\.ts$/, '.js'),
		);
		const assets = filesMatching(
			'icons/*.svg',
			'nodes/**/*.node.json',
			'nodes/**/__schema__/**/*.json',
		);
		const previews = filesMatching(`${PREVIEWS}/**/*.json`);
		expect(packed.files).toEqual(
			[
				'LICENSE.md',
				'README.md',
				'package.json',
				...[...compiled, ...assets].map((file) => `dist/${file}`),
				...previews,
			].sort(),
		);
	});

	it('is small', () => {
		expect(packed.size).toBeLessThan(LARGEST_BYTES);
	});

	it('points to no source map: the sources do not ship', () => {
		const pointing = packed.files.filter((file) =>
			readFileSync(join(packed.directory, file), 'utf8').includes('sourceMappingURL'),
		);
		expect(pointing).toEqual([]);
	});

	// The registry does not answer, so npm looks at the package alone.
	onlyInFull(it)('can be published as it is, as far as npm can tell alone', () => {
		// npm publishes a preview, such as 1.2.3-preview.0, only with a tag.
		const tag = manifest.version.includes('-') ? 'preview' : undefined;
		const { status, stdout, stderr } = spawnSync(
			'npm',
			[
				...['publish', '--dry-run', '--ignore-scripts', '--access', 'public'],
				...['--registry', `http://${LOOPBACK}:9/`, '--fetch-retries', '0'],
				...['--loglevel', 'notice'],
				...(tag === undefined ? [] : ['--tag', tag]),
			],
			{ cwd: root, env: withoutPublishOptions(WITHIN_PUBLISH), encoding: 'utf8' },
		);
		expect(stderr).toContain(`with tag ${tag ?? 'latest'} and public access (dry-run)`);
		// What npm says when it has to change package.json.
		expect(stderr).not.toMatch(/auto-corrected/);
		expect({ status, stdout }).toEqual({
			status: 0,
			stdout: `+ ${manifest.name}@${manifest.version}\n`,
		});
	});

	onlyInFull(it)("passes n8n's scanner", () => {
		expect(scan(packed.directory, 'tarball')).toEqual({ status: 0, output: '' });
	});
});

describe('the source', () => {
	onlyInFull(it)("passes n8n's scanner", () => {
		expect(scan(root, 'source')).toEqual({ status: 0, output: '' });
	});
});

describe("the packed tarball in n8n's own loader", () => {
	it('gives every node and credential that package.json names', () => {
		const expected = (paths: string[]) => paths.map((path) => typeName(basename(path))).sort();
		expect(loader.packageName).toBe(manifest.name);
		expect(Object.keys(loader.nodeTypes).sort()).toEqual(expected(manifest.n8n.nodes));
		expect(Object.keys(loader.credentialTypes).sort()).toEqual(expected(manifest.n8n.credentials));
	});

	it('finds two different icons for each, light and dark', () => {
		const iconUrls = [...loader.types.nodes, ...loader.types.credentials].map(
			({ name, iconUrl }) => ({ name, iconUrl }),
		);
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

	// n8n appends its own parameters to the address, so an anchor would not be found (n8n 2.0, 2.41).
	it('finds help on pages that exist, without an anchor', () => {
		const links = loader.types.nodes.flatMap(({ codex }) =>
			Object.values(codex?.resources ?? {}).flatMap((pages) => pages.map(({ url }) => url)),
		);
		links.push(...loader.types.credentials.map(({ documentationUrl }) => documentationUrl ?? ''));
		expect(links).toHaveLength(2 * loader.types.nodes.length + 1);
		for (const link of links) {
			const [, page = link] = /\/blob\/main\/(docs\/[\w-]+\.md)$/.exec(link) ?? [];
			expect(filesMatching('docs/*.md')).toContain(page);
		}
	});

	it('finds categories, search words and help for each node in its codex', () => {
		for (const { name, codex } of loader.types.nodes) {
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

	// It looks for the letters in their order, with others between them (n8n 2.0, 2.41).
	it.each(['Vapi', 'Retell'])('finds none of our nodes by the name of %s', (name) => {
		const letters = new RegExp(name.replaceAll(/\B/g, '.*'), 'i');
		const words = loader.types.nodes.flatMap(({ displayName, codex }) => [
			displayName,
			...(codex?.alias ?? []),
		]);
		expect(words.filter((word) => letters.test(word))).toEqual([]);
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
