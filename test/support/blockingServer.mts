import type { ServerResponse } from 'node:http';

import { startReceiver } from '../../sandbox/test/support/receiver.mts';

/** Longer than n8n takes to start an execution on a busy machine. */
const ARRIVAL_LIMIT_MS = 60_000;

/** Starts a server that responds to requests of workflows, or keeps them waiting. */
export async function startBlockingServer() {
	const server = await startReceiver();
	const waiting: ServerResponse[] = [];
	return {
		/** Keeps requests waiting from now on. */
		block(): void {
			server.clear();
			server.respondWith((_arrival, response) => waiting.push(response));
		},
		/** Cuts the waiting requests, and responds to requests from now on. */
		unblock(): void {
			for (const response of waiting) response.destroy();
			server.respondWith((_arrival, response) => response.end('{}'));
		},
		/** Responds to the waiting requests, and to requests from now on. */
		answer(): void {
			for (const response of waiting) response.end('{}');
			server.respondWith((_arrival, response) => response.end('{}'));
		},
		/** Waits until `count` requests are waiting. */
		async untilBlocked(count: number): Promise<void> {
			await server.arrived(count, ARRIVAL_LIMIT_MS);
		},
		/** URL for an HTTP Request node, with n8n's time: a request may arrive after n8n was killed. */
		urlExpression: `=${server.url}/?execution={{ $execution.id }}&sentAt={{ Date.now() }}`,
		/** Executions that sent their request after a point in time (milliseconds), in that order. */
		executionsAfter(time: number): string[] {
			return server.arrivals
				.map(({ path }) => new URL(path, server.url).searchParams)
				.filter((query) => Number(query.get('sentAt')) > time)
				.map((query) => query.get('execution') ?? '');
		},
		close: async (): Promise<void> => await server.close(),
	};
}
