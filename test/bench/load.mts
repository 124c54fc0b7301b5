import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

import * as z from 'zod';

const CONNECTIONS = 10;
/** Beyond the seconds of the load itself. */
const END_LIMIT_MS = 30_000;

const report = z.object({
	'2xx': z.number(),
	non2xx: z.number(),
	errors: z.number(),
	timeouts: z.number(),
	/** seconds */
	duration: z.number(),
	latency: z.object({ p50: z.number(), p97_5: z.number() }),
});

/** A request that is sent again and again. */
export interface LoadRequest {
	url: string;
	method?: 'GET' | 'POST';
	body?: object;
	token: string;
}

export interface LoadResult {
	/** 2xx responses per second */
	rate: number;
	/** milliseconds of the median response */
	p50: number;
	accepted: number;
	/** requests that got another response, or none */
	refused: number;
}

/**
 * Sends a request again and again, on ten connections at the same time, from another process.
 *
 * @param seconds how long
 */
export async function load(
	{ url, method = 'GET', body, token }: LoadRequest,
	seconds: number,
	signal: AbortSignal,
): Promise<LoadResult> {
	const program = createRequire(import.meta.url).resolve('autocannon');
	const args = [
		...['--json', '--no-progress', '--connections', String(CONNECTIONS)],
		...['--duration', String(seconds), '--method', method],
		...['--headers', `authorization=Bearer ${token}`],
		...(body ? ['--headers', 'content-type=application/json', '--body', JSON.stringify(body)] : []),
		url,
	];
	const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
		timeout: seconds * 1000 + END_LIMIT_MS,
		signal,
	});
	const found = report.parse(JSON.parse(stdout));
	return {
		rate: found['2xx'] / found.duration,
		p50: found.latency.p50,
		accepted: found['2xx'],
		refused: found.non2xx + found.errors + found.timeouts,
	};
}
