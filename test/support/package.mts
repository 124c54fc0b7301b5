import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** The checkout. */
export const root = resolve(import.meta.dirname, '../..');

/** package.json: the fields the tests look at, checked, and all others as they are. */
export const manifest = z
	.object({
		name: z.string(),
		version: z.string(),
		files: z.array(z.string()),
		scripts: z.record(z.string(), z.string()),
		n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
	})
	.passthrough()
	.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** The checkout's files that match the globs, as sorted relative paths, without those of the installed n8ns. */
export const filesMatching = (...globs: string[]): string[] =>
	globSync(globs, { cwd: root, exclude: ['host/*/node_modules'] }).sort();

/** What a user downloads. */
export interface PackedPackage {
	/** Where the tarball is unpacked, with n8n-workflow in reach as it is in n8n. */
	directory: string;
	/** Its files, as sorted relative paths. */
	files: string[];
	/** The bytes of the tarball. */
	size: number;
	remove: () => void;
}

/** What `npm pack` says. */
const packResult = z.object({
	filename: z.string(),
	size: z.number(),
	files: z.array(z.object({ path: z.string() })),
});

/**
 * Removes the options that `npm publish` passes to the script that runs the tests. An npm that a test starts
 * would take them too: within `npm publish --dry-run`, `npm pack` writes no tarball.
 */
export const withoutPublishOptions = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
	...env,
	npm_config_access: undefined,
	npm_config_dry_run: undefined,
	npm_config_provenance: undefined,
	npm_config_tag: undefined,
});

/**
 * Packs the built package as `npm publish` would and unpacks it into a temporary folder.
 *
 * @param env of npm, this process's own unless given; options of `npm publish` in it do not count
 */
export function packPackage(env: NodeJS.ProcessEnv = process.env): PackedPackage {
	const temporary = mkdtempSync(join(tmpdir(), 'packed-'));
	const options = {
		cwd: root,
		env: withoutPublishOptions(env),
		encoding: 'utf8',
		stdio: 'pipe',
	} as const;
	const packed = z
		.tuple([packResult])
		.parse(
			JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', temporary], options)),
		)[0];
	execFileSync('tar', ['-xzf', join(temporary, packed.filename), '-C', temporary], options);
	const directory = join(temporary, 'package');
	symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
	return {
		directory,
		files: packed.files.map(({ path }) => path).sort(),
		size: packed.size,
		remove: () => rmSync(temporary, { recursive: true }),
	};
}
