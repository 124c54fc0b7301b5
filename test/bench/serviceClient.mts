import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import * as z from 'zod';

import type { Cleanup } from '../../host/process/cleanup.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;

/** The time until each response of the service. */
export const LATENCY_MS = 50;

/** How the service behaves from now on. */
export const serviceSettings = z.object({
	latencyMs: z.number().default(LATENCY_MS),
	/** requests in a window of time; further ones get 429 with Retry-After */
	limit: z
		.object({
			requests: z.number(),
			perMs: z.number(),
			/** A fixed window begins at the end of the last one, another with the next request. */
			windows: z.enum(['fixed', 'on demand']),
		})
		.optional(),
	/** how many calls its list has */
	calls: z.number().default(0),
	/** how many assistants its list has */
	assistants: z.number().default(0),
	/** of how many accounts the leads are, one after the other; see {@link tokenOf} */
	accountCount: z.number().default(1),
});
export type ServiceSettings = z.infer<typeof serviceSettings>;
export type Windows = NonNullable<ServiceSettings['limit']>['windows'];

const counts = z.object({
	/** requests to the API */
	requests: z.number(),
	/** in milliseconds since 1970 */
	firstRequestAt: z.number().optional(),
	/** requests with the response 429 */
	refused: z.number(),
	/** the most requests at the same time */
	peakInFlight: z.number(),
	leads: z.number(),
	/** leads that were created with the token of another account */
	inOtherAccount: z.number(),
	/** how many different phone numbers the leads have */
	distinctLeads: z.number(),
	/** recordings, which are not among the requests */
	downloads: z.number(),
	/** downloads with an authorization */
	downloadsWithToken: z.number(),
});
/** What the service has counted since the last reset. */
export type Counts = z.infer<typeof counts>;

/** The first of the customers' phone numbers, without its country code. */
export const FIRST_NUMBER = 15_110_000_000;

/** The token of the account that a customer belongs to. */
export const tokenOf = (customer: number, accountCount: number): string =>
	`account-${customer % accountCount}`;

/** The service of the bench, in another process. */
export type BenchService = Awaited<ReturnType<typeof startBenchService>>;

/** Starts the service. */
export async function startBenchService(cleanup: Cleanup) {
	const folder = await temporaryFolder('bench', cleanup);
	const port = await freePort();
	const origin = `http://${LOOPBACK}:${port}`;
	const call = async (path: string, body?: unknown): Promise<unknown> => {
		const response = await fetch(`${origin}/bench/${path}`, {
			...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
		});
		if (!response.ok) throw new Error(`The service of the bench failed: ${await response.text()}`);
		return await response.json();
	};
	await startServer({
		name: 'the service of the bench',
		command: process.execPath,
		args: [fileURLToPath(new URL('service.mts', import.meta.url)), '--port', String(port)],
		folder,
		env: { PATH: process.env.PATH },
		logFile: join(folder, 'service.log'),
		isReady: async () => {
			await call('counts');
			return true;
		},
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		cleanup,
	});
	return {
		/** the base URL for a credential */
		url: `${origin}/api`,
		/** where a workflow reads the leads that it creates */
		leadsUrl: (count: number, accountCount = 0) =>
			`${origin}/bench/leads?count=${count}&accountCount=${accountCount}`,
		/** where a workflow reads ids, see {@link mixedIds} */
		idsUrl: (count: number, lowest: number, highest: number) =>
			`${origin}/bench/ids?count=${count}&lowest=${lowest}&highest=${highest}`,
		/** where the recording of a call is; the service gives it without a token */
		recordingUrl: (id: string | number) => `${origin}/recordings/${id}.mp3`,
		/** Sets all counts to zero, and the settings. */
		reset: async (wanted: Partial<ServiceSettings> = {}) => {
			await call('reset', wanted);
		},
		counts: async () => counts.parse(await call('counts')),
	};
}
