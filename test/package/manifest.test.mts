import { describe, expect, it } from '@jest/globals';
import { filesMatching, manifest } from '../support/package.mts';

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

	// n8n tests a credential with the first node that offers to (n8n 2.0.0 and 2.41.1).
	it('puts the action node first', () => {
		expect(manifest.n8n.nodes[0]).toBe(
			'dist/nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.js',
		);
	});
});
