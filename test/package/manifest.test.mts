import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesMatching, manifest, root } from '../support/package.mts';

/** The releases of the changelog, the newest first. The first may be "Unreleased". */
const headings = [...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\S+)/gm)].map(
	([, heading = '']) => heading,
);

/** The version of the release that package.json describes, or previews: 1.2.3 for 1.2.3-preview.0. */
const [version = ''] = manifest.version.split('-');

describe('package.json', () => {
	it('brings nothing along: n8n provides the one package the nodes need', () => {
		for (const field of [
			'dependencies',
			'optionalDependencies',
			'bundleDependencies',
			'bundledDependencies',
			'overrides',
		]) {
			expect(manifest).not.toHaveProperty(field);
		}
		expect(manifest).toHaveProperty('peerDependencies', { 'n8n-workflow': '*' });
	});

	it('runs nothing when it is installed', () => {
		const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'];
		expect(Object.keys(manifest.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
	});

	it('names every node and credential there is', () => {
		const compiled = (glob: string) =>
			filesMatching(glob).map((source) => `dist/${source.replace(/\.ts$/, '.js')}`);
		expect(manifest.n8n.nodes.toSorted()).toEqual(compiled('nodes/*/*.node.ts'));
		expect(manifest.n8n.credentials.toSorted()).toEqual(compiled('credentials/*.ts'));
	});

	it('has a version above all releases, or that of the release being made', () => {
		const [newest, ...releases] = headings;
		if (newest !== 'Unreleased') expect(newest).toBe(version);
		const byNumber = new Intl.Collator('en', { numeric: true });
		for (const release of releases) {
			expect(byNumber.compare(version, release)).toBeGreaterThan(0);
		}
	});

	// A preview is not kept: nobody has to upgrade from it.
	it('is kept as it was released, for the upgrade that the e2e suite tests', () => {
		const newest = headings.find((heading) => heading !== 'Unreleased') ?? version;
		expect(filesMatching('test/e2e/fixtures/*.tgz')).toContain(
			`test/e2e/fixtures/${manifest.name}-${newest}.tgz`,
		);
	});

	// n8n tests a credential with the first node that offers to (n8n 2.0.0 and 2.41.1).
	it('puts the action node first', () => {
		expect(manifest.n8n.nodes[0]).toBe(
			'dist/nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.js',
		);
	});
});
