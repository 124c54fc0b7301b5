import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { npmPack } from '../../host/n8n/npmPack.mts';
import { npmCli } from '../../host/process/npm.mts';

/** The package as a user downloads it. */
export interface Tarball {
	name: string;
	version: string;
	/** path of the .tgz */
	file: string;
}

/** Packs the built package with `npm pack`. @param folder where the tarball goes */
export async function packTarball(folder: string): Promise<Tarball> {
	const { name, version, filename } = await npmPack('--pack-destination', folder);
	return { name, version, file: join(folder, filename) };
}

/**
 * Writes an `npm` into a folder that gives a tarball when n8n's installer asks the registry for its
 * package, and is npm for everything else (n8n 2.0 and 2.41 run the first `npm` on PATH; another
 * registry would need a licence).
 *
 * @param folder the first one on n8n's PATH
 * @param tarballs folder of the tarballs, with the names that `npm pack` gives
 */
export async function writeNpmShim(folder: string, tarballs: string): Promise<void> {
	const script = join(import.meta.dirname, 'npm.mts');
	const options = ['--tarballs', tarballs, '--npm', npmCli(), '--'];
	const words = [process.execPath, script, ...options];
	const line = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'npm'), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
}
