import assert from 'node:assert/strict';

import { startHealthProbe } from './healthProbe.mts';

/** A few seconds on a machine that does nothing else. */
const SILENCE_LIMIT_MS = 10_000;

/**
 * Does something with many items, and expects that n8n answers others meanwhile. Prints both times.
 *
 * @param url base URL of n8n
 */
export async function whileAnswering(
	url: string,
	work: () => Promise<void>,
	silenceLimitMs = SILENCE_LIMIT_MS,
): Promise<void> {
	const probe = startHealthProbe(url);
	const from = Date.now();
	try {
		await work();
	} finally {
		await probe.stop();
	}
	const to = Date.now();
	const silence = probe.longestSilence(from, to);
	assert.ok(silence < silenceLimitMs, `n8n answered nobody for ${silence} ms.`);
	console.log(`       ${to - from} ms, and n8n silent for ${silence} ms at most`);
}
