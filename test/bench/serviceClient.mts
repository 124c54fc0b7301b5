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

/** The token of the credential. */
export const TOKEN = 'bench-token';

/** How the service behaves from now on. */
export const serviceSettings = z.object({
	/** requests in a window of time; further ones get 429, usually with Retry-After */
	limit: z
		.object({
			requests: z.number(),
			perMs: z.number(),
			/** a fixed window begins at the end of the last one, another with the next request */
			windows: z.enum(['fixed', 'on demand']),
		})
		.optional(),
	/** how many calls its list has */
	calls: z.number().default(0),
	/** how many assistants its list has */
	assistants: z.number().default(0),
	/** what the workflow works with */
	items: z.array(z.object({}).passthrough()).default([]),
});
export type ServiceSettings = z.input<typeof serviceSettings>;

const counts = z.object({
	/** requests to the API */
	requests: z.number(),
	/** in milliseconds since 1970 */
	firstRequestAt: z.number().optional(),
	/** requests with the response 429 */
	refused: z.number(),
	/** the most requests at the same time */
	peakInFlight: z.number(),
	/** the phone number and the authorization of each lead that was created */
	leads: z.array(z.tuple([z.string(), z.string()])),
});
/** What the service has counted since the last reset. */
export type Counts = z.infer<typeof counts>;

/** The service of the bench, in another process. */
export type BenchService = Awaited<ReturnType<typeof startBenchService>>;

/** Starts the service. */
export async function startBenchService(cleanup: Cleanup) {
	const folder = await temporaryFolder('bench', cleanup);
	const port = await freePort();
	const origin = `http://${LOOPBACK}:${port}`;
	const readCounts = async (): Promise<Counts> =>
		counts.parse(await (await fetch(`${origin}/bench/counts`)).json());
	await startServer({
		name: 'the service of the bench',
		command: process.execPath,
		args: [join(import.meta.dirname, 'service.mts'), String(port)],
		folder,
		env: { PATH: process.env.PATH },
		logFile: join(folder, 'service.log'),
		isReady: async () => (await readCounts()).requests === 0,
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		cleanup,
	});
	return {
		/** the base URL for a credential */
		url: `${origin}/api`,
		/** where a workflow reads the items that it works with */
		itemsUrl: `${origin}/bench/items`,
		/** Sets all counts to zero, and the settings. */
		reset: async (settings: Partial<ServiceSettings>): Promise<void> => {
			const body = JSON.stringify(settings);
			const response = await fetch(`${origin}/bench/reset`, { method: 'POST', body });
			if (!response.ok) throw new Error(await response.text());
		},
		counts: readCounts,
	};
}
