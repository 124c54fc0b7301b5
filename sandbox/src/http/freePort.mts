import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const LAST_PORT = 65_535;

/**
 * A port of the host that is free at this moment. Looks upwards, because a port beside the wanted one
 * is easy to remember.
 */
export async function nextFreePort(taken: number, host: string): Promise<number> {
	for (let port = taken + 1; port <= LAST_PORT; port += 1) {
		if ((await ifFree(port, host)) !== undefined) return port;
	}
	return (await ifFree(0, host)) ?? 0;
}

const ifFree = (port: number, host: string): Promise<number | undefined> =>
	listenOnce(port, host).catch(() => undefined);

/**
 * Listens for a moment.
 *
 * @returns the port
 * @throws {Error} when the sandbox cannot listen there
 */
export async function listenOnce(port: number, host: string): Promise<number> {
	await using server = createServer();
	server.listen({ port, host, exclusive: true });
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}
