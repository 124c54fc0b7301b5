import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import * as z from 'zod';

import type { Lifetime } from '../../host/process/cleanup.mts';
import { freePort, LOOPBACK } from '../../host/process/ports.mts';
import { startServer } from '../../host/process/server.mts';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;

/** How long the service takes for each answer. */
export const LATENCY_MS = 50;

/** How the service behaves from now on. */
export const serviceSettings = z.object({
	latencyMs: z.number().default(LATENCY_MS),
	/** requests that are answered in a window of time; the others get 429 with Retry-After */
	limit: z.object({ requests: z.number(), perMs: z.number() }).optional(),
	/** calls in its list */
	calls: z.number().default(0),
});
export type ServiceSettings = z.infer<typeof serviceSettings>;

const counts = z.object({
	requests: z.number(),
	/** requests answered with 429 */
	refused: z.number(),
	/** the most requests that were under way at the same time */
	peakInFlight: z.number(),
	leads: z.number(),
	/** phone numbers among the leads */
	distinctLeads: z.number(),
});
/** What the service has seen since it was last reset. */
export type Counts = z.infer<typeof counts>;

/** The service of the bench, which runs in a process of its own. */
export interface BenchService {
	/** its base URL for a credential */
	url: string;
	/** where a workflow reads the leads that it is to create */
	leadsUrl: (count: number) => string;
	/** Forgets all counts. */
	reset: (wanted?: Partial<ServiceSettings>) => Promise<void>;
	counts: () => Promise<Counts>;
}

/** Starts the service. @param folder takes its log */
export async function startBenchService(folder: string, lifetime: Lifetime): Promise<BenchService> {
	const port = await freePort();
	const origin = `http://${LOOPBACK}:${port}`;
	const ask = async (path: string, body?: unknown): Promise<unknown> => {
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
			await ask('counts');
			return true;
		},
		startLimitMs: START_LIMIT_MS,
		stopLimitMs: STOP_LIMIT_MS,
		lifetime,
	});
	return {
		url: `${origin}/api`,
		leadsUrl: (count) => `${origin}/bench/leads?count=${count}`,
		reset: async (wanted = {}) => {
			await ask('reset', wanted);
		},
		counts: async () => counts.parse(await ask('counts')),
	};
}
