import type { FastifyInstance } from 'fastify';

import { isLoopbackUrl } from './address.mts';

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
