import type { ServerResponse } from 'node:http';
import { nextTurn } from './eventLoop.mts';

/** Sends spaces, which are allowed before JSON, until the connection is closed. */
export async function drip(response: ServerResponse): Promise<void> {
	response.writeHead(200, { 'Content-Type': 'application/json' });
	while (!response.destroyed) {
		response.write(' ');
		await nextTurn();
	}
}
