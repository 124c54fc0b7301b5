import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LOOPBACK } from '../../host/process/ports.mts';

/** A web server for a test. */
export interface LoopbackServer {
	/** `http://127.0.0.1:<port>` */
	origin: string;
	/** Closes all connections and the server. */
	close: () => Promise<void>;
}

/** Starts a web server on a free port of the loopback address. */
export async function listenOnLoopback(listener: RequestListener): Promise<LoopbackServer> {
	const server = createServer(listener);
	server.listen(0, LOOPBACK);
	await once(server, 'listening');
	// The server must not keep the process alive when a test fails before it closes it.
	server.unref();
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://${LOOPBACK}:${port}`,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
