import type { ServerResponse } from 'node:http';

import { startReceiver } from '../support/sandbox/receiver.mts';

/** Longer than n8n takes to start an execution on a busy machine. */
const ARRIVAL_LIMIT_MS = 60_000;

/** A server that responds to requests of workflows, or keeps them waiting. */
export interface BlockingServer {
	/** Keeps requests waiting from now on. */
	block(): void;
	/** Cuts the waiting requests, and responds to requests from now on. */
	unblock(): void;
	/** Waits until so many requests are waiting. */
	untilBlocked(count: number): Promise<void>;
	/** URL for an HTTP Request node, an expression with the id of its execution */
	urlExpression: string;
	/** Executions that sent their request after a point in time (milliseconds), in that order. */
	executionsAfter(time: number): string[];
	close: () => Promise<void>;
}

/** Starts a blocking server on a free port of this machine. */
export async function startBlockingServer(): Promise<BlockingServer> {
	const server = await startReceiver();
	const waiting: ServerResponse[] = [];
	return {
		block() {
			server.forget();
			server.respondWith((_arrival, response) => waiting.push(response));
		},
		unblock() {
			for (const response of waiting) response.destroy();
			server.respondWith((_arrival, response) => response.end('{}'));
		},
		async untilBlocked(count) {
			await server.arrived(count, ARRIVAL_LIMIT_MS);
		},
		// The time of n8n, because a request may arrive after n8n was killed.
		urlExpression: `=${server.url}/?execution={{ $execution.id }}&sentAt={{ Date.now() }}`,
		executionsAfter(time) {
			return server.arrivals
				.map(({ path }) => new URL(path, server.url).searchParams)
				.filter((query) => Number(query.get('sentAt')) > time)
				.map((query) => query.get('execution') ?? '');
		},
		close: async () => await server.close(),
	};
}
