import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/**
 * Watches all connections of this process (Node's channel `net.client.socket`).
 *
 * @returns a list that grows: `<address>:<port>` of each connection, and each name that is looked up
 */
export function watchConnections(): string[] {
	const connections: string[] = [];
	subscribe('net.client.socket', (message) => {
		const { socket } = message as { socket: Socket };
		socket.on('lookup', (_error, _address, _family, host) => connections.push(host));
		socket.on('connect', () => connections.push(`${socket.remoteAddress}:${socket.remotePort}`));
	});
	return connections;
}
