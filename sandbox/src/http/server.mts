import fastify, { type FastifyInstance } from 'fastify';

import { logFailure } from '../base/dataFileError.mts';
import { refuseUnreadable } from './unreadableRequest.mts';

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
