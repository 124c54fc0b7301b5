import { join } from 'node:path';
import * as z from 'zod';

import { runNpm } from '../process/npm.mts';
import { buildIfStale } from './buildIfStale.mts';

const PACK_LIMIT_MS = 60_000;

export const ROOT = join(import.meta.dirname, '../..');

const packed = z.object({
	name: z.string(),
	version: z.string(),
	filename: z.string(),
	files: z.array(z.object({ path: z.string() })),
});

/**
 * Packs the package with `npm pack`. Builds it first where it is stale.
 *
 * @param options of `npm pack`, such as `--dry-run`
 * @throws Error when npm fails or the package cannot be built
 */
export async function npmPack(...options: string[]): Promise<z.infer<typeof packed>> {
	await buildIfStale();
	const args = ['pack', '--json', '--ignore-scripts', ...options];
	const { ok, stdout, output } = await runNpm({ folder: ROOT, args, limitMs: PACK_LIMIT_MS });
	if (!ok) throw new Error(`npm pack failed:\n${output}`);
	const [result] = z.tuple([packed]).parse(JSON.parse(stdout));
	return result;
}
