import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** The statuses for Node's codes; 400 for all others. */
const STATUSES: { [code: string]: number } = {
	ERR_HTTP_REQUEST_TIMEOUT: 408,
	HPE_HEADER_OVERFLOW: 431,
};

/**
 * Answers a request that Node cannot read as HTTP, and closes the connection. Fastify's own answer does
 * not announce that, so that a client would send its next request over the closed connection.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
	if (error.code === 'ECONNRESET' || !socket.writable) return;
	const status = STATUSES[error.code ?? ''] ?? 400;
	const reason = STATUS_CODES[status] ?? '';
	const body = JSON.stringify({ message: `The request cannot be read: ${reason}.` });
	const head = [
		`HTTP/1.1 ${status} ${reason}`,
		'Connection: close',
		'Content-Type: application/json',
		`Content-Length: ${Buffer.byteLength(body)}`,
	];
	socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
