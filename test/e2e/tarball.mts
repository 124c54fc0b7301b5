import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

import { runNpm } from '../../host/process/npm.mts';
import { root } from '../support/package.mts';

const PACK_LIMIT_MS = 60_000;

const packed = z.tuple([z.object({ name: z.string(), version: z.string(), filename: z.string() })]);

/** The package as a user downloads it. */
export interface Tarball {
	name: string;
	version: string;
	/** path of the .tgz */
	file: string;
}

/** Packs the built package with `npm pack`. @param folder where the tarball goes */
export async function packTarball(folder: string): Promise<Tarball> {
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const { ok, stdout, output } = await runNpm({ folder: root, args, limitMs: PACK_LIMIT_MS });
	if (!ok) throw new Error(`npm pack failed:\n${output}`);
	const [{ name, version, filename }] = packed.parse(JSON.parse(stdout));
	return { name, version, file: join(folder, filename) };
}

/**
 * Puts an `npm` into a folder that gives the tarball where n8n's installer asks the registry for it,
 * and is npm for everything else (n8n 2.0 and 2.41 call the `npm` that is first on PATH; another
 * registry would need a licence).
 *
 * @param folder comes first on n8n's PATH
 */
export async function placeNpm(folder: string, tarball: Tarball): Promise<void> {
	const script = join(import.meta.dirname, 'npm.mts');
	const given = ['--name', tarball.name, '--version', tarball.version, '--tarball', tarball.file];
	const words = [process.execPath, script, ...given, '--npm', await npmCli(), '--'];
	const line = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'npm'), `#!/bin/sh\nexec ${line} "$@"\n`);
	await chmod(join(folder, 'npm'), 0o755);
}

/** npm tells its scripts where it lives. */
async function npmCli(): Promise<string> {
	const cli = process.env.npm_execpath;
	if (cli === undefined) throw new Error('Run this suite with npm run test:e2e.');
	return await realpath(join(dirname(cli), 'npm-cli.js'));
}
