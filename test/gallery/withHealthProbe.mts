import assert from 'node:assert/strict';

import { startHealthProbe } from '../bench/healthProbe.mts';
import type { GalleryEnvironment } from './environment.mts';

/** For what 1,000 rows or calls start: two minutes on a machine that does nothing else. */
export const LARGE_RUN_LIMIT_MS = 600_000;

/** A few seconds on such a machine. */
const LONGEST_SILENCE_MS = 30_000;

/**
 * Does some work, and prints how long n8n answered nobody meanwhile.
 *
 * @throws AssertionError when that was too long; and what the work throws
 */
export async function withHealthProbe(
	{ url }: Pick<GalleryEnvironment, 'url'>,
	work: () => Promise<unknown>,
	longestSilenceMs = LONGEST_SILENCE_MS,
): Promise<void> {
	const probe = startHealthProbe(url);
	const from = Date.now();
	try {
		await work();
	} finally {
		await probe.stop();
	}
	const silence = probe.longestSilence(from, Date.now());
	console.log(`       n8n answered nobody for ${silence} ms at most`);
	assert.ok(silence < longestSilenceMs, `n8n answered nobody for ${silence} ms.`);
}
