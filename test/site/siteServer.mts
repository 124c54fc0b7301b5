import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

import { LOOPBACK } from '../../host/process/ports.mts';

const TYPES: Record<string, string> = {
	'.css': 'text/css',
	'.html': 'text/html',
	'.js': 'text/javascript',
	'.json': 'application/json',
	'.png': 'image/png',
	'.svg': 'image/svg+xml',
};

/** Serves the files of a folder on this machine, as any web server does. */
export async function serveFiles(
	folder: string,
): Promise<{ url: string; close: () => Promise<void> }> {
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? '/', 'http://site');
		const file = join(folder, decodeURI(pathname).replace(/\/$/, '/index.html'));
		if (!existsSync(file)) {
			response.writeHead(404).end();
			return;
		}
		response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
		createReadStream(file).pipe(response);
	});
	await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port.');
	return {
		url: `http://${LOOPBACK}:${address.port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
