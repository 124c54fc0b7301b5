import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

import { runNpm } from '../process/npm.mts';

const PACK_LIMIT_MS = 60_000;

const ROOT = join(import.meta.dirname, '../..');

const packList = z.tuple([
	z.object({ name: z.string(), files: z.array(z.object({ path: z.string() })) }),
]);

/**
 * Puts the built package where n8n looks for community packages at its start: exactly the files
 * that `npm pack` would ship, in place of an earlier copy.
 *
 * @param userFolder n8n's user folder (its `.n8n` lies in it)
 * @throws Error when the package has not been built
 */
export async function placePackage(userFolder: string): Promise<void> {
	const { name, files } = await shippedFiles();
	// n8n 2.41: scanned at start, node types get the prefix `<package name>.`
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
	await rm(target, { recursive: true, force: true });
	for (const file of files) {
		await mkdir(dirname(join(target, file)), { recursive: true });
		await cp(join(ROOT, file), join(target, file));
	}
}

async function shippedFiles(): Promise<{ name: string; files: string[] }> {
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const { ok, stdout, output } = await runNpm({ folder: ROOT, args, limitMs: PACK_LIMIT_MS });
	if (!ok) throw new Error(`npm pack failed:\n${output}`);
	const [{ name, files }] = packList.parse(JSON.parse(stdout));
	if (!files.some(({ path }) => path.startsWith('dist/'))) {
		throw new Error('The package is not built. Run npm run build first.');
	}
	return { name, files: files.map(({ path }) => path) };
}
