import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOOPBACK } from '../../host/process/ports.mts';
import {
	type PackedPackage,
	filesMatching,
	manifest,
	packPackage,
	root,
	withoutPublishOptions,
} from '../support/package.mts';

/** The environment of the tests when `npm publish` with such options runs them. No result depends on them. */
const WITHIN_PUBLISH = {
	...process.env,
	npm_config_access: 'restricted',
	npm_config_dry_run: 'true',
	npm_config_provenance: 'true',
	npm_config_tag: 'other',
};

let packed: PackedPackage;
beforeAll(() => {
	packed = packPackage(WITHIN_PUBLISH);
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

	// The registry does not answer, so npm looks at the package alone.
	it('can be published as it is, as far as npm can tell alone', () => {
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

	it("passes n8n's scanner", () => {
		expect(scan(packed.directory, 'tarball')).toEqual({ status: 0, output: '' });
	});
});

describe('the source', () => {
	it("passes n8n's scanner", () => {
		expect(scan(root, 'source')).toEqual({ status: 0, output: '' });
	});
});
