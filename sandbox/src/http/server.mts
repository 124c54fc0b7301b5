import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import fastify, { type FastifyInstance } from 'fastify';

import { logFailure } from '../base/dataFileError.mts';
import { isLoopbackUrl } from '../base/address.mts';

/** Far above the service's own limit, so that the sender can read the whole 413. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A web server without routes. Bodies stay bytes. Every error is JSON with a `message`. */
export function createServer(): FastifyInstance {
	const app = fastify({
		bodyLimit: MAX_BODY_BYTES,
		forceCloseConnections: true,
		clientErrorHandler: refuseUnreadable,
	});
	// Node would answer an `Expect` that it does not know with an empty 417.
	app.server.on('checkExpectation', (request, response) => app.routing(request, response));
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
	app.setNotFoundHandler((request, reply) => {
		const [path] = request.url.split('?');
		return reply.code(404).send({ message: `The route ${path} could not be found.` });
	});
	app.setErrorHandler((error, _request, reply) => {
		const { statusCode = 500 } = error as { statusCode?: number };
		if (statusCode >= 500) logFailure('The sandbox failed', error);
		const message = error instanceof Error && statusCode < 500 ? error.message : 'Server Error';
		return reply.code(statusCode).send({ message });
	});
	return app;
}

const STATUSES: { [code: string]: number } = {
	ERR_HTTP_REQUEST_TIMEOUT: 408,
	HPE_HEADER_OVERFLOW: 431,
};

/**
 * Answers a request that Node cannot read as HTTP, and closes the connection. Fastify's own answer does
 * not announce that, so that a client would send its next request over the closed connection.
 */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
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

/**
 * Refuses every request under a host name that is not this machine's own. A web page can give its own
 * host name the address 127.0.0.1 (DNS rebinding). The browser then lets it read the answers of the
 * sandbox, whose default token everybody knows.
 */
export function admitOnlyLoopbackHosts(server: FastifyInstance): void {
	server.addHook('onRequest', async ({ headers: { host = '' } }, reply) => {
		if (isLoopbackUrl(`http://${host}`)) return undefined;
		const message = `The sandbox listens on this machine only, and answers at 127.0.0.1 or localhost, not at "${host}". To use it under another host name, start it with --host 0.0.0.0.`;
		return reply.code(403).send({ message });
	});
}
