import { createServer } from 'node:net';

/** All servers listen on this address only, which the network does not reach. */
export const LOOPBACK = '127.0.0.1';

/** Gives a TCP port that is free on the loopback address at this moment. */
export const freePort = async (): Promise<number> => await listenOnce(0);

/**
 * Checks that a port can be used.
 *
 * @param port the port
 * @param owner who wants it, for the message: "n8n"
 * @param flag the option that chooses another: "--port"
 * @throws Error that says what to do when the port is in use or not allowed
 */
export async function requireFreePort(port: number, owner: string, flag: string): Promise<void> {
	try {
		await listenOnce(port);
	} catch (error) {
		const reason =
			error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
				? 'is in use by another program'
				: 'cannot be used';
		throw new Error(
			`Port ${port}, where ${owner} should listen, ${reason}.\n` +
				`Stop that program (an earlier npm start, perhaps), or choose another port: npm start -- ${flag} ${port + 1}`,
			{ cause: error },
		);
	}
}

async function listenOnce(port: number): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
			const address = server.address();
			server.close(() => {
				if (address !== null && typeof address === 'object') resolve(address.port);
				else reject(new Error('The system gave no port.'));
			});
		});
	});
}
