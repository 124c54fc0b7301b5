import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FastifyInstance, FastifyReply } from 'fastify';

import { ApiError } from '../base/apiError.mts';
import { HIDDEN } from './routeDescription.mts';

/** Where the files of the inspector are. */
export const INSPECTOR = fileURLToPath(new URL('../inspector', import.meta.url));
/** htm with preact in one module that imports nothing: a browser loads it without a build step. */
const PREACT = fileURLToPath(import.meta.resolve('htm/preact/standalone'));

/** What a browser may load, by its type. */
const TYPES: { [extension: string]: string } = {
	'.css': 'text/css; charset=utf-8',
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.mjs': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** The page runs its own files only, talks to this sandbox only, and is shown in no other page. */
const SECURITY_HEADERS = {
	'content-security-policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"connect-src 'self'",
		"img-src 'self'",
		"media-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; '),
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	// The files change with the sandbox, and come from this machine.
	'cache-control': 'no-store',
};

/**
 * Adds the inspector: its page at `/`, and its files at `/assets/`.
 *
 * @param app behind the guard of the control API
 * @param path where `app` is, such as `/__sandbox`
 */
export function addInspectorRoutes(app: FastifyInstance, path: string): void {
	const files = new Map([
		...readdirSync(INSPECTOR, { recursive: true })
			.map((file) => String(file).split(sep).join('/'))
			.filter((file) => Object.hasOwn(TYPES, extname(file)))
			.map((file) => [file, join(INSPECTOR, file)] as const),
		['vendor/preact.js', PREACT],
	]);

	app.get('/', HIDDEN, async (request, reply) => {
		// The page's links are relative to its folder.
		if (request.url.split('?')[0] === path) return reply.redirect(`${path}/`, 303);
		return send(reply, join(INSPECTOR, 'index.html'));
	});
	app.get<{ Params: { '*': string } }>('/assets/*', HIDDEN, async ({ params }, reply) => {
		const { '*': file } = params;
		const source = files.get(file);
		if (source === undefined) throw new ApiError(404, `The inspector has no file ${file}.`);
		return send(reply, source);
	});
}

async function send(reply: FastifyReply, path: string): Promise<FastifyReply> {
	const type = TYPES[extname(path)];
	return reply.headers({ ...SECURITY_HEADERS, 'content-type': type }).send(await readFile(path));
}
