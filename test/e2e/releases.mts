import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

import { runNpm } from '../../host/process/npm.mts';
import type { Tarball } from './tarball.mts';

/** Its README says what is kept there. */
const FIXTURES = join(import.meta.dirname, 'fixtures');
const PACK_LIMIT_MS = 60_000;

/** Finds the newest release that is kept. @throws Error when none is */
export async function newestRelease(name: string): Promise<Tarball> {
	const byNumber = new Intl.Collator('en', { numeric: true });
	const [newest] = (await readdir(FIXTURES))
		.filter((file) => file.startsWith(`${name}-`) && file.endsWith('.tgz'))
		.sort((a, b) => byNumber.compare(b, a));
	if (newest === undefined) throw new Error(`No release of ${name} is kept in ${FIXTURES}.`);
	const version = newest.slice(name.length + 1, -'.tgz'.length);
	return { name, version, file: join(FIXTURES, newest) };
}

/** Packs the files of a tarball once more, with another version. @param folder where the new one goes */
export async function packAs({ file }: Tarball, version: string, folder: string): Promise<void> {
	const unpacked = join(folder, version);
	await mkdir(unpacked);
	execFileSync('tar', ['-xzf', file, '-C', unpacked]);
	const manifest = join(unpacked, 'package', 'package.json');
	const fields = z.record(z.unknown()).parse(JSON.parse(await readFile(manifest, 'utf8')));
	await writeFile(manifest, JSON.stringify({ ...fields, version }));
	const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
	const { ok, output } = await runNpm({ folder: dirname(manifest), args, limitMs: PACK_LIMIT_MS });
	if (!ok) throw new Error(`npm pack failed:\n${output}`);
}
