import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { LOOPBACK } from '../../host/process/ports.mts';

/** A web server of a test. */
export interface LoopbackServer {
	/** `http://127.0.0.1:<port>` */
	origin: string;
	/** Cuts all connections, and waits until it is closed. */
	close: () => Promise<void>;
}

/** Starts a web server on a free port, for this machine only. */
export async function listenOnLoopback(answer: RequestListener): Promise<LoopbackServer> {
	const server = createServer(answer);
	server.listen(0, LOOPBACK);
	await once(server, 'listening');
	// A test that fails before it closes the server must not keep the process alive.
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
