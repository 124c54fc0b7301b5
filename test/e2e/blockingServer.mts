import type { ServerResponse } from 'node:http';

import { startReceiver, type Receiver } from '../support/sandbox/receiver.mts';

/** Longer than n8n takes to start an execution on a busy machine. */
const ARRIVAL_LIMIT_MS = 60_000;

/** A server that answers the workflow, or holds it until it is opened. */
export interface Gate {
	hold(): void;
	open(): void;
	/** Waits until so many have come since it holds. */
	arrived(count: number): Promise<void>;
	/** What workflows ask with their execution, by HTTP Request. */
	question: string;
	/** Executions that asked after a point in time (milliseconds), in that order. */
	executionsAfter(time: number): string[];
	close: () => Promise<void>;
}

/** Opens a gate on a free port of this machine. */
export async function openGate(): Promise<Gate> {
	const server: Receiver = await startReceiver();
	const held: ServerResponse[] = [];
	return {
		hold() {
			server.clear();
			server.respondWith((_arrival, response) => held.push(response));
		},
		open() {
			for (const response of held) response.destroy();
			server.respondWith((_arrival, response) => response.end('{}'));
		},
		async arrived(count) {
			await server.arrived(count, ARRIVAL_LIMIT_MS);
		},
		// The time is n8n's, because what a killed n8n has sent may be read later.
		question: `=${server.url}/?execution={{ $execution.id }}&asked={{ Date.now() }}`,
		executionsAfter(time) {
			return server.arrivals
				.map(({ path }) => new URL(path, server.url).searchParams)
				.filter((asked) => Number(asked.get('asked')) > time)
				.map((asked) => asked.get('execution') ?? '');
		},
		close: async () => await server.close(),
	};
}
