import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PackedPackage, filesMatching, packPackage, root } from '../support/package.mts';

let packed: PackedPackage;
beforeAll(() => {
	packed = packPackage();
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
		expect(packed.files).toEqual(
			[
				'LICENSE.md',
				'README.md',
				'package.json',
				...[...compiled, ...assets].map((file) => `dist/${file}`),
			].sort(),
		);
	});

	it('points to no source map: the sources do not ship', () => {
		const pointing = packed.files.filter((file) =>
			readFileSync(join(packed.directory, file), 'utf8').includes('sourceMappingURL'),
		);
		expect(pointing).toEqual([]);
	});

	it("passes n8n's scanner", () => {
		expect(scan(packed.directory, 'tarball')).toEqual({ status: 0, output: '' });
	});
});

describe('the source', () => {
	it("passes n8n's scanner", () => {
		expect(scan(root, 'source')).toEqual({ status: 0, output: '' });
	});
});
