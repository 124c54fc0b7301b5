import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { LOOPBACK } from '../../host/process/ports.mts';

/** A web server for a test. Its disposal closes it. */
export interface LoopbackServer extends AsyncDisposable {
	/** `http://127.0.0.1:<port>`, or with https */
	origin: string;
	/** Closes all connections and the server. */
	close: () => Promise<void>;
}

/** In all test files of this process: the nodes remember what they have learned of a service by its address. */
const formerPorts = new Set<number>();

async function listenOnNewPort(server: Server): Promise<number> {
	server.listen(0, LOOPBACK);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	if (!formerPorts.has(port)) {
		formerPorts.add(port);
		return port;
	}
	server.close();
	await once(server, 'close');
	return await listenOnNewPort(server);
}

/** Starts a web server on a free port of the loopback address. */
export async function listenOnLoopback(
	listener: RequestListener | Server | SecureServer,
): Promise<LoopbackServer> {
	const isSecure = listener instanceof SecureServer;
	const server = typeof listener === 'function' ? createServer(listener) : listener;
	const port = await listenOnNewPort(server);
	// The server must not keep the process alive when a test fails before it closes it.
	server.unref();
	const close = async () => {
		server.closeAllConnections();
		server.close();
		await once(server, 'close');
	};
	return {
		origin: `${isSecure ? 'https' : 'http'}://${LOOPBACK}:${port}`,
		close,
		[Symbol.asyncDispose]: close,
	};
}
