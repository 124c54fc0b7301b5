import { createReadStream, existsSync } from 'node:fs';
import { extname, join } from 'node:path';

import { listenOnLoopback, type LoopbackServer } from '../support/loopback.mts';

const TYPES: Record<string, string> = {
	'.css': 'text/css',
	'.html': 'text/html',
	'.js': 'text/javascript',
	'.json': 'application/json',
	'.png': 'image/png',
	'.svg': 'image/svg+xml',
};

/** Serves the files of a folder on this machine, as any web server does. */
export async function serveFiles(folder: string): Promise<LoopbackServer> {
	return await listenOnLoopback((request, response) => {
		const { pathname } = new URL(request.url ?? '/', 'http://site');
		const file = join(folder, decodeURI(pathname).replace(/\/$/, '/index.html'));
		if (!existsSync(file)) {
			response.writeHead(404).end();
			return;
		}
		response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
		createReadStream(file)
			.on('error', () => response.destroy())
			.pipe(response);
	});
}
